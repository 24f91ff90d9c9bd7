// The three outputs of print_path.hpp.
#include "cli/print_path.hpp"

#include <cmath>
#include <sstream>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/print_grid.hpp"
#include "ellzero/status.hpp"
#include "io/refusal.hpp"

namespace ellzero::cli {
namespace {

std::string_view key(const PathReport& path) { return path.pool != nullptr ? "rank" : "k"; }
Index key_of(const PathReport& path, std::size_t m) {
  return path.pool != nullptr ? static_cast<Index>(m) + 1 : path.models[m].result.k.value_or(0);
}

/// One sentence: what is proved about the models that are not listed.
std::string pool_text(const Pool& pool) {
  if (std::isinf(pool.beyond)) return "complete: these are all models there are";
  if (pool.complete) return "complete: every other model is beyond the margin";
  const std::string others = fmt::format("no other model has an objective below {:.12g}", pool.beyond);
  if (pool.status == Status::Optimal) return "cut by --pool-size, there are more within the margin; " + others;
  return fmt::format("not complete ({}); {}", to_string(pool.status), others);
}

}  // namespace

std::string path_as_text(const PathReport& path, bool color) {
  if (path.grid) return grid_as_text(path, color);
  const Result& any = path.models.front().result;
  std::string out = fmt::format("{} loss, {} samples, {} features; {}", any.loss, any.n, any.p, path.title);
  if (path.pool != nullptr && any.k) out += fmt::format(", at most {} features", *any.k);
  if (any.lambda0) out += fmt::format(", lambda0 {}", *any.lambda0);
  if (any.lambda1 != 0) out += fmt::format(", lambda1 {}", any.lambda1);
  if (any.lambda2 != 0) out += fmt::format(", lambda2 {}", any.lambda2);
  out += fmt::format("\n\n{}  {:>4}  {:>18}  {:>9}  {:<12}  features{}\n", color ? "\x1b[1m" : "", key(path),
                     "objective", "gap", "status", color ? "\x1b[0m" : "");
  for (std::size_t m = 0; m < path.models.size(); ++m) {
    const Result& result = path.models[m].result;
    out += fmt::format("  {:>4}  {:>18.12g}  {:>7.2g} %  {:<12} ", key_of(path, m), result.objective,
                       100 * result.relative_gap, to_string(result.status));
    for (const Index j : result.support) out += fmt::format(" {}", io::printable(path.models[m].table.name(j)));
    out += '\n';
  }
  const Report& last = path.models.back();
  out += '\n';
  if (path.pool != nullptr) out += fmt::format("  {}\n", pool_text(*path.pool));
  out += fmt::format("  nodes {}, time {:.3g} s, and {:.3g} s to read the data\n", last.result.nodes,
                     last.result.seconds, last.read_seconds);
  for (const std::string& note : last.notes) out += fmt::format("  note {}\n", io::printable(note));
  return out;
}

std::string path_as_json(const PathReport& path) {
  std::vector<std::string> objects;
  for (const Report& model : path.models) {
    objects.push_back(as_json(model));
    objects.back().pop_back();  // its newline
  }
  std::string head;
  if (path.pool != nullptr)
    head = fmt::format("\"status\": \"{}\", \"complete\": {}, \"cut\": {}, \"beyond\": {}, ",
                       to_string(path.pool->status), path.pool->complete, path.pool->cut,
                       std::isfinite(path.pool->beyond) ? fmt::format("{}", path.pool->beyond) : "null");
  if (path.selection != nullptr)
    head = fmt::format("\"metric\": \"{}\", \"rule\": \"{}\", \"best\": {}, \"chosen\": {}, ", path.selection->metric,
                       path.selection->rule, path.selection->best, path.selection->chosen);
  return fmt::format("{{\"schema\": \"ellzero.path/1\", {}\"models\": [\n{}\n]}}\n", head, fmt::join(objects, ",\n"));
}

std::string path_as_csv(const PathReport& path) {
  if (path.grid) return grid_as_csv(path);
  std::string out = fmt::format("{},objective,lower_bound,status,feature,index,value\n", key(path));
  for (std::size_t m = 0; m < path.models.size(); ++m) {
    const Result& result = path.models[m].result;
    std::istringstream rows(as_csv(path.models[m]));
    std::string row;
    std::getline(rows, row);  // the names of its columns
    while (std::getline(rows, row))
      out += fmt::format("{},{},{},{},{}\n", key_of(path, m), result.objective, result.lower_bound,
                         to_string(result.status), row);
  }
  return out;
}

}  // namespace ellzero::cli
