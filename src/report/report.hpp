// A model and its data as one HTML file that needs nothing else: charts, proof, residuals and a table of features.
#pragma once

#include <string>
#include <vector>

#include "io/model/model.hpp"
#include "io/table/table.hpp"

namespace ellzero::report {

using io::model::Model;
using io::table::Table;

struct ReportInput {
  const Model& model;
  const Table& table;               ///< the data of the model, its targets as the loss sees them
  std::string data_name;            ///< of the file, for the reader
  const Selection* path = nullptr;  ///< without scores: computed for the report, as the model does not remember its own
};

/// Neither the page nor what is inside its script can be broken by names of features: they reach it as JSON without
/// "<".
std::string report_html(const ReportInput& input);

}  // namespace ellzero::report
