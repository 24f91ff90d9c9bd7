// `ellzero inspect`: what a model file holds, for people or as JSON.
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/file_checks.hpp"
#include "cli/flags.hpp"
#include "cli/streams.hpp"
#include "ellzero/ellzero.hpp"
#include "io/model/json_place.hpp"
#include "io/model/model.hpp"
#include "io/model/settings_json.hpp"
#include "io/refusal.hpp"

namespace ellzero::cli {
namespace {

using io::model::Json;

/// Settings that are not as they are by default.
Json changed_settings(const Settings& settings) {
  const Json all = io::model::to_json(settings), usual = io::model::to_json(Settings{});
  Json changed = Json::object();
  for (const auto& [key, value] : all.items())
    if (value != usual[key]) changed[key] = value;
  return changed;
}

std::string proof_text(const io::model::Model& model) {
  if (!std::isfinite(model.lower_bound)) return "nothing is proved about it";
  if (model.status == Status::Optimal)
    return fmt::format("proved optimal, up to the gap of {:g} % that was asked for", 100 * model.settings.gap);
  return fmt::format("proved that the optimum is at most {:.3g} % lower", 100 * model.relative_gap);
}

std::string data_text(const io::model::Model& model) {
  std::string text =
      fmt::format("{} rows, {} features, hash {:016x}", model.data.rows, model.data.columns, model.data.hash);
  const auto add = [&](const char* role, const std::string& said) {
    if (!said.empty()) text += fmt::format("; {} {}", role, io::printable(said));
  };
  add("target", model.read.target);
  add("weights", model.read.weights);
  add("offset", model.read.offset);
  add("folds", model.read.folds);
  add("missing", model.read.missing);
  add("categorical", model.read.categorical);
  add("header", model.read.header);
  if (!model.classes.empty()) add("classes", fmt::format("{}", fmt::join(model.classes, ", ")));
  return text;
}

std::string selection_text(const Selection& selection) {
  const auto chosen = static_cast<std::size_t>(selection.chosen);
  return fmt::format("model {} of {} by {}, rule {}: score {:.6g}", selection.chosen + 1, selection.path.models.size(),
                     selection.metric, selection.rule, selection.score[chosen]);
}

std::string as_text(const io::model::Model& model) {
  std::string out = fmt::format("{} loss, {} of {} features, by ellzero {}\n\n", model.settings.loss,
                                model.support.size(), model.data.columns, io::printable(model.version));
  std::size_t width = std::string_view("(intercept)").size();
  const auto name = [&](Index j) { return io::printable(model.name(j)); };
  for (const Index j : model.support) width = std::max(width, name(j).size());
  out += fmt::format("  {:<{}}  {:>6}  coefficient\n", "feature", width, "index");
  out += fmt::format("  {:<{}}  {:>6}  {}\n", "(intercept)", width, "", model.intercept);
  for (std::size_t c = 0; c < model.support.size(); ++c)
    out += fmt::format("  {:<{}}  {:>6}  {}\n", name(model.support[c]), width, model.support[c], model.coefficients[c]);
  out += fmt::format("\n  objective    {}\n  lower bound  {}\n  gap          {:.4g} %\n  status       {}: {}\n",
                     model.objective, model.lower_bound, 100 * model.relative_gap, to_string(model.status),
                     proof_text(model));
  out += "               as the file says; ellzero verify checks it\n";
  out += fmt::format("  data         {}\n", data_text(model));
  if (model.selection) out += fmt::format("  selected     {}\n", selection_text(*model.selection));
  const Json changed = changed_settings(model.settings);
  for (const auto& [key, value] : changed.items())
    out += fmt::format("  {:<12} {} = {}\n", key == changed.begin().key() ? "settings" : "", key, value.dump());
  return out;
}

/// Numbers that are not finite become null.
std::string as_json(const io::model::Model& model) {
  Json coefficients = Json::array();
  for (std::size_t c = 0; c < model.support.size(); ++c)
    coefficients.push_back(
        {{"feature", model.name(model.support[c])}, {"index", model.support[c]}, {"value", model.coefficients[c]}});
  Json json = {{"schema", "ellzero.inspection/1"},
               {"version", model.version},
               {"loss", model.settings.loss},
               {"n", model.data.rows},
               {"p", model.data.columns},
               {"nonzeros", model.support.size()},
               {"status", to_string(model.status)},
               {"objective", model.objective},
               {"lower_bound", model.lower_bound},
               {"gap", model.gap},
               {"relative_gap", model.relative_gap},
               {"intercept", model.intercept},
               {"coefficients", coefficients},
               {"classes", model.classes},
               {"data",
                {{"target", model.read.target},
                 {"weights", model.read.weights},
                 {"offset", model.read.offset},
                 {"folds", model.read.folds},
                 {"missing", model.read.missing},
                 {"categorical", model.read.categorical},
                 {"header", model.read.header},
                 {"hash", fmt::format("{:016x}", model.data.hash)}}},
               {"changed_settings", changed_settings(model.settings)},
               {"selection", nullptr}};
  if (const auto& selection = model.selection)
    json["selection"] = {{"by", selection->by},         {"metric", selection->metric},
                         {"rule", selection->rule},     {"best", selection->best},
                         {"chosen", selection->chosen}, {"models", selection->path.models.size()},
                         {"score", selection->score}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

int run_inspect(std::vector<std::string> arguments) {
  std::string path, format = "text";
  CLI::App app("Show what a model file holds.", "ellzero inspect");
  add_model(app, path);
  add_word(app, "format", format, {"text", "json"}, "what to print (default text)");
  if (!parse(app, std::move(arguments), "one model file")) return 0;
  require_argument("MODEL", path, "a file that -o has written");
  check_files({{"MODEL", path}}, {});
  const io::model::Model model = io::model::read_model(path);
  write_stdout(format == "json" ? as_json(model) : as_text(model));
  return 0;
}

}  // namespace ellzero::cli
