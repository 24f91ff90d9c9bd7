// The report's page: whole, self-contained, and not to be broken by what features are called.
#include "report/report.hpp"

#include <gtest/gtest.h>

#include <string>

#include <nlohmann/json.hpp>

namespace ellzero::report {
namespace {

constexpr const char* evil = "</script><script>alert(1)</script><!-- & \"quoted\" \\ @style@ @page@";

Table some_table() {
  Table table;
  table.X = io::table::DenseTable{4, 2, {0, 1, 2, 3, 1, 0, 1, 5}};
  table.names = {evil, "plain"};
  table.y = {1, 2, 3, 4.5};
  return table;
}

Model some_model() {
  Model model;
  model.version = "0.1.0";
  model.settings.lambda2 = 0;
  model.settings.lambda0 = 0.5;
  model.data = {4, 2, 17};
  model.names = {evil, "plain"};
  model.support = {0};
  model.coefficients = {2};
  model.verdicts.emplace(std::vector{Verdict::Always, Verdict::Undecided});
  return model;
}

/// The block of JSON, as the browser finds it: up to the first end tag.
nlohmann::json block_of(const std::string& page) {
  const std::string open = "<script type=\"application/json\" id=\"data\">";
  const auto begin = page.find(open) + open.size();
  return nlohmann::json::parse(page.substr(begin, page.find("</script", begin) - begin));
}

TEST(Report, no_name_can_break_out_of_the_block) {
  const std::string page = report_html({some_model(), some_table(), evil});
  EXPECT_EQ(page.find("alert(1)</script>"), std::string::npos);
  const auto block = block_of(page);
  EXPECT_EQ(block["features"][0]["name"], evil);
  std::size_t scripts = 0;
  for (auto at = page.find("<script"); at != std::string::npos; at = page.find("<script", at + 1)) ++scripts;
  EXPECT_EQ(scripts, 2U);
}

TEST(Report, coefficients_are_in_both_units_and_other_features_that_may_matter_follow) {
  const auto features = block_of(report_html({some_model(), some_table(), "d.csv"}))["features"];
  ASSERT_EQ(features.size(), 2U);
  EXPECT_EQ(features[0]["value"], 2);
  EXPECT_NEAR(features[0]["standardised"].get<double>(), 2 * std::sqrt(1.25), 1e-14);
  EXPECT_EQ(features[0]["verdict"], "in every optimum");
  EXPECT_EQ(features[1]["value"], 0);
  EXPECT_EQ(features[1]["verdict"], "undecided");
}

TEST(Report, a_path_of_several_ridges_is_cut_to_that_of_the_chosen_model) {
  Model model = some_model();
  Selection& selection = model.selection.emplace();
  selection.by = "cv";
  selection.metric = "mse";
  for (const double lambda2 : {1.0, 2.0})
    for (const double lambda0 : {3.0, 2.0, 0.0}) {
      Result& result = selection.path.models.emplace_back();
      result.lambda0 = lambda0;
      result.lambda2 = lambda2;
      selection.score.push_back(lambda0);
    }
  selection.best = selection.chosen = 4;
  const auto path = block_of(report_html({model, some_table(), "d.csv"}))["path"];
  EXPECT_EQ(path["x"], (std::vector<double>{3, 2}));  // 0 has no place on a logarithmic axis
  EXPECT_EQ(path["chosen"], 1);
  EXPECT_EQ(path["mark"], 2);
}

TEST(Report, a_model_without_a_path_says_so) {
  const auto block = block_of(report_html({some_model(), some_table(), "d.csv"}));
  EXPECT_TRUE(block["path"].is_null());
  EXPECT_NE(block["path_absent"].get<std::string>().find("--path"), std::string::npos);
}

}  // namespace
}  // namespace ellzero::report
