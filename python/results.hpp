// What the library returns, as dictionaries of Python's own values and numpy arrays.
#pragma once

#include <nanobind/nanobind.h>

#include "ellzero/ellzero.hpp"

namespace ellzero::python {

nanobind::dict to_python(Result result);
/// (models, status)
nanobind::tuple to_python(Path path);
nanobind::dict to_python(Selection selection);

}  // namespace ellzero::python
