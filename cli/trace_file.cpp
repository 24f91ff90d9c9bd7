// Rows of the trace behind trace_file.hpp, written in large pieces.
#include "cli/trace_file.hpp"

#include <cmath>
#include <iterator>

#include <fmt/format.h>

namespace ellzero::cli {
namespace {

std::string cell(double value) { return std::isfinite(value) ? fmt::format("{}", value) : ""; }

}  // namespace

TraceFile::TraceFile(const std::string& path)
    : file_(path), rows_("iteration,seconds,objective,lower_bound,gap,nonzeros,active,screened\n") {}

void TraceFile::add(const Iteration& at) {
  fmt::format_to(std::back_inserter(rows_), "{},{:.6f},{},{},{},{},{},{}\n", at.number, at.seconds, cell(at.objective),
                 cell(at.lower_bound), cell(at.gap), at.nonzeros, at.active, at.screened);
  constexpr std::size_t piece = 1 << 16;
  if (rows_.size() < piece) return;
  file_.write(rows_);
  rows_.clear();
}

void TraceFile::finish() {
  file_.write(rows_);
  file_.commit();
}

}  // namespace ellzero::cli
