// The three outputs of print.hpp.
#include "cli/print.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ellzero/error.hpp"
#include "io/proof/proof_text.hpp"
#include "io/refusal.hpp"

namespace ellzero::cli {
namespace {

using Json = nlohmann::ordered_json;

std::vector<Index> with_verdict(const Result& result, Verdict wanted) {
  std::vector<Index> features;
  for (std::size_t j = 0; j < result.verdicts.size(); ++j)
    if (result.verdicts[j] == wanted) features.push_back(static_cast<Index>(j));
  return features;
}

Json finite_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

template <class T>
Json value_or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

std::string number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : std::string("unknown"); }

/// Letters on the screen: bytes that do not continue a character of UTF-8.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

struct Row {
  std::string feature;
  std::string value;
  std::string_view verdict;
};

void append_table(std::string& out, const std::vector<Row>& rows, std::string_view bold, std::string_view plain) {
  std::size_t names = 0, values = 0;
  for (const Row& row : rows) {
    names = std::max(names, width(row.feature));
    values = std::max(values, row.value.size());
  }
  for (const Row& row : rows) {
    const bool head = &row == &rows.front();
    std::string line = fmt::format("  {}{}  {:>{}}{}{}", row.feature, std::string(names - width(row.feature), ' '),
                                   row.value, values, row.verdict.empty() ? "" : "  ", row.verdict);
    out += fmt::format("{}{}{}\n", head ? bold : "", line, head ? plain : "");
  }
}

std::string headline(const Result& result) {
  const auto plural = [](Index count, std::string_view noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
  };
  std::string line =
      fmt::format("{} loss, {}, {}", result.loss, plural(result.n, "sample"), plural(result.p, "feature"));
  if (result.k) line += fmt::format("; at most {}", plural(*result.k, "feature"));
  if (result.lambda0) line += fmt::format("; lambda0 {}", *result.lambda0);
  if (result.lambda1 != 0) line += fmt::format(", lambda1 {}", result.lambda1);
  if (result.lambda2 != 0) line += fmt::format(", lambda2 {}", result.lambda2);
  if (result.relax == 1) line += "; coefficients refitted without penalty";
  else if (result.relax != 0) line += fmt::format("; coefficients {:g} % refitted without penalty", 100 * result.relax);
  return line;
}

/// An object that people can read and that does not give every element of a long list a line of its own.
std::string one_key_per_line(const Json& object) {
  std::string out;
  for (const auto& [key, value] : object.items())
    out += fmt::format("{}\"{}\": {}", out.empty() ? "{\n  " : ",\n  ", key, value.dump());
  return out + "\n}\n";
}

/// What is proved of a criterion among all subsets.
std::string subsets_text(const Selection& selection) {
  if (selection.proved) return ", proved: no subset has a better one";
  return std::isfinite(selection.least) ? fmt::format("; no subset has one below {:.6g}", selection.least) : "";
}

/// What the selection found, in the words of a statistician: (label, text).
std::vector<std::pair<std::string, std::string>> selection_lines(const Selection& selection) {
  const auto value = [&](Index m) {
    const Score score = score_of(selection, static_cast<std::size_t>(m));
    const std::string mean = std::isfinite(score.mean) ? fmt::format("{:.6g}", score.mean) : std::string("unknown");
    return std::isfinite(score.standard_error) ? fmt::format("{} +/- {:.3g}", mean, score.standard_error) : mean;
  };
  const auto& models = selection.path.models;
  const bool by_cv = selection.by == "cv";
  std::vector<std::pair<std::string, std::string>> lines = {
      {"chosen", fmt::format("one of {} models by {}{}", models.size(), way_of(selection),
                             by_cv ? ", rule " + selection.rule : "")},
      {selection.metric, value(selection.chosen) + subsets_text(selection)}};
  const std::pair<std::string_view, Index> rules[] = {
      {"auto", selection.as_good}, {"min", selection.best}, {"1se", selection.one_error}};
  for (const auto& [rule, m] : rules)
    if (by_cv && m != selection.chosen)
      lines.emplace_back(fmt::format("rule {}", rule),
                         fmt::format("{}, {} features", value(m), models[m].support.size()));
  return lines;
}

Json selection_json(const Selection& selection) {
  const Score score = score_of(selection, static_cast<std::size_t>(selection.chosen));
  return {{"by", selection.by},
          {"metric", selection.metric},
          {"rule", selection.rule},
          {"models", selection.path.models.size()},
          {"best", selection.best},
          {"one_error", selection.one_error},
          {"as_good", selection.as_good},
          {"chosen", selection.chosen},
          {"repeats", selection.repeats},
          {"least", finite_or_null(selection.least)},
          {"proved", selection.proved},
          {"score", finite_or_null(score.mean)},
          {"standard_error", finite_or_null(score.standard_error)}};
}

}  // namespace

