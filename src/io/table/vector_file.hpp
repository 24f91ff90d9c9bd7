// One number per sample from a file of its own, of any format: targets, weights or offset of data without named
// columns.
#pragma once

#include <filesystem>
#include <vector>

namespace ellzero::io::table {

/// .npy, MatrixMarket, or text with one number on each line, as their first bytes say, also compressed. nan is left to
/// the caller. Throws Error(Data) for what is broken and Error(InputOutput) for what cannot be read.
std::vector<double> read_vector(const std::filesystem::path& path);

}  // namespace ellzero::io::table
