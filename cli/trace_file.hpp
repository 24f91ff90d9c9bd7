// The trace of a published method as a CSV file: one row per iteration, unknown bounds left empty.
#pragma once

#include <string>

#include "ellzero/observer.hpp"
#include "io/bytes/atomic_file.hpp"

namespace ellzero::cli {

class TraceFile {
 public:
  /// Throws Error(InputOutput), as all of it does, when the file cannot be written.
  explicit TraceFile(const std::string& path);
  void add(const Iteration& iteration);
  /// Without it nothing is left behind.
  void finish();

 private:
  io::bytes::AtomicFile file_;
  std::string rows_;  // not yet written
};

}  // namespace ellzero::cli
