// A fitted model in a file of JSON, schema ellzero.model/1: what was fitted to what, and what is proved about it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "ellzero/result.hpp"
#include "ellzero/selection.hpp"
#include "ellzero/settings.hpp"
#include "io/model/course.hpp"
#include "io/model/fingerprint.hpp"
#include "io/model/verdict_lists.hpp"
#include "io/table/read_options.hpp"

namespace ellzero::io::model {

struct Model {
  std::string version;               ///< of the library that wrote it
  Settings settings;                 ///< lambda2 is the value that was used, always has indices
  table::ReadOptions read;           ///< target, weights, offset, missing, categorical as the user said them
  table::Encoding encoding = {};     ///< how words and missing cells became numbers
  std::vector<std::string> classes;  ///< the labels that became the lower and the upper target; empty for regression
  Fingerprint data;
  std::vector<std::string> names;  ///< of all features; empty where the data had none
  double intercept = 0;            ///< in the user's units, as the coefficients are
  std::vector<Index> support;
  std::vector<double> coefficients;
  double relax = 0;                         ///< share of a refit without penalty in them
  std::optional<Penalised> penalised = {};  ///< where there is one, the solution that the certificate is about
  Status status = Status::CoordinateOptimal;
  double objective = 0;
  double lower_bound = 0;  ///< -inf if unknown; the gaps are then infinite
  double gap = 0;
  double relative_gap = 0;
  std::optional<Selection> selection = {};    ///< the path it was chosen from; verdicts and folds are not kept
  std::optional<VerdictLists> verdicts = {};  ///< none where they were not kept
  std::vector<Moment> course = {};            ///< how objective and bound came together; empty where that was not kept

  /// The coefficients that the certificate is about.
  [[nodiscard]] const std::vector<double>& solution() const {
    return penalised ? penalised->coefficients : coefficients;
  }

  /// The feature's name; "x0", "x1", ... where there are none.
  [[nodiscard]] std::string name(Index j) const;
};

/// The text of a model's file.
std::string to_text(const Model& model);

/// Strict: throws Error(Data) for an unknown major version, keys that are missing, numbers that are none, indices that
/// are out of range, and texts that nest too deep; Error(InputOutput) for a file that cannot be read.
Model read_model(const std::filesystem::path& path);

}  // namespace ellzero::io::model
