// Several models of one data set as text for people, JSON for programs, or CSV for tables.
#pragma once

#include <span>
#include <string>

#include "cli/print.hpp"

namespace ellzero::cli {

/// A table of k, objective, gap, status and features, and the notes.
std::string path_as_text(std::span<const Report> models, bool color);
/// One object of schema ellzero.path/1 whose models are objects of ellzero.result/1.
std::string path_as_json(std::span<const Report> models);
/// Rows of k, objective, lower bound, status, feature, index and value, the intercept of each model first.
std::string path_as_csv(std::span<const Report> models);

}  // namespace ellzero::cli
