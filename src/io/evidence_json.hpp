// What a model file keeps of the evidence: the verdict on every feature, and the course of the computation.
#pragma once

#include <vector>

#include "ellzero/status.hpp"
#include "io/course.hpp"
#include "io/json_place.hpp"

namespace ellzero::io {

/// Lists of the features that are in every optimum and of those undecided; the others, most of them, are only counted.
Json to_json(const std::vector<Verdict>& verdicts);
/// Throws Error(Data) unless each of the p features has one verdict.
std::vector<Verdict> verdicts_of(const JsonPlace& place, Index p);

/// A list of moments; unknown numbers are null.
Json to_json(const std::vector<Moment>& course);
/// Throws Error(Data) for times that fall.
std::vector<Moment> course_of(const JsonPlace& list);

}  // namespace ellzero::io
