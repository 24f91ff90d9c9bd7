// The mapping of labels.hpp: numbers are sorted as numbers, words as words.
#include "cli/labels.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ellzero/error.hpp"
#include "io/refusal.hpp"

namespace ellzero::cli {
namespace {

/// The targets of a loss: below and above.
std::pair<double, double> targets_of(std::string_view loss) {
  return loss == "logistic" ? std::pair{0.0, 1.0} : std::pair{-1.0, 1.0};
}

/// The different values of y in rows that are not dropped, sorted; three are enough to know that there are too many.
std::vector<double> different_values(const io::table::Table& table) {
  std::vector<double> values;
  for (std::size_t i = 0; i < table.y.size() && values.size() < 3; ++i) {
    const bool dropped = i < table.weights.size() && table.weights[i] == 0;
    if (!dropped && std::find(values.begin(), values.end(), table.y[i]) == values.end()) values.push_back(table.y[i]);
  }
  std::sort(values.begin(), values.end());
  return values;
}

}  // namespace

bool is_classifier(std::string_view loss) { return loss == "logistic" || loss == "smoothed-hinge"; }

void note_two_values(io::table::Table& table) {
  const auto values = different_values(table);
  if (values == std::vector<double>{0, 1} || values == std::vector<double>{-1, 1})
    table.notes.push_back(
        fmt::format("target: holds only {} and {}, taken as numbers; --loss logistic takes them as "
                    "two classes",
                    values[0], values[1]));
}

std::vector<std::string> map_labels(io::table::Table& table, std::string_view loss) {
  const auto [below, above] = targets_of(loss);
  const auto values = different_values(table);
  if (values.empty() && !table.y.empty())
    throw Error(ErrorCode::Data, "weights: all are 0; expected at least one above 0");
  if (values.empty()) return {};  // there are no rows: refused as such later
  const auto plain = [&](double value) {
    return table.classes.empty() ? fmt::format("{}", value) : table.classes[static_cast<std::size_t>(value)];
  };
  const auto label = [&](double value) { return table.classes.empty() ? plain(value) : io::shown(plain(value)); };
  if (values.size() != 2) {
    std::vector<std::string> found;
    found.reserve(values.size());
    for (const double value : values) found.push_back(label(value));
    throw Error(ErrorCode::Data, fmt::format("target: values are {}{}; expected two classes for {} loss",
                                             fmt::join(found, ", "), values.size() > 2 ? ", ..." : "", loss));
  }
  double low = values[0];
  double high = values[1];
  if (!table.classes.empty() && table.classes[1] < table.classes[0]) std::swap(low, high);
  if (!table.classes.empty() || low != below || high != above)
    table.notes.push_back(fmt::format("target: {} is taken as {}, {} as {}", label(low), below, label(high), above));
  for (double& y : table.y) y = y == low ? below : above;  // whatever a dropped row holds becomes a label, too
  return {plain(low), plain(high)};
}

}  // namespace ellzero::cli
