// Least squares over a stack of shrinking subsets: each level holds what is left of [X y] once the features that are in
// for good are projected out, as a triangle.
//
// A level is an upper triangle R of the free columns (in their order) and z, what y leaves on R's rows:
//
//   min_b of the level's model = rest,     the model of the first c free columns: rest + sum_{rows >= c} z_r^2 / 2
//
// Columns are scaled to norm 1, ridge is p more rows, so rounding acts as a perturbation of the data by a few units in
// the last place. A column whose pivot is within rounding of 0 is spanned by those before it: it has no row of its own
// (R is a staircase) and adds nothing: exactly, or all but (spans.hpp). Rounding counts with the coefficients that span
// it, which may be large. Dropping column c costs O((f - c)^2), reordering O(f^3), f free columns.
//
// What rounding may do to an objective: residuals are off by the perturbation of the columns times coefficients, and
// those are at most |y| / (least singular value). That of all columns serves every subset; where some columns span
// others there is no such number, and each level has its own.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "ellzero/dataset.hpp"
#include "exact/sizes/spans.hpp"

namespace ellzero::exact::sizes {

/// Columns and target of a least-squares problem: sqrt(w_i) (x~_ij - centre), sqrt(2 lambda2) I beneath, and y alike.
struct LeastSquares {
  Index rows = 0;
  Index cols = 0;
  std::vector<double> x;  ///< column-major, cols of `rows`
  std::vector<double> y;
  double tolerance = 0;  ///< a column this close to the span of others, relative to its norm, is spanned by them
  VanishingTest vanishes = [](auto, auto) { return false; };  ///< of the columns before weights and roundings

  [[nodiscard]] std::span<const double> column(Index j) const {
    return std::span(x).subspan(static_cast<std::size_t>(j * rows), static_cast<std::size_t>(rows));
  }
};

/// The coefficients that minimise |y - X b|^2 over the given columns, refined once; 0 for columns that others span.
std::vector<double> solve_least_squares(const LeastSquares& system, std::span<const Index> columns);

class Triangles {
 public:
  static constexpr bool free_models = true;

  /// The root: all columns but those of `in` are free.
  Triangles(const LeastSquares& system, std::uint64_t in);

  [[nodiscard]] std::uint64_t in(int level) const { return levels_[level].in; }
  [[nodiscard]] std::span<const int> free(int level) const { return levels_[level].free; }
  /// The least objective over in + free, and so a lower bound for every subset of it that holds `in`.
  [[nodiscard]] double bound(int level) const { return levels_[level].rest; }
  /// The models of in and the first 0, 1, ... free columns come for nothing: objectives[c] is that of c.
  void leading_objectives(int level, std::vector<double>& objectives) const;

  /// What leaving out free columns costs at least: alone[c] for column c and whatever else, and at least the sum of
  /// share over all that are left out. Puts the columns in descending order of alone.
  void order(int level, std::vector<double>& alone, std::vector<double>& share);

  /// The next level: column c of this one is out, those before it are in.
  void drop(int level, int c);

  /// How much rounding may change objectives near `objective`: columns that are all but spanned by others make it
  /// large.
  [[nodiscard]] double rounding(double objective) const;
  /// Nothing is known of models of this size and larger ones: they may hold columns that are all but dependent.
  [[nodiscard]] int smallest_doubtful() const { return spans_ ? spans_->smallest_doubtful() : size_ + 1; }
  [[nodiscard]] std::uint64_t doubtful() const { return spans_ ? spans_->doubtful() : 0; }
  /// Models closer than this are all looked at.
  [[nodiscard]] double tie(double objective) const;

 private:
  struct Level {
    std::uint64_t in = 0;
    std::vector<int> free;       // feature of each column
    std::vector<int> pivot;      // row of each column, or -1 where others span it
    std::vector<double> values;  // row-major, stride_ apart; z in column stride_ - 1
    std::vector<double> weight;  // diag(weight) <= R'R, by column                                               (7.3)
    std::vector<double> noise;   // how much of each column may be rounding
    double noise_of_y = 0;
    std::uint64_t spanned = 0;                      // columns of `in` that others of it span
    int weighed = std::numeric_limits<int>::max();  // how many columns there were when weights were worked out
    int rows = 0;
    double rest = 0;
  };

  [[nodiscard]] double* row(Level& level, int r) const { return level.values.data() + r * stride_; }
  [[nodiscard]] const double* row(const Level& level, int r) const { return level.values.data() + r * stride_; }
  [[nodiscard]] int z() const { return static_cast<int>(stride_) - 1; }
  Level make_level() const;
  void to_staircase(Level& level, int first_column);
  /// How much of column c (or of z) may be rounding, which `noise` of it is now, once the first `before` columns, which
  /// have `rows` rows, are projected out.
  double noise_beyond(const Level& level, int c, double noise, int before, int rows);
  void reflect(Level& level, int from, int to, int column);
  void restore(Level& level, const Level& parent, int first, int dropped);
  /// Rows of R's inverse into inverse_; false where R is no full triangle.
  bool invert(const Level& level);
  double perturbation_by(const Level& level, int columns);
  /// Columns that others span, and what rounding may do, where each level has its own.
  void examine(const Level& level);
  void measure(Level& level, std::vector<double>& alone);
  void measure_by_dropping(int level, std::vector<double>& alone);
  void weigh(Level& level);

  int size_;
  Index stride_;
  double tolerance_;
  double constant_ = 0;
  double perturbation_ = 0;     // of residuals, relative to |y|: the largest of any level so far
  bool doubtful_ = true;        // columns may be spanned by others, or all but
  std::optional<Spans> spans_;  // where some are
  std::vector<Level> levels_;
  std::vector<double> inverse_, work_;
  std::vector<int> order_;
};

}  // namespace ellzero::exact::sizes
