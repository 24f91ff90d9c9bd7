// The table of settings as Python sees it, and a Settings made from a dictionary.
#pragma once

#include <nanobind/nanobind.h>

#include "ellzero/settings.hpp"

namespace ellzero::python {

/// One dictionary for each row: name, type, default, choices, range, unset, help.
nanobind::list table_rows();

/// Fields that are not named, or None, keep their default. Throws nb::type_error for a value of another type, naming
/// the setting, the value and what was expected; ranges are left to validate().
Settings settings_from(const nanobind::dict& values);

/// Throws Error(Usage) that names the first setting of the dictionary that has no effect beside the others, for a
/// computation that walks a path or proves something.
void refuse_idle(const nanobind::dict& values, bool walks, bool proves);

}  // namespace ellzero::python
