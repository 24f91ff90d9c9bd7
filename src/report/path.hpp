// The part of a report that shows the path a model was chosen from.
#pragma once

#include "io/model/json_place.hpp"
#include "io/model/model.hpp"
#include "report/columns.hpp"

namespace ellzero::report {

using io::model::Json;
using io::model::Model;

/// The models that share lambda1 and lambda2 with the chosen one, what each uses, and how they scored. Without scores
/// nothing was chosen: it is a path computed for the report. Null where no model has a place on the axis.
Json path_json(const Model& model, const Selection& selection, Columns& columns);

}  // namespace ellzero::report
