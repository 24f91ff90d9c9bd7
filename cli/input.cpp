// Reading behind input.hpp.
#include "cli/input.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <map>

#include <fmt/format.h>

#include "cli/labels.hpp"
#include "cli/streams.hpp"
#include "ellzero/error.hpp"
#include "io/refusal.hpp"
#include "io/suggestion.hpp"
#include "io/table/data_file.hpp"

namespace ellzero::cli {
namespace {

/// A feature by its name, or by its index from 0 where no name is that.
Index find_feature(const io::table::Table& table, const std::string& wanted) {
  const auto named = std::find(table.names.begin(), table.names.end(), wanted);
  if (named != table.names.end()) return named - table.names.begin();
  Index found = -1;
  const bool nameless = table.names.empty() && wanted.starts_with('x');
  const char* const last = wanted.data() + wanted.size();
  const auto [end, error] = std::from_chars(wanted.data() + (nameless ? 1 : 0), last, found);
  if (error == std::errc() && end == last && found >= 0 && found < table.cols()) return found;
  throw Error(ErrorCode::Usage, fmt::format("always: value is {}; expected a feature's name or an index from 0 to {}{}",
                                            io::shown(wanted), table.cols() - 1, io::suggestion(wanted, table.names)));
}

/// Samples of one number are left out together, one number after the other.
std::vector<Split> splits_of(const std::vector<double>& folds) {
  std::map<double, Split> splits;
  for (const double fold : folds) splits[fold];
  if (splits.size() == 1)
    throw Error(ErrorCode::Data,
                fmt::format("folds-column: every sample is in fold {}; expected at least two folds", folds[0]));
  std::vector<Split> result;
  for (auto& [fold, split] : splits) {
    for (std::size_t i = 0; i < folds.size(); ++i)
      (folds[i] == fold ? split.test : split.train).push_back(static_cast<Index>(i));
    result.push_back(std::move(split));
  }
  return result;
}

}  // namespace

Input read_input(Options& options) {
  const auto start = std::chrono::steady_clock::now();
  options.read.words = is_classifier(options.settings.loss);
  Input input{io::table::read_table(options.data, options.read), {}, {}, 0};
  input.splits = splits_of(input.table.folds);
  if (options.read.words) input.classes = map_labels(input.table, options.settings.loss);
  else if (!options.loss_given) note_two_values(input.table);
  for (const std::string& name : options.always) options.settings.always.push_back(find_feature(input.table, name));
  input.read_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (options.verbose)
    say(fmt::format("{}: {} rows, {} features, read in {:.3g} s\n", options.data, input.table.rows(),
                    input.table.cols(), input.read_seconds));
  return input;
}

}  // namespace ellzero::cli
