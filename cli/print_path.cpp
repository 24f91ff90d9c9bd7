// The three outputs of print_path.hpp.
#include "cli/print_path.hpp"

#include <algorithm>
#include <sstream>
#include <vector>

#include <fmt/format.h>

#include "ellzero/status.hpp"

namespace ellzero::cli {

std::string path_as_text(std::span<const Report> models, bool color) {
  std::string out;
  if (models.empty()) return out;
  const Result& any = models.front().result;
  out += fmt::format("{} loss, {} samples, {} features; the best model of each size", any.loss, any.n, any.p);
  if (any.lambda1 != 0) out += fmt::format(", lambda1 {}", any.lambda1);
  if (any.lambda2 != 0) out += fmt::format(", lambda2 {}", any.lambda2);
  out += fmt::format("\n\n{}  {:>3}  {:>18}  {:>9}  {:<12}  features{}\n", color ? "\x1b[1m" : "", "k", "objective",
                     "gap", "status", color ? "\x1b[0m" : "");
  for (const Report& model : models) {
    const Result& result = model.result;
    out += fmt::format("  {:>3}  {:>18.12g}  {:>7.2g} %  {:<12} ", result.k.value_or(0), result.objective,
                       100 * result.relative_gap, to_string(result.status));
    for (const Index j : result.support) out += fmt::format(" {}", model.table.name(j));
    out += '\n';
  }
  const Report& last = models.back();
  out += fmt::format("\n  nodes {}, time {:.3g} s, and {:.3g} s to read the data\n", last.result.nodes,
                     last.result.seconds, last.read_seconds);
  for (const std::string& note : last.notes) out += fmt::format("  note {}\n", note);
  return out;
}

std::string path_as_json(std::span<const Report> models) {
  std::vector<std::string> objects;
  for (const Report& model : models) {
    objects.push_back(as_json(model));
    objects.back().pop_back();  // its newline
  }
  return fmt::format("{{\"schema\": \"ellzero.path/1\", \"models\": [\n{}\n]}}\n", fmt::join(objects, ",\n"));
}

std::string path_as_csv(std::span<const Report> models) {
  std::string out = "k,objective,lower_bound,status,feature,index,value\n";
  for (const Report& model : models) {
    const Result& result = model.result;
    std::istringstream rows(as_csv(model));
    std::string row;
    std::getline(rows, row);  // the names of its columns
    while (std::getline(rows, row))
      out += fmt::format("{},{},{},{},{}\n", result.k.value_or(0), result.objective, result.lower_bound,
                         to_string(result.status), row);
  }
  return out;
}

}  // namespace ellzero::cli
