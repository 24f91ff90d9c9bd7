// Model files: what goes in comes out, and what is broken, foreign or monstrous is refused with its place.
#include "io/model/model.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "ellzero/error.hpp"
#include "io/bytes/atomic_file.hpp"

namespace ellzero::io::model {
namespace {

Model some_model() {
  Model model;
  model.version = "0.1.0";
  model.settings.lambda0 = 0.1;
  model.settings.lambda2 = 1.0 / 3;
  model.settings.lower = {-std::numeric_limits<double>::infinity(), -1, 0};
  model.settings.upper = {std::numeric_limits<double>::infinity()};
  model.settings.always = {2};
  model.settings.time_limit = 12;
  model.settings.intercept = false;
  model.read.target = "price \"net\"";
  model.classes = {"no", "yes"};
  model.data = {10, 3, 0xfedcba9876543210u};
  model.names = {"a", "b", "c\n"};
  model.intercept = 1e-300;
  model.support = {0, 2};
  model.coefficients = {0.1 + 0.2, -1e300};
  model.status = Status::NodeLimit;
  model.objective = 3;
  model.lower_bound = 2;
  model.gap = 1;
  model.relative_gap = 1.0 / 3;
  return model;
}

Model chosen_model() {
  Model model = some_model();
  Selection& selection = model.selection.emplace();
  selection.by = "cv";
  selection.metric = "mse";
  selection.rule = "1se";
  selection.path.models.resize(3);
  selection.path.models[1].lambda0 = 0.25;
  selection.path.models[1].k.reset();
  selection.path.models[1].support = {1, 2};
  selection.path.models[1].coefficients = {0.1 + 0.2, -1e-300};
  selection.path.models[1].status = Status::TimeLimit;
  selection.path.models[2].k = 2;
  selection.path.models[2].lower_bound = -std::numeric_limits<double>::infinity();
  selection.path.models[2].relative_gap = std::numeric_limits<double>::infinity();
  selection.score = {1.5, 1.25, std::numeric_limits<double>::quiet_NaN()};
  selection.standard_error = {0.5, 0.125, std::numeric_limits<double>::quiet_NaN()};
  selection.relax = {0, 0.5, 1};
  selection.best = 1;
  selection.one_error = 2;
  selection.as_good = 1;
  selection.repeats = 3;
  model.verdicts.emplace(std::vector{Verdict::Always, Verdict::Never, Verdict::Undecided});
  model.course = {{0, 4, std::numeric_limits<double>::quiet_NaN(), 0}, {1.5, 3, 2, 7}};
  return model;
}

class ModelFile : public ::testing::Test {
 protected:
  ~ModelFile() override { std::filesystem::remove(path); }
  void put(const std::string& content) const { std::ofstream(path, std::ios::binary) << content; }
  std::string refusal(const std::string& content) const {
    put(content);
    try {
      read_model(path);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::Data) << error.what();
      return error.what();
    }
    return "";
  }
  /// The text with one piece replaced.
  static std::string with(const std::string& piece, const std::string& other) {
    std::string text = to_text(chosen_model());
    const auto place = text.find(piece);
    EXPECT_NE(place, std::string::npos) << piece;
    return text.replace(place, piece.size(), other);
  }
  void expect_refused(const std::string& piece, const std::string& other, const std::string& part) const {
    const std::string message = refusal(with(piece, other));
    EXPECT_NE(message.find(part), std::string::npos) << piece << " -> " << other << ": " << message;
  }
  std::string path = std::filesystem::temp_directory_path() / fmt::format("ellzero_model_{}.json", ::getpid());
};

TEST_F(ModelFile, comes_back_as_it_was_written) {
  const Model model = some_model();
  put(to_text(model));
  const Model found = read_model(path);
  EXPECT_EQ(to_text(found), to_text(model));
  EXPECT_EQ(found.settings.lower, model.settings.lower);
  EXPECT_EQ(found.settings.upper, model.settings.upper);
  EXPECT_EQ(found.settings.lambda2, model.settings.lambda2);
  EXPECT_EQ(found.settings.always, model.settings.always);
  EXPECT_EQ(found.coefficients, model.coefficients);
  EXPECT_EQ(found.names, model.names);
  EXPECT_EQ(found.read.target, model.read.target);
  EXPECT_EQ(found.data, model.data);
  EXPECT_EQ(found.status, model.status);
}

TEST_F(ModelFile, remembers_how_it_was_selected) {
  const Model model = chosen_model();
  put(to_text(model));
  const Model found = read_model(path);
  EXPECT_EQ(to_text(found), to_text(model));
  ASSERT_TRUE(found.selection);
  EXPECT_EQ(found.selection->best, 1);
  EXPECT_EQ(found.selection->chosen, 0);
  EXPECT_EQ(found.selection->one_error, 2);
  EXPECT_EQ(found.selection->as_good, 1);
  EXPECT_EQ(found.selection->repeats, 3);
  EXPECT_EQ(found.selection->relax, model.selection->relax);
  EXPECT_EQ(found.selection->path.status, Status::TimeLimit);
  const Result& second = found.selection->path.models[1];
  EXPECT_EQ(second.lambda0, 0.25);
  EXPECT_EQ(second.support, (std::vector<Index>{1, 2}));
  EXPECT_EQ(second.coefficients, model.selection->path.models[1].coefficients);
  EXPECT_EQ(found.selection->path.models[2].k, 2);
  EXPECT_EQ(found.selection->path.models[2].lower_bound, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(found.selection->score[1], 1.25);
  EXPECT_TRUE(std::isnan(found.selection->score[2]));

  put(to_text(some_model()));
  EXPECT_FALSE(read_model(path).selection);
}

TEST_F(ModelFile, keeps_the_solution_beside_relaxed_coefficients) {
  Model model = some_model();
  model.relax = 0.5;
  model.penalised = Penalised{-2.5, std::vector<double>(model.support.size(), 0.1)};
  const std::string text = to_text(model);
  put(text);
  const Model found = read_model(path);
  EXPECT_EQ(to_text(found), text);
  EXPECT_EQ(found.relax, 0.5);
  EXPECT_EQ(found.penalised->intercept, -2.5);
  EXPECT_EQ(found.solution(), model.penalised->coefficients);
  EXPECT_NE(found.coefficients, found.solution());
  const auto changed = [&](const std::string& piece, const std::string& other) {
    auto copy = text;
    return copy.replace(copy.find(piece), piece.size(), other);
  };
  for (const std::string share : {"0", "-0.5", "1.5", "null", "\"0.5\""})
    EXPECT_NE(refusal(changed("\"relax\": 0.5", "\"relax\": " + share)).find("relax"), std::string::npos) << share;
  EXPECT_NE(refusal(changed("\"penalised\"", "\"penalized\"")).find("penalised: is missing"), std::string::npos);
  EXPECT_NE(refusal(changed("\"intercept\": -2.5", "\"intercept\": 1e999")), "");
  model.penalised->coefficients.push_back(1);
  EXPECT_NE(refusal(to_text(model)).find("penalised.coefficients"), std::string::npos);
}

TEST_F(ModelFile, of_a_criterion_has_no_standard_errors) {
  Model model = chosen_model();
  model.selection->by = model.selection->metric = "bic";
  model.selection->standard_error.clear();
  put(to_text(model));
  EXPECT_TRUE(read_model(path).selection->standard_error.empty());
}

TEST_F(ModelFile, with_a_selection_that_cannot_be_is_refused) {
  expect_refused("\"by\": \"cv\"", "\"by\": \"vc\"", "selection.by: value is '\"vc\"'; expected cv, aic");
  expect_refused("\"by\": \"cv\"", "\"by\": \"bic\"", "selection.metric");
  expect_refused("\"metric\": \"mse\"", "\"metric\": \"rmse\"", "selection.metric");
  expect_refused("\"rule\": \"1se\",\n  \"best", "\"rule\": \"2se\",\n  \"best", "selection.rule");
  expect_refused("\"best\": 1", "\"best\": 3", "selection.best: value is '3'; expected a model from 0 to 2");
  expect_refused("\"chosen\": 0", "\"chosen\": -1", "selection.chosen");
  expect_refused("\"score\": 1.5", "\"score\": \"1.5\"", "selection.models[0].score");
  expect_refused("\"score\": 1.5", "\"scores\": 1.5", "selection.models[0].score: is missing");
  expect_refused("\"k\": 2", "\"k\": 2.5", "selection.models[2].k");
  expect_refused("\"status\": \"time_limit\"", "\"status\": \"late\"", "selection.models[1].status");
}

TEST_F(ModelFile, remembers_verdicts_and_the_course) {
  put(to_text(chosen_model()));
  const Model found = read_model(path);
  EXPECT_EQ(found.verdicts, chosen_model().verdicts);
  ASSERT_EQ(found.course.size(), 2U);
  EXPECT_TRUE(std::isnan(found.course[0].lower_bound));
  EXPECT_EQ(found.course[1].seconds, 1.5);
  EXPECT_EQ(found.course[1].nodes, 7);
  put(to_text(some_model()));
  EXPECT_FALSE(read_model(path).verdicts);
  EXPECT_TRUE(read_model(path).course.empty());
}

TEST_F(ModelFile, takes_memory_for_its_text_and_not_for_what_it_says) {
  Model model = some_model();
  model.names.clear();
  model.settings.lower.clear();
  model.data.columns = Index{1} << 60;
  model.verdicts.emplace().never = model.data.columns - 1;
  model.verdicts->always = {1};
  put(to_text(model));
  const Model found = read_model(path);
  EXPECT_EQ(found.verdicts, model.verdicts);
  EXPECT_EQ(found.verdicts->of(1), Verdict::Always);
  EXPECT_EQ(found.verdicts->of(model.data.columns - 1), Verdict::Never);
}

TEST_F(ModelFile, with_evidence_that_cannot_be_is_refused) {
  expect_refused("\"never\": 1", "\"never\": 2", "verdicts.never: value is '2'; expected 1");
  expect_refused("\"undecided\": [\n   2", "\"undecided\": [\n   0", "verdicts.undecided[0]: value is '0'");
  expect_refused("\"undecided\": [\n   2", "\"undecided\": [\n   3", "features from 0 to 2, each once");
  expect_refused("\"seconds\": 1.5", "\"seconds\": -1", "course[1].seconds: value is '-1'; expected times that never");
  expect_refused("\"nodes\": 7", "\"nodes\": 0.5", "course[1].nodes");
}

TEST_F(ModelFile, may_say_that_no_bound_is_known) {
  Model model = some_model();
  model.lower_bound = -std::numeric_limits<double>::infinity();
  model.gap = model.relative_gap = std::numeric_limits<double>::infinity();
  put(to_text(model));
  EXPECT_EQ(read_model(path).lower_bound, model.lower_bound);
  EXPECT_EQ(read_model(path).relative_gap, model.relative_gap);
}

TEST_F(ModelFile, of_another_schema_is_refused) {
  expect_refused("ellzero.model/1", "ellzero.model/2", "expected ellzero.model/1");
  expect_refused("ellzero.model/1", "ellzero.model/10", "expected ellzero.model/1");
  expect_refused("ellzero.model/1", "ellzero.result/1", "expected ellzero.model/1");
  EXPECT_EQ(refusal(with("ellzero.model/1", "ellzero.model/1.3")), "");
}

TEST_F(ModelFile, numbers_that_are_none_are_refused) {
  expect_refused("\"objective\": 3.0", "\"objective\": NaN", ":");
  expect_refused("\"objective\": 3.0", "\"objective\": null", "certificate.objective: value is 'null'");
  expect_refused("\"objective\": 3.0", "\"objective\": \"3\"", "expected a finite number");
  expect_refused("\"objective\": 3.0", "\"objective\": 1e999", "1e999");
  expect_refused("\"rows\": 10", "\"rows\": -1", "data.rows: value is '-1'");
  expect_refused("\"rows\": 10", "\"rows\": 1.5", "data.rows");
  expect_refused("\"hash\": \"fedc", "\"hash\": \"fxdc", "16 hexadecimal digits");
}

TEST_F(ModelFile, sizes_and_indices_that_lie_are_refused) {
  expect_refused("\"columns\": 3", "\"columns\": 4000000000000000000", "data.names");
  expect_refused("\"index\": 2", "\"index\": 3", "coefficients[1].index");
  expect_refused("\"index\": 2", "\"index\": 0", "ascending");
  expect_refused("\"feature\": \"a\"", "\"feature\": \"b\"", "coefficients[0].feature");
  expect_refused("\"always\": [\n   2", "\"always\": [\n   3", "settings.always");
  expect_refused("\"lambda0\": 0.1", "\"lambda0\": -0.1", "lambda0: value is -0.1");
  expect_refused("\"seed\": 0", "\"seed\": 2147483648", "settings.seed: value is '2147483648'; expected at most");
  expect_refused("\"max_iterations\": 1000000", "\"max_iterations\": 4294967297", "settings.max_iterations");
  expect_refused("\"lambda1\"", "\"lamda1\"", "did you mean 'lambda1'?");
  expect_refused("\"lambda1\"", "\"lambda0\"", "twice");
  expect_refused("\"node_limit\"", "\"no_limit\"", "no such setting");
  expect_refused("\"certificate\"", "\"certificates\"", "certificate: is missing");
}

TEST_F(ModelFile, how_cells_became_numbers_is_kept_and_checked) {
  Model model = some_model();
  EXPECT_EQ(to_text(model).find("\"means\""), std::string::npos);
  model.read.missing = "mean";
  model.read.categorical = "onehot";
  model.encoding.categories = {{"color", {"blue", "red"}}};
  model.encoding.means.assign(static_cast<std::size_t>(model.data.columns), 0.1);
  const std::string text = to_text(model);
  put(text);
  const Model found = read_model(path);
  EXPECT_EQ(found.encoding, model.encoding);
  EXPECT_EQ(found.read.missing, "mean");
  EXPECT_EQ(found.read.categorical, "onehot");
  EXPECT_EQ(to_text(found), text);
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string other = text;
    return refusal(other.replace(other.find(from), from.size(), to));
  };
  EXPECT_NE(changed("\"mean\"", "\"median\"").find("data.missing: value is '\"median\"'; expected one of"),
            std::string::npos);
  EXPECT_NE(changed("\"blue\"", "\"zebra\"").find("expected sorted words"), std::string::npos);
  EXPECT_NE(changed("   0.1,", "   0.1,0.1,").find("one for each column"), std::string::npos);
  EXPECT_NE(changed("   0.1,", "   null,").find("data.means[0]"), std::string::npos);
}

TEST_F(ModelFile, broken_text_is_refused_with_line_and_column) {
  const std::string text = to_text(some_model());
  for (std::size_t length = 0; length + 2 < text.size(); length += 7)
    EXPECT_NE(refusal(text.substr(0, length)).find(path + ":"), std::string::npos) << length;
  EXPECT_NE(refusal("{\n \"schema\": ?").find(path + ":2:"), std::string::npos);
  EXPECT_NE(refusal(std::string(1000000, '[')), "");
  EXPECT_NE(refusal("{\"schema\":" + std::string(100000, '[') + std::string(100000, ']') + "}").find("nests deeper"),
            std::string::npos);
}

TEST_F(ModelFile, with_a_zero_byte_is_refused_however_far_behind) {
  const std::string text = to_text(some_model()), zero(1, '\0');
  for (const std::string& blank : {std::string(), std::string(1 << 22, '\n')}) {  // beyond what is looked at first
    EXPECT_EQ(refusal(text + blank), "");
    EXPECT_NE(refusal(text + blank + zero).find("found a zero byte"), std::string::npos);
    EXPECT_NE(refusal(text + blank + zero + "{").find("found a zero byte"), std::string::npos);
  }
}

TEST_F(ModelFile, is_written_completely_or_not_at_all) {
  put("the old one");
  {
    bytes::AtomicFile file(path);
    file.write("half of a ");
  }
  std::ifstream old(path);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(old), {}), "the old one");
  bytes::AtomicFile file(path);
  file.write("new");
  file.commit();
  std::ifstream changed(path);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(changed), {}), "new");
  EXPECT_THROW(bytes::AtomicFile("/nowhere/model.json"), Error);
  EXPECT_THROW(bytes::AtomicFile("/tmp"), Error);
}

TEST(Fingerprint, is_the_same_for_every_format_and_another_for_other_numbers) {
  const std::vector<double> x = {1, 0, 2, 0, 3, -0.0}, y = {1, 2, 3}, ones = {1, 1, 1};
  const std::vector<float> narrow(x.begin(), x.end());
  const std::vector<std::int32_t> indptr = {0, 2, 3}, rows = {2, 0, 1};
  const std::vector<double> values = {2, 1, 3};
  const Dataset dense{column_major(x.data(), 3, 2), y};
  const Fingerprint expected = fingerprint(dense);
  EXPECT_EQ(fingerprint({column_major(narrow.data(), 3, 2), y}), expected);
  EXPECT_EQ(fingerprint({SparseMatrix<double, std::int32_t>{3, 2, indptr, rows, values}, y, ones}), expected);
  EXPECT_NE(fingerprint({row_major(x.data(), 3, 2), y}), expected);
  EXPECT_NE(fingerprint({column_major(x.data(), 3, 2), ones}), expected);
  EXPECT_NE(fingerprint({column_major(x.data(), 3, 2), y, y}), expected);
}

}  // namespace
}  // namespace ellzero::io::model
