// The part of a report that compares predictions with observations.
#pragma once

#include "io/model/json_place.hpp"
#include "io/model/model.hpp"

namespace ellzero::report {

using io::model::Json;
using io::model::Model;

/// Residuals and their quantiles for squared loss; ROC curve and, where there are probabilities, calibration for
/// classes. Of many samples an even share is handed over for drawing; figures in words are of all.
Json fit_json(const Model& model, const Dataset& data);

}  // namespace ellzero::report
