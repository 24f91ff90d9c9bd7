// What a user says about a data file.
#pragma once

#include <string>

namespace ellzero::io {

/// Empty means: not said. CSV and TSV name columns; for .npy data the three are .npy files of their own.
struct ReadOptions {
  std::string format = "";   ///< csv, tsv, libsvm, npy; not said: by the file's ending, then by its first bytes
  std::string target = "";   ///< not said: the column called "target", else the last
  std::string weights = "";  ///< not said: none
  std::string offset = "";   ///< not said: none
  bool words = false;        ///< targets may be two words in place of numbers
};

}  // namespace ellzero::io
