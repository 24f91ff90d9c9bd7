// Sparse columns straight from a text that lists entries in any order: count, reserve, put, and close up.
//
// 1. count(j) for every entry of a first pass over the text.
// 2. reserve(): where each column starts.
// 3. put(i, j, value) for every entry of a second pass.
// 4. finish(): columns sorted by row, entries of the same place added up, zeros left out.
// The entries are held once, in their final place; a copy by rows would double the memory.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "io/refusal.hpp"
#include "io/table/table.hpp"

namespace ellzero::io::table {

template <class I>
class ColumnFiller {
 public:
  explicit ColumnFiller(std::string_view file) : file_(file) {}

  void count(Index j) {
    if (j >= columns_.cols) widen(j + 1);
    ++columns_.indptr[static_cast<std::size_t>(j) + 1];
  }
  /// At least so many columns.
  void widen(Index cols) {
    if (cols <= columns_.cols) return;
    require_memory(file_, bytes_per_column * static_cast<double>(cols));
    columns_.indptr.resize(static_cast<std::size_t>(cols) + 1);
    columns_.cols = cols;
  }
  void reserve() {
    columns_.indptr.resize(static_cast<std::size_t>(columns_.cols) + 1);
    std::partial_sum(columns_.indptr.begin(), columns_.indptr.end(), columns_.indptr.begin());
    next_.assign(columns_.indptr.begin(), columns_.indptr.end() - 1);
    const auto entries = static_cast<std::size_t>(columns_.indptr.back());
    require_memory(file_, static_cast<double>(sizeof(I) + sizeof(double)) * static_cast<double>(entries));
    columns_.indices.resize(entries);
    columns_.values.resize(entries);
  }
  void put(Index i, Index j, double value) {
    if (j >= columns_.cols || next_[static_cast<std::size_t>(j)] == columns_.indptr[static_cast<std::size_t>(j) + 1])
      refuse(file_, "has changed while it was read");
    const auto to = static_cast<std::size_t>(next_[static_cast<std::size_t>(j)]++);
    columns_.indices[to] = static_cast<I>(i);
    columns_.values[to] = value;
  }
  /// After finish(): a place with several entries, and how many such places there are.
  struct Repeated {
    Index row = 0, column = 0, places = 0;
  };
  [[nodiscard]] std::optional<Repeated> repeated() const { return repeated_; }

  SparseTable<I> finish(Index rows) {
    columns_.rows = rows;
    std::size_t written = 0, from = 0;
    for (Index j = 0; j < columns_.cols; ++j) {
      const auto behind = static_cast<std::size_t>(next_[static_cast<std::size_t>(j)]);
      sort_column(from, behind);
      const std::size_t start = written;
      for (std::size_t e = from; e < behind;) written = add_up(e, behind, written, j);
      from = static_cast<std::size_t>(columns_.indptr[static_cast<std::size_t>(j) + 1]);
      columns_.indptr[static_cast<std::size_t>(j)] = static_cast<I>(start);
    }
    columns_.indptr.back() = static_cast<I>(written);
    columns_.indices.resize(written);
    columns_.values.resize(written);
    return std::move(columns_);
  }

 private:
  static constexpr double bytes_per_column = 100;  // what a solver keeps of each: scale, bounds, gradient, state

  void sort_column(std::size_t from, std::size_t behind) {
    const auto first = columns_.indices.begin() + static_cast<Index>(from);
    const auto last = columns_.indices.begin() + static_cast<Index>(behind);
    if (std::is_sorted(first, last)) return;
    std::vector<std::pair<I, double>> column;
    for (std::size_t e = from; e < behind; ++e) column.emplace_back(columns_.indices[e], columns_.values[e]);
    std::stable_sort(column.begin(), column.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t e = from; e < behind; ++e) std::tie(columns_.indices[e], columns_.values[e]) = column[e - from];
  }

  /// Writes the sum of the entries of one row; moves e behind them.
  std::size_t add_up(std::size_t& e, std::size_t behind, std::size_t written, Index j) {
    const I row = columns_.indices[e];
    double sum = columns_.values[e];
    bool finite = std::isfinite(sum);
    if (e + 1 < behind && columns_.indices[e + 1] == row) {
      if (!repeated_) repeated_ = {.row = row, .column = j};
      ++repeated_->places;
    }
    for (++e; e < behind && columns_.indices[e] == row; ++e) {
      finite = finite && std::isfinite(columns_.values[e]);
      sum += columns_.values[e];
    }
    if (finite && !std::isfinite(sum))
      refuse(file_, fmt::format("row {}: the values of feature {} add up to {}; expected a finite number", row + 1,
                                j + 1, sum));
    if (sum == 0) return written;
    columns_.indices[written] = row;
    columns_.values[written] = sum;
    return written + 1;
  }

  std::string_view file_;
  SparseTable<I> columns_{0, 0, std::vector<I>(1), {}, {}};
  std::vector<I> next_;  // where the next entry of each column goes
  std::optional<Repeated> repeated_;
};

}  // namespace ellzero::io::table
