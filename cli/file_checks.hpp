// The files that a command line names, checked before any of them is read: nothing is read and written at once.
#pragma once

#include <string>
#include <vector>

#include "io/table/read_options.hpp"

namespace ellzero::cli {

struct NamedFile {
  std::string flag;  ///< for messages: what names it on the command line
  std::string path;  ///< "" where nothing does
};

/// What reading `data` opens: the file itself, and those of targets, weights and offset where they are no columns.
std::vector<NamedFile> data_files(const std::string& flag, const std::string& data, const io::table::ReadOptions& read);

/// Throws Error(Usage) where an output is one of the inputs or another output, by whatever name or link; stdout and
/// stderr are outputs, too. Throws Error(InputOutput) for an output that cannot be written.
void check_files(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs);

}  // namespace ellzero::cli
