// Rows left out and means filled in, for dense and sparse columns alike, behind missing.hpp.
#include "io/table/missing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "io/refusal.hpp"

namespace ellzero::io::table {
namespace {

/// Calls see(row, value) for the stored entries of column j; a reference, so that it may change them.
template <class See>
void for_each_entry(DenseTable& X, Index j, See see) {
  double* const column = X.values.data() + j * X.rows;
  for (Index i = 0; i < X.rows; ++i) see(i, column[i]);
}
template <class I, class See>
void for_each_entry(SparseTable<I>& X, Index j, See see) {
  for (I e = X.indptr[j]; e < X.indptr[j + 1]; ++e) see(static_cast<Index>(X.indices[e]), X.values[e]);
}

/// Leaves the rows out that are not kept.
void keep_rows(DenseTable& X, const std::vector<bool>& kept) {
  std::size_t written = 0;
  for (Index j = 0; j < X.cols; ++j)
    for_each_entry(X, j, [&](Index i, double value) {
      if (kept[static_cast<std::size_t>(i)]) X.values[written++] = value;
    });
  X.values.resize(written);
  X.rows = std::count(kept.begin(), kept.end(), true);
}
template <class I>
void keep_rows(SparseTable<I>& X, const std::vector<bool>& kept) {
  std::vector<I> now(kept.size());  // where a row goes
  I rows = 0;
  for (std::size_t i = 0; i < kept.size(); ++i) now[i] = kept[i] ? rows++ : rows;
  std::size_t written = 0;
  I from = 0;
  for (Index j = 0; j < X.cols; ++j) {
    for (I e = std::exchange(from, X.indptr[j + 1]); e < from; ++e) {
      const auto row = static_cast<std::size_t>(X.indices[e]);
      if (!kept[row]) continue;
      X.indices[written] = now[row];
      X.values[written++] = X.values[e];
    }
    X.indptr[j + 1] = static_cast<I>(written);
  }
  X.indices.resize(written);
  X.values.resize(written);
  X.rows = rows;
}
void keep_rows(std::vector<double>& values, const std::vector<bool>& kept) {
  std::size_t written = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (kept[i]) values[written++] = values[i];
  values.resize(written);
}

template <class Matrix>
void drop_rows(Table& table, Matrix& X) {
  const auto rows = static_cast<std::size_t>(X.rows);
  std::vector<bool> kept(rows, true);
  for (Index j = 0; j < X.cols; ++j)
    for_each_entry(X, j, [&](Index i, double value) {
      if (std::isnan(value)) kept[static_cast<std::size_t>(i)] = false;
    });
  for (const auto* values : {&table.y, &table.weights, &table.offset, &table.folds})
    for (std::size_t i = 0; i < values->size() && i < rows; ++i)
      if (std::isnan((*values)[i])) kept[i] = false;
  const auto dropped = std::count(kept.begin(), kept.end(), false);
  if (dropped == 0) return;
  for (auto* values : {&table.y, &table.weights, &table.offset, &table.folds})
    if (values->size() == rows) keep_rows(*values, kept);  // a wrong length is refused later, as it is
  keep_rows(X, kept);
  table.notes.push_back(fmt::format("missing: {} of {} rows have missing values and are left out", dropped, rows));
}

/// The mean of a column over the rows that count; entries that are not stored are 0. NaN where there is none.
template <class Matrix>
double mean_of(const Table& table, Matrix& X, Index j) {
  const bool weighted = static_cast<Index>(table.weights.size()) == X.rows;
  const auto counts = [&](Index i) { return !weighted || table.weights[static_cast<std::size_t>(i)] > 0; };
  Index known =
      weighted ? std::count_if(table.weights.begin(), table.weights.end(), [](double w) { return w > 0; }) : X.rows;
  double sum = 0;
  for_each_entry(X, j, [&](Index i, double value) {
    if (!counts(i)) return;
    if (std::isnan(value)) --known;
    else sum += value;
  });
  return known > 0 ? sum / static_cast<double>(known) : std::numeric_limits<double>::quiet_NaN();
}

/// Puts the mean where a number of column j is missing; says how many there were.
template <class Matrix>
Index fill_column(Matrix& X, Index j, double mean) {
  Index filled = 0;
  for_each_entry(X, j, [&](Index, double& value) {
    if (!std::isnan(value)) return;
    value = mean;
    ++filled;
  });
  return filled;
}

/// By the column's name, or by its place in a file without names.
std::optional<double> known_mean(const ReadOptions::Known& known, const Table& table, Index j) {
  auto found = known.means.begin() + std::min(j, static_cast<Index>(known.means.size()));
  if (!table.names.empty())
    found = std::find_if(known.means.begin(), known.means.end(),
                         [&](const auto& mean) { return mean.first == table.names[static_cast<std::size_t>(j)]; });
  return found == known.means.end() ? std::nullopt : std::optional(found->second);
}

template <class Matrix>
void fill_in(std::string_view file, Table& table, Matrix& X, const std::optional<ReadOptions::Known>& known) {
  Index filled = 0;
  for (Index j = 0; j < X.cols; ++j) {
    if (known) {
      if (const auto mean = known_mean(*known, table, j)) filled += fill_column(X, j, *mean);
      continue;
    }
    const double mean = mean_of(table, X, j);
    if (!std::isfinite(mean))
      refuse(file,
             fmt::format("column {} has no number whose mean could fill in what is missing", shown(table.name(j))));
    table.encoding.means.push_back(mean);
    filled += fill_column(X, j, mean);
  }
  if (filled > 0)
    table.notes.push_back(fmt::format("missing: {} cells are filled in with their column's mean", filled));
}

/// The numbers of the file are only mapped; to change them they must be ours.
DenseTable copy_of(const NpyFile& file) {
  return std::visit(
      [](const auto& X) {
        DenseTable copy{X.rows, X.cols, std::vector<double>(static_cast<std::size_t>(X.rows * X.cols))};
        for (Index j = 0; j < X.cols; ++j)
          for (Index i = 0; i < X.rows; ++i)
            copy.values[static_cast<std::size_t>(j * X.rows + i)] =
                static_cast<double>(X.data[i * X.row_stride + j * X.col_stride]);
        return copy;
      },
      file.matrix());
}

}  // namespace

void treat_missing(std::string_view file, Table& table, const ReadOptions& options) {
  if (options.refuses_missing()) return;
  if (const auto* npy = std::get_if<NpyFile>(&table.X)) {
    require_memory(file, 8.0 * static_cast<double>(table.rows()) * static_cast<double>(table.cols()));
    table.X = copy_of(*npy);
  }
  const auto treat = [&](auto& X) {
    if (options.missing == "drop") drop_rows(table, X);
    else fill_in(file, table, X, options.known);
  };
  if (auto* X = std::get_if<DenseTable>(&table.X)) treat(*X);
  else if (auto* narrow = std::get_if<SparseTable<std::int32_t>>(&table.X)) treat(*narrow);
  else treat(std::get<SparseTable<std::int64_t>>(table.X));
}

}  // namespace ellzero::io::table
