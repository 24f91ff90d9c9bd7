// The two outputs of print_grid.hpp.
#include "cli/print_grid.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <optional>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ellzero/status.hpp"
#include "io/refusal.hpp"

namespace ellzero::cli {
namespace {

/// A column of the text: its head, its width, and its cell of model m.
struct Column {
  std::string head;
  std::size_t width;
  std::function<std::string(std::size_t)> cell;
};

std::string short_number(double value) { return std::isfinite(value) ? fmt::format("{:.6g}", value) : "-"; }

bool varies(const PathReport& path, double Result::*member) {
  return std::any_of(path.models.begin(), path.models.end(),
                     [&](const Report& model) { return model.result.*member != path.models.front().result.*member; });
}

/// "best" and "chosen", where that is what model m is.
std::string mark_of(const PathReport& path, std::size_t m) {
  if (path.selection == nullptr || std::isnan(path.selection->score[m])) return "";
  std::vector<std::string> marks;
  if (static_cast<Index>(m) == path.selection->best) marks.emplace_back("best");
  if (static_cast<Index>(m) == path.selection->chosen) marks.emplace_back("chosen");
  return fmt::format("{}", fmt::join(marks, " "));
}

/// "+bmi +s5 -age": what is new since the model before, in a few words.
std::string changes(const PathReport& path, std::size_t m) {
  constexpr std::size_t most = 6;
  const Report& model = path.models[m];
  const auto& now = model.result.support;
  const auto before = m == 0 ? std::vector<Index>{} : path.models[m - 1].result.support;
  std::vector<Index> in, out;
  std::set_difference(now.begin(), now.end(), before.begin(), before.end(), std::back_inserter(in));
  std::set_difference(before.begin(), before.end(), now.begin(), now.end(), std::back_inserter(out));
  std::vector<std::string> words;
  words.reserve(in.size() + out.size());
  for (const Index j : in) words.push_back(fmt::format("+{}", io::printable(model.table.name(j))));
  for (const Index j : out) words.push_back(fmt::format("-{}", io::printable(model.table.name(j))));
  const std::size_t left = words.size() > most ? words.size() - most : 0;
  words.resize(words.size() - left);
  return fmt::format("{}{}", fmt::join(words, " "), left > 0 ? fmt::format(" and {} more", left) : "");
}

std::vector<Column> columns_of(const PathReport& path) {
  const auto result = [&path](std::size_t m) -> const Result& { return path.models[m].result; };
  std::vector<Column> columns;
  if (result(0).lambda0)
    columns.push_back({"lambda0", 12, [=](std::size_t m) { return short_number(*result(m).lambda0); }});
  else columns.push_back({"k", 6, [=](std::size_t m) { return fmt::format("{}", *result(m).k); }});
  if (varies(path, &Result::lambda1))
    columns.push_back({"lambda1", 12, [=](std::size_t m) { return short_number(result(m).lambda1); }});
  if (varies(path, &Result::lambda2))
    columns.push_back({"lambda2", 12, [=](std::size_t m) { return short_number(result(m).lambda2); }});
  columns.push_back({"features", 8, [=](std::size_t m) { return fmt::format("{}", result(m).support.size()); }});
  if (path.selection != nullptr) {
    const Selection& selection = *path.selection;
    columns.push_back({selection.metric, 12, [&](std::size_t m) { return short_number(selection.score[m]); }});
    columns.push_back({"+/-", 10, [&](std::size_t m) {
                         const double error = selection.standard_error[m];
                         return std::isfinite(error) ? fmt::format("{:.3g}", error) : "-";
                       }});
    return columns;
  }
  columns.push_back({"objective", 14, [=](std::size_t m) { return fmt::format("{:.9g}", result(m).objective); }});
  columns.push_back({"gap", 10, [=](std::size_t m) {
                       const double gap = result(m).relative_gap;
                       return std::isfinite(gap) ? fmt::format("{:.2g} %", 100 * gap) : "unknown";
                     }});
  columns.push_back({"status", 18, [=](std::size_t m) { return std::string(to_string(result(m).status)); }});
  return columns;
}

/// Features that any model uses, ascending.
std::set<Index> features_of(const PathReport& path) {
  std::set<Index> features;
  for (const Report& model : path.models) features.insert(model.result.support.begin(), model.result.support.end());
  return features;
}

std::string cell(double value) { return std::isfinite(value) ? fmt::format("{}", value) : ""; }

std::string csv_row(const PathReport& path, std::size_t m, const std::set<Index>& features) {
  const Result& result = path.models[m].result;
  std::vector<std::string> cells = {result.lambda0 ? cell(*result.lambda0) : "",
                                    cell(result.lambda1),
                                    cell(result.lambda2),
                                    result.k ? fmt::format("{}", *result.k) : "",
                                    fmt::format("{}", result.support.size()),
                                    cell(result.objective),
                                    cell(result.lower_bound),
                                    cell(result.relative_gap),
                                    std::string(to_string(result.status))};
  if (path.selection != nullptr) {
    const Score score = score_of(*path.selection, m);
    cells.insert(cells.end(), {cell(score.mean), cell(score.standard_error), mark_of(path, m)});
  }
  cells.push_back(cell(result.intercept));
  for (const Index j : features) {
    const auto place = std::lower_bound(result.support.begin(), result.support.end(), j);
    const bool used = place != result.support.end() && *place == j;
    cells.push_back(used ? cell(result.coefficients[place - result.support.begin()]) : "0");
  }
  return fmt::format("{}\n", fmt::join(cells, ","));
}

}  // namespace

std::string grid_as_text(const PathReport& path, bool color) {
  const Report& last = path.models.back();
  const Result& any = last.result;
  const std::string_view bold = color ? "\x1b[1m" : "", plain = color ? "\x1b[0m" : "";
  std::string out = fmt::format("{} loss, {} samples, {} features; {}", any.loss, any.n, any.p, path.title);
  if (any.lambda1 != 0 && !varies(path, &Result::lambda1)) out += fmt::format(", lambda1 {}", any.lambda1);
  if (any.lambda2 != 0 && !varies(path, &Result::lambda2)) out += fmt::format(", lambda2 {}", any.lambda2);
  out += fmt::format("\n\n{}", bold);
  const auto columns = columns_of(path);
  for (const Column& column : columns) out += fmt::format("  {:>{}}", column.head, column.width);
  out += fmt::format("{}{}\n", path.selection == nullptr ? "  changes" : "", plain);
  for (std::size_t m = 0; m < path.models.size(); ++m) {
    const std::string mark = mark_of(path, m);
    std::string line;
    for (const Column& column : columns) line += fmt::format("  {:>{}}", column.cell(m), column.width);
    const std::string end = path.selection == nullptr ? changes(path, m) : mark;
    if (!end.empty()) line += fmt::format("  {}", end);
    out += mark.empty() ? line + "\n" : fmt::format("{}{}{}\n", bold, line, plain);
  }
  out += fmt::format("\n  time {:.3g} s, and {:.3g} s to read the data\n", path.seconds, last.read_seconds);
  for (const std::string& note : last.notes) out += fmt::format("  note {}\n", io::printable(note));
  return out;
}

std::string grid_as_csv(const PathReport& path) {
  const auto features = features_of(path);
  std::string out = "lambda0,lambda1,lambda2,k,nonzeros,objective,lower_bound,relative_gap,status";
  if (path.selection != nullptr) out += ",cv_mean,cv_se,mark";
  out += ",(intercept)";
  for (const Index j : features) out += fmt::format(",{}", csv_cell(path.models.front().table.name(j)));
  out += '\n';
  for (std::size_t m = 0; m < path.models.size(); ++m) out += csv_row(path, m, features);
  return out;
}

}  // namespace ellzero::cli
