// Columns that others span: exactly, as copies, sums and all levels of a factor are, or all but.
//
// A search that takes a column for spanned leaves it out. That is right where the column is a combination of the others
// exactly, as its numbers stand. Where it is one but for roundings, a model that holds all of them could still use what
// is left between them, with coefficients of 1e10 and more, and nothing that double precision computes bounds it.
#pragma once

#include <bit>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace ellzero::exact::sizes {

/// Whether sum_k coefficients[k] column[k] is 0 exactly, for coefficients that are known but for rounding.
using VanishingTest = std::function<bool(std::span<const int> columns, std::span<const double> coefficients)>;

class Spans {
 public:
  /// `columns` may be turned by any rotation; models hold the features of `in`.
  Spans(std::vector<std::vector<double>> columns, std::uint64_t in, VanishingTest vanishes)
      : columns_(std::move(columns)), in_(in), vanishes_(std::move(vanishes)) {}

  /// Takes note of columns (those of `loose`) that others (`basis`) span but for rounding.
  void note(std::uint64_t basis, std::uint64_t loose);

  /// Smaller models hold no columns that are dependent but for rounding, or else dependent exactly.
  [[nodiscard]] int smallest_doubtful() const { return smallest_doubtful_; }
  /// Such columns, as few as were found; none: 0.
  [[nodiscard]] std::uint64_t doubtful() const { return doubtful_; }

 private:
  /// Column c and those of `basis` that it is a combination of go to one of the two lists.
  void examine(std::uint64_t basis, int c);

  std::vector<std::vector<double>> columns_;
  std::uint64_t in_;
  VanishingTest vanishes_;
  std::vector<std::uint64_t> exactly_, nearly_;  // sets of columns that are dependent
  std::uint64_t doubtful_ = 0;
  int smallest_doubtful_ = 65;  // more than a word has features
};

/// Small whole numbers in the proportions of `numbers`, or none.
std::vector<double> to_whole_numbers(std::span<const double> numbers);

}  // namespace ellzero::exact::sizes
