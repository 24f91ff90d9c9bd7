// How a data file of each format begins.
#pragma once

#include <string>

#include "io/bytes/input_guard.hpp"

namespace ellzero::io::table {

/// `format` is csv, tsv, libsvm, npy, mtx, or empty for .npy data by its magic and text otherwise.
bytes::InputGuard::ReadHeading heading_of(std::string format);

}  // namespace ellzero::io::table
