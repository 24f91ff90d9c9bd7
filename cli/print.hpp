// A result as text for people, JSON for programs, or CSV for tables.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/streams.hpp"
#include "ellzero/result.hpp"
#include "ellzero/selection.hpp"
#include "io/table/table.hpp"

namespace ellzero::cli {

/// Of a model in cross-validation; unknown numbers are NaN.
struct Score {
  double mean;
  double standard_error;
};
Score score_of(const Selection& selection, std::size_t model);

struct Report {
  const Result& result;
  const io::table::Table& table;   ///< for the names of features
  std::vector<std::string> notes;  ///< of reader and result
  double read_seconds = 0;
  double gap = 0;                        ///< the relative gap at which a solution counts as optimal
  std::optional<Score> score = {};       ///< as a model of a cross-validation curve
  const Selection* selection = nullptr;  ///< as the model that was chosen
};

/// Features, coefficients, objective, bound, gap in percent, what is proved, and the notes.
std::string as_text(const Report& report, bool color);
/// One object of schema ellzero.result/1; numbers read back exactly, unknown ones are null.
std::string as_json(const Report& report);
/// Rows of feature, index and value, the intercept first and without index.
std::string as_csv(const Report& report);

/// A cell of CSV, in quotes where it must be.
std::string csv_cell(const std::string& text);
/// "5-fold cross-validation, twice" or "bic"
std::string way_of(const Selection& selection);

}  // namespace ellzero::cli
