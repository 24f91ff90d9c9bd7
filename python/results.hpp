// What the library returns, as dictionaries of Python's own values and numpy arrays.
#pragma once

#include <nanobind/nanobind.h>

#include "ellzero/ellzero.hpp"

namespace ellzero::python {

nanobind::dict to_python(Result result);
/// (models, status)
nanobind::tuple to_python(Path path);
nanobind::dict to_python(Selection selection);
nanobind::dict to_python(Pool pool);
/// What the library looks at in a result that Python hands back: solution, bound, lambdas and budget.
Result from_python(const nanobind::dict& values);

}  // namespace ellzero::python