Score score_of(const Selection& selection, std::size_t model) {
  return {selection.score[model], selection.standard_error.empty() ? std::nan("") : selection.standard_error[model]};
}

std::string way_of(const Selection& selection) {
  if (selection.by != "cv") return selection.by;
  return fmt::format("{}-fold cross-validation{}", selection.fold_count,
                     selection.repeats > 1 ? fmt::format(", {} times", selection.repeats) : "");
}

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::string as_text(const Report& report, bool color) {
  const Result& result = report.result;
  const std::string_view bold = color ? "\x1b[1m" : "", plain = color ? "\x1b[0m" : "";
  const std::string_view tone = !color ? "" : result.status == Status::Optimal ? "\x1b[32m" : "\x1b[33m";
  std::string out = headline(result) + "\n\n";

  std::vector<Row> rows = {{"feature", "coefficient", "proved"}, {"(intercept)", number(result.intercept), ""}};
  for (std::size_t c = 0; c < result.support.size(); ++c) {
    const Index j = result.support[c];
    const Verdict verdict = result.verdicts.empty() ? Verdict::Undecided : result.verdicts[j];
    rows.push_back(
        {io::printable(report.table.name(j)), number(result.coefficients[c]), io::proof::verdict_text(verdict)});
  }
  append_table(out, rows, bold, plain);

  const auto line = [&](std::string_view label, std::string_view text) {
    out += fmt::format("  {}{:<13}{}{}\n", bold, label, plain, text);
  };
  out += '\n';
  if (report.selection != nullptr)
    for (const auto& [label, text] : selection_lines(*report.selection)) line(label, text);
  line("objective", number(result.objective));
  line("lower bound", number(result.lower_bound));
  line("gap", io::proof::percent(result.relative_gap));
  line("proved", fmt::format("{}{}{}", tone,
                             io::proof::proof_text(result.status, result.gap, result.relative_gap, report.gap), plain));
  line("features",
       fmt::format("{} in every optimum, {} in none, {} undecided", with_verdict(result, Verdict::Always).size(),
                   with_verdict(result, Verdict::Never).size(), with_verdict(result, Verdict::Undecided).size()));
  line("time", fmt::format("{:.3g} s, and {:.3g} s to read the data", result.seconds, report.read_seconds));
  for (const std::string& note : report.notes) line("note", io::printable(note));
  return out;
}

std::string as_json(const Report& report) {
  const Result& result = report.result;
  Json coefficients = Json::array();
  for (std::size_t c = 0; c < result.support.size(); ++c)
    coefficients.push_back({{"feature", report.table.name(result.support[c])},
                            {"index", result.support[c]},
                            {"value", finite_or_null(result.coefficients[c])}});
  const Json verdicts = {{"always", with_verdict(result, Verdict::Always)},
                         {"never", with_verdict(result, Verdict::Never).size()},
                         {"undecided", with_verdict(result, Verdict::Undecided)}};
  Json json = {{"schema", "ellzero.result/1"},
               {"status", to_string(result.status)},
               {"objective", finite_or_null(result.objective)},
               {"lower_bound", finite_or_null(result.lower_bound)},
               {"gap", finite_or_null(result.gap)},
               {"relative_gap", finite_or_null(result.relative_gap)},
               {"k", value_or_null(result.k)},
               {"lambda0", value_or_null(result.lambda0)},
               {"lambda1", result.lambda1},
               {"lambda2", result.lambda2},
               {"loss", result.loss},
               {"n", result.n},
               {"p", result.p},
               {"nonzeros", result.support.size()},
               {"intercept", finite_or_null(result.intercept)},
               {"coefficients", coefficients},
               {"verdicts", verdicts},
               {"seconds", result.seconds},
               {"read_seconds", report.read_seconds},
               {"sweeps", result.sweeps},
               {"iterations", result.iterations},
               {"nodes", result.nodes},
               {"threads", result.threads}};
  if (result.penalised) {
    json["relax"] = result.relax;
    json["penalised"] = {{"intercept", result.penalised->intercept}, {"coefficients", result.penalised->coefficients}};
  }
  if (report.score) {
    json["cv_mean"] = finite_or_null(report.score->mean);
    json["cv_se"] = finite_or_null(report.score->standard_error);
  }
  if (report.selection != nullptr) json["selection"] = selection_json(*report.selection);
  return one_key_per_line(json);
}

std::string as_csv(const Report& report) {
  const Result& result = report.result;
  std::string out = fmt::format("feature,index,value\n(intercept),,{}\n", result.intercept);
  for (std::size_t c = 0; c < result.support.size(); ++c)
    out += fmt::format("{},{},{}\n", csv_cell(report.table.name(result.support[c])), result.support[c],
                       result.coefficients[c]);
  return out;
}

}  // namespace ellzero::cli
