// The one exception of ellzero: bad input is refused before any computing, naming argument, value and expectation.
#pragma once

#include <stdexcept>
#include <string>

namespace ellzero {

/// What kind of refusal it is; the numbers are the command line's exit codes.
enum class ErrorCode { Usage = 2, Data = 3, Numerical = 5, InputOutput = 6 };

class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  [[nodiscard]] ErrorCode code() const noexcept { return code_; }

 private:
  ErrorCode code_;
};

}  // namespace ellzero
