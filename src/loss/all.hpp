// The list of losses: a new one is a file of its own and one entry here (docs/add_a_loss.md).
#pragma once

#include <variant>

#include "loss/logistic.hpp"
#include "loss/smoothed_hinge.hpp"
#include "loss/squared.hpp"

namespace ellzero::loss {

using AnyLoss = std::variant<Squared, Logistic, SmoothedHinge>;

}  // namespace ellzero::loss
