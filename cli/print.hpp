// A result as text for people, JSON for programs, or CSV for tables.
#pragma once

#include <string>
#include <vector>

#include "ellzero/result.hpp"
#include "io/table.hpp"

namespace ellzero::cli {

struct Report {
  const Result& result;
  const io::Table& table;          ///< for the names of features
  std::vector<std::string> notes;  ///< of reader and result
  double read_seconds = 0;
  double gap = 0;  ///< the relative gap at which a solution counts as optimal
};

/// Features, coefficients, objective, bound, gap in percent, what is proved, and the notes.
std::string as_text(const Report& report, bool color);
/// One object of schema ellzero.result/1; numbers read back exactly, unknown ones are null.
std::string as_json(const Report& report);
/// Rows of feature, index and value, the intercept first and without index.
std::string as_csv(const Report& report);

/// Throws Error(InputOutput) when it cannot be written.
void write_stdout(const std::string& text);

}  // namespace ellzero::cli
