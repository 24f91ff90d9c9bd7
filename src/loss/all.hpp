// The list of losses: a new one is a file of its own and one entry here (docs/add_a_loss.md).
#pragma once

#include <variant>

#include "loss/logistic.hpp"
#include "loss/smoothed_hinge.hpp"
#include "loss/squared.hpp"

namespace ellzero::loss {

using AnyLoss = std::variant<Squared, Logistic, SmoothedHinge>;

/// Says DO(L) for every loss: a .cpp file that defines templates over the loss instantiates them with it, once.
#define ELLZERO_FOR_EACH_LOSS(DO) \
  DO(::ellzero::loss::Squared)    \
  DO(::ellzero::loss::Logistic)   \
  DO(::ellzero::loss::SmoothedHinge)

}  // namespace ellzero::loss
