// What a model file keeps of the evidence: the verdict on every feature, and the course of the computation.
#pragma once

#include <vector>

#include "io/model/course.hpp"
#include "io/model/json_place.hpp"
#include "io/model/verdict_lists.hpp"

namespace ellzero::io::model {

Json to_json(const VerdictLists& verdicts);
/// Throws Error(Data) unless each of the p features has one verdict.
VerdictLists verdicts_of(const JsonPlace& place, Index p);

/// A list of moments; unknown numbers are null.
Json to_json(const std::vector<Moment>& course);
/// Throws Error(Data) for times that fall.
std::vector<Moment> course_of(const JsonPlace& list);

}  // namespace ellzero::io::model
