// The texts of progress_text.hpp.
#include "cli/progress_text.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

namespace ellzero::cli {
namespace {

double relative_gap(const Progress& progress) {
  return (progress.objective - progress.lower_bound) / std::abs(progress.objective);
}

std::string json_number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : "null"; }
std::string json_count(Index value) { return value > 0 ? fmt::format("{}", value) : "null"; }

std::string bar_or_spinner(const Standing& standing, std::size_t cells) {
  if (!standing.share) return std::string(1, "|/-\\"[standing.turns % 4]);
  const double share = std::clamp(*standing.share, 0.0, 1.0);
  const auto full = static_cast<std::size_t>(share * static_cast<double>(cells));
  return fmt::format("[{}{}] {:3.0f} %", std::string(full, '='), std::string(cells - full, ' '),
                     std::floor(100 * share));
}

std::string clock_text(double seconds) {
  const auto whole = static_cast<Index>(seconds);
  if (seconds < 60) return fmt::format("{:.1f} s", seconds);
  if (seconds < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

}  // namespace

std::string progress_line(const Standing& standing, std::size_t width) {
  const Progress& progress = standing.progress;
  const double gap = relative_gap(progress);
  std::vector<std::string> parts = {bar_or_spinner(standing, width < 60 ? 10 : 20), clock_text(standing.seconds)};
  if (progress.points > 0) parts.push_back(fmt::format("{} of {}", progress.point, progress.points));
  if (!progress.stage.empty()) parts.emplace_back(progress.stage);
  if (std::isfinite(gap)) parts.push_back(fmt::format("gap {:.2g} %", 100 * gap));
  if (std::isfinite(progress.objective)) parts.push_back(fmt::format("best {:.6g}", progress.objective));
  if (std::isfinite(progress.lower_bound)) parts.push_back(fmt::format("bound {:.6g}", progress.lower_bound));
  if (std::isfinite(progress.objective)) parts.push_back(fmt::format("features {}", progress.nonzeros));
  if (progress.nodes > 0) parts.push_back(fmt::format("nodes {}, open {}", progress.nodes, progress.open));
  std::string line;
  for (const std::string& part : parts) {
    if (!line.empty() && line.size() + 2 + part.size() > width) break;
    line += (line.empty() ? "" : "  ") + part;
  }
  return line.substr(0, width);
}

std::string progress_head() {
  return fmt::format("{:>9} {:>10} {:>8} {:>14} {:>14} {:>10} {:>8}", "time", "nodes", "open", "incumbent", "bound",
                     "gap", "support");
}

std::string progress_row(const Progress& progress) {
  const auto number = [](double value) { return std::isfinite(value) ? fmt::format("{:.8g}", value) : "-"; };
  const double gap = relative_gap(progress);
  return fmt::format("{:>7.1f} s {:>10} {:>8} {:>14} {:>14} {:>10} {:>8}", progress.seconds, progress.nodes,
                     progress.open, number(progress.objective), number(progress.lower_bound),
                     std::isfinite(gap) ? fmt::format("{:.3g} %", 100 * gap) : "-", progress.nonzeros);
}

std::string progress_json(const Progress& progress) {
  return fmt::format(
      "{{\"stage\":\"{}\",\"seconds\":{},\"nodes\":{},\"open\":{},\"objective\":{},\"lower_bound\":{},"
      "\"relative_gap\":{},\"nonzeros\":{},\"point\":{},\"points\":{}}}",
      progress.stage, progress.seconds, progress.nodes, progress.open, json_number(progress.objective),
      json_number(progress.lower_bound), json_number(relative_gap(progress)), progress.nonzeros,
      json_count(progress.point), json_count(progress.points));
}

}  // namespace ellzero::cli
