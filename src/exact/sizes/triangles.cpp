// Rotations and reflections behind triangles.hpp.
#include "exact/sizes/triangles.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>

#include "core/rounding.hpp"
#include "exact/sizes/size_search.hpp"

namespace ellzero::exact::sizes {
namespace {

double norm_of(std::span<const double> column) {
  return Eigen::Map<const Eigen::VectorXd>(column.data(), static_cast<Index>(column.size())).norm();
}

/// Two rows from column `first` to `last` turn so that the lower one begins with 0.
void rotate(double* upper, double* lower, int first, int last) {
  const double length = std::hypot(upper[first], lower[first]);
  const double cosine = upper[first] / length, sine = lower[first] / length;
  upper[first] = length;
  lower[first] = 0;
  for (int k = first + 1; k <= last; ++k) {
    const double a = upper[k], b = lower[k];
    upper[k] = cosine * a + sine * b;
    lower[k] = cosine * b - sine * a;
  }
}

/// Fewer columns than this keep the order that a larger set gave them.
constexpr int worth_ordering = 6;
/// Weights are worked out anew once this share of the columns is left of those they were worked out for.
constexpr double worth_weighing = 0.8;
/// Of the constant: objectives are not told apart below.
constexpr double share_of_constant = 1e-11;
/// Perturbations beyond this share of what they perturb say nothing any more.
constexpr double most_perturbed = 0.25;

}  // namespace

std::vector<double> solve_least_squares(const LeastSquares& system, std::span<const Index> columns) {
  const auto m = static_cast<Index>(columns.size());
  if (m == 0) return {};
  Eigen::MatrixXd x(system.rows, m);
  Eigen::VectorXd scale(m);
  for (Index c = 0; c < m; ++c) {
    const auto column = system.column(columns[c]);
    scale[c] = 1 / norm_of(column);
    x.col(c) = scale[c] * Eigen::Map<const Eigen::VectorXd>(column.data(), system.rows);
  }
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(x.rows(), x.cols());
  qr.setThreshold(system.tolerance);
  qr.compute(x);
  Eigen::VectorXd b = Eigen::VectorXd::Zero(m), residual(system.rows);
  constexpr int solves = 2;  // the second works on what rounding left of the first
  for (int solve = 0; solve < solves; ++solve) {
    for (Index i = 0; i < system.rows; ++i) {
      long double left = system.y[i];
      for (Index c = 0; c < m; ++c) left -= static_cast<long double>(x(i, c)) * b[c];
      residual[i] = static_cast<double>(left);
    }
    residual.applyOnTheLeft(qr.householderQ().adjoint());
    const auto rank = qr.rank();
    Eigen::VectorXd step = Eigen::VectorXd::Zero(m);
    step.head(rank) = qr.matrixR().topLeftCorner(rank, rank).triangularView<Eigen::Upper>().solve(residual.head(rank));
    b += Eigen::VectorXd(qr.colsPermutation() * step);
  }
  b = b.cwiseProduct(scale);
  return {b.begin(), b.end()};
}

Triangles::Level Triangles::make_level() const {
  Level level;
  level.values.assign(static_cast<std::size_t>(size_ * stride_), 0.0);
  return level;
}

Triangles::Triangles(const LeastSquares& system, std::uint64_t in)
    : size_(static_cast<int>(system.cols)), stride_(size_ + 1), tolerance_(system.tolerance) {
  for (int k = 0; k <= size_ + 1; ++k) levels_.push_back(make_level());
  inverse_.resize(static_cast<std::size_t>(size_ * stride_));
  work_.resize(static_cast<std::size_t>(stride_));
  Level& root = levels_[0];
  for (int j = 0; j < size_; ++j)
    if (in >> j & 1) root.free.push_back(j);
  const auto fixed = static_cast<int>(root.free.size());
  for (int j = 0; j < size_; ++j)
    if ((in >> j & 1) == 0) root.free.push_back(j);

  Eigen::MatrixXd x(system.rows, size_ + 1);
  for (int c = 0; c < size_; ++c) {
    const auto column = system.column(root.free[c]);
    x.col(c) = Eigen::Map<const Eigen::VectorXd>(column.data(), system.rows) / norm_of(column);
  }
  x.col(size_) = Eigen::Map<const Eigen::VectorXd>(system.y.data(), system.rows);
  constant_ = 0.5 * x.col(size_).squaredNorm();
  // y is one more column of X: its part below the triangle ends up in one number.
  const Eigen::HouseholderQR<Eigen::Ref<Eigen::MatrixXd>> qr(x);
  root.rows = static_cast<int>(std::min<Index>(system.rows, size_));
  for (int r = 0; r < root.rows; ++r)
    for (int c = r; c <= size_; ++c) row(root, r)[c] = x(r, c);
  if (system.rows > size_) root.rest = 0.5 * x(size_, size_) * x(size_, size_);
  root.weight.assign(static_cast<std::size_t>(size_), 0.0);
  root.noise.assign(static_cast<std::size_t>(size_), tolerance_);
  root.noise_of_y = tolerance_ * std::sqrt(2 * constant_);
  to_staircase(root, 0);

  if (root.rows == size_) {
    const double of_coefficients = perturbation_by(root, size_);
    perturbation_ = of_coefficients > most_perturbed ? 1 : of_coefficients;
    constexpr double harmless = 1e6;  // no pivot in any order is below its inverse
    doubtful_ = of_coefficients > harmless * tolerance_;
  } else {
    std::vector<std::vector<double>> columns(static_cast<std::size_t>(size_));
    for (int c = 0; c < size_; ++c)
      for (int r = 0; r < root.rows; ++r) columns[root.free[c]].push_back(row(root, r)[c]);
    spans_.emplace(std::move(columns), in, [&system](std::span<const int> chosen, std::span<const double> of_units) {
      std::vector<double> coefficients(of_units.begin(), of_units.end());
      for (std::size_t k = 0; k < chosen.size(); ++k) coefficients[k] /= norm_of(system.column(chosen[k]));
      return system.vanishes(chosen, coefficients);
    });
  }
  if (fixed > 0) {
    restore(levels_[1], root, fixed, -1);
    std::swap(levels_[0], levels_[1]);
    levels_[0].in = in;
    for (int c = 0; c < fixed; ++c)
      if (levels_[1].pivot[c] < 0) levels_[0].spanned |= std::uint64_t{1} << levels_[1].free[c];
  }
  examine(levels_[0]);
}

double Triangles::rounding(double objective) const {
  constexpr double of_sums = 1e-12;
  const double known = std::clamp(objective, 0.0, constant_);           // a size without a model has none
  const double perturbation = std::max(perturbation_, 2 * tolerance_);  // of y itself, at least
  const double not_examined = spans_ ? share_of_constant : 0;
  return of_sums * known + (not_examined + perturbation * perturbation) * constant_ +
         4 * perturbation * std::sqrt(known * constant_);
}

/// The noise of the first columns, of those with a row of their own, times coefficients, relative to |z|.
double Triangles::perturbation_by(const Level& level, int columns) {
  Level& basis = levels_.back();
  basis.free.clear();
  basis.rows = 0;
  for (int c = 0; c < columns; ++c)
    if (level.pivot[c] >= 0) {
      for (int r = 0; r <= level.pivot[c]; ++r) row(basis, r)[basis.rows] = row(level, r)[c];
      basis.free.push_back(c);
      ++basis.rows;
    }
  (void)invert(basis);
  double square = 0;
  for (int r = 0; r < basis.rows; ++r) {
    const double noise = level.noise[basis.free[r]];
    for (int c = r; c < basis.rows; ++c)
      square += noise * noise * inverse_[r * stride_ + c] * inverse_[r * stride_ + c];
  }
  return std::sqrt(square * basis.rows);
}

void Triangles::examine(const Level& level) {
  if (!spans_) return;
  auto columns = static_cast<int>(level.free.size());
  if (level.rows < columns || level.spanned != 0) {  // of models that fit all but perfectly, no more is claimed
    double objective = level.rest;
    while (columns > 0 && objective <= share_of_constant * constant_) {
      const int pivot = level.pivot[--columns];
      if (pivot >= 0) objective += 0.5 * row(level, pivot)[z()] * row(level, pivot)[z()];
    }
    if (objective <= share_of_constant * constant_) return;
  }
  std::uint64_t all = level.in, spanned = level.spanned;
  for (int c = 0; c < columns; ++c) {
    const std::uint64_t own = std::uint64_t{1} << level.free[c];
    all |= own;
    if (level.pivot[c] < 0) spanned |= own;
  }
  spans_->note(all & ~spanned, spanned);
  const double of_coefficients = perturbation_by(level, columns);
  const double first_order = of_coefficients + level.noise_of_y / std::sqrt(2 * constant_);
  constexpr double exchanged = 1e3;  // a column that is all but spanned takes the place of one that spans it
  const double perturbation = 2 * first_order * (spans_->doubtful() != 0 ? exchanged : 1);
  perturbation_ = std::max(perturbation_, of_coefficients > most_perturbed ? 1 : perturbation);
}

double Triangles::tie(double objective) const { return std::min(rounding(objective), largest_tie * constant_); }

void Triangles::leading_objectives(int level, std::vector<double>& objectives) const {
  const Level& at = levels_[level];
  const auto count = static_cast<int>(at.free.size());
  objectives.resize(static_cast<std::size_t>(count) + 1);
  double value = at.rest;
  int r = at.rows;
  for (int c = count; c >= 0; --c) {
    objectives[c] = value;
    if (c > 0 && at.pivot[c - 1] >= 0) {
      --r;
      const double left = row(at, r)[z()];
      value += 0.5 * left * left;
    }
  }
}

/// Householder: rows from .. to are reflected so that `column` is 0 below `from`.
void Triangles::reflect(Level& level, int from, int to, int column) {
  double square = 0;
  for (int r = from; r <= to; ++r) square += row(level, r)[column] * row(level, r)[column];
  double* const first = row(level, from);
  const double length = std::copysign(std::sqrt(square), -first[column]);
  const double head = first[column] - length;  // v = (head, the rest of the column)
  const double scale = 1 / (length * head);    // 2 / v'v = -1 / (length head)
  const auto last = static_cast<int>(level.free.size()) - 1;
  const auto add_columns = [&](double factor, const double* x, double* out) {
    for (int k = column + 1; k <= last; ++k) out[k] += factor * x[k];
    out[z()] += factor * x[z()];
  };
  std::fill(work_.begin(), work_.end(), 0.0);
  add_columns(head, first, work_.data());
  for (int r = from + 1; r <= to; ++r) add_columns(row(level, r)[column], row(level, r), work_.data());
  add_columns(head * scale, work_.data(), first);
  for (int r = from + 1; r <= to; ++r) {
    add_columns(row(level, r)[column] * scale, work_.data(), row(level, r));
    row(level, r)[column] = 0;
  }
  first[column] = length;
}

double Triangles::noise_beyond(const Level& level, int c, double noise, int before, int rows) {
  for (int r = 0; r < rows; ++r) work_[r] = row(level, r)[c];
  for (int k = before - 1, r = rows - 1; k >= 0 && r >= 0; --k) {
    if (level.pivot[k] < 0) continue;
    const double a = work_[r] / row(level, r)[k];  // the coefficient of column k
    for (int above = 0; above < r; ++above) work_[above] -= a * row(level, above)[k];
    noise += std::abs(a) * level.noise[k];
    --r;
  }
  return noise;
}

/// Makes any matrix a staircase from column `first_column` on (which those before already are, one row each); rows that
/// are left over go to the rest.
void Triangles::to_staircase(Level& level, int first_column) {
  const auto count = static_cast<int>(level.free.size());
  level.pivot.resize(static_cast<std::size_t>(count));
  int r = 0;
  for (int c = 0; c < first_column; ++c) r += level.pivot[c] >= 0 ? 1 : 0;
  for (int c = first_column; c < count; ++c) {
    double square = 0;
    int last = r;  // the last row that is not 0
    for (int k = r; k < level.rows; ++k) {
      const double x = row(level, k)[c];
      square += x * x;
      if (x != 0) last = k;
    }
    const double noise = doubtful_ ? noise_beyond(level, c, level.noise[c], c, r) : 0;
    if (square <= noise * noise) {
      for (int k = r; k < level.rows; ++k) row(level, k)[c] = 0;
      level.pivot[c] = -1;
      continue;
    }
    if (last > r) reflect(level, r, last, c);
    level.pivot[c] = r++;
  }
  for (int k = r; k < level.rows; ++k) level.rest += 0.5 * row(level, k)[z()] * row(level, k)[z()];
  level.rows = r;
}

/// Copies the columns of `parent` from `first` on, and the rows below those of the columns before. Column `dropped` is
/// not among them although its row is: what it leaves is rotated away.
void Triangles::restore(Level& level, const Level& parent, int first, int dropped) {
  const auto count = static_cast<int>(parent.free.size()) - first;
  int base = 0;
  for (int c = 0; c < (dropped >= 0 ? dropped : first); ++c) base += parent.pivot[c] >= 0 ? 1 : 0;
  level.free.assign(parent.free.begin() + first, parent.free.end());
  level.weight.assign(parent.weight.begin() + first, parent.weight.end());
  level.noise.assign(parent.noise.begin() + first, parent.noise.end());
  level.noise_of_y = parent.noise_of_y;
  if (doubtful_ && base > 0) {
    const int before = dropped >= 0 ? dropped : first;
    for (int c = 0; c < count; ++c)
      level.noise[c] = noise_beyond(parent, first + c, parent.noise[first + c], before, base);
    level.noise_of_y = noise_beyond(parent, z(), parent.noise_of_y, before, base);
  }
  level.rows = parent.rows - base;
  level.rest = parent.rest;
  level.weighed = parent.weighed;
  for (int r = 0; r < level.rows; ++r) {
    const double* from = row(parent, base + r);
    std::copy(from + first, from + first + count, row(level, r));
    row(level, r)[count] = from[z()];  // z beside the columns, while rows rotate
  }
  level.pivot.assign(static_cast<std::size_t>(count), -1);
  bool pending = dropped >= 0 && parent.pivot[dropped] >= 0;  // a row that belongs to no column
  int r = 0;
  for (int c = 0; c < count; ++c) {
    const int pivot = parent.pivot[first + c];
    if (pivot >= 0) {
      if (pending) rotate(row(level, r), row(level, r + 1), c, count);
      level.pivot[c] = r++;
    } else if (pending && std::abs(row(level, r)[c]) > noise_beyond(level, c, level.noise[c], c, r)) {
      level.pivot[c] = r++;
      pending = false;
    } else if (pending) row(level, r)[c] = 0;
  }
  if (pending) {
    level.rows = r;
    level.rest += 0.5 * row(level, r)[count] * row(level, r)[count];
  }
  for (int k = 0; k < level.rows; ++k) row(level, k)[z()] = row(level, k)[count];
}

void Triangles::drop(int level, int c) {
  const Level& parent = levels_[level];
  Level& child = levels_[level + 1];
  restore(child, parent, c + 1, c);
  child.in = parent.in;
  child.spanned = parent.spanned;
  for (int k = 0; k < c; ++k) {
    const std::uint64_t own = std::uint64_t{1} << parent.free[k];
    child.in |= own;
    if (parent.pivot[k] < 0) child.spanned |= own;
  }
  examine(child);
}

bool Triangles::invert(const Level& level) {
  const auto count = static_cast<int>(level.free.size());
  if (level.rows < count) return false;
  for (int i = count - 1; i >= 0; --i) {
    double* const out = inverse_.data() + i * stride_;
    const double* const from = row(level, i);
    std::fill(out + i, out + count, 0.0);
    for (int k = i + 1; k < count; ++k) {
      const double* const below = inverse_.data() + k * stride_;
      for (int l = k; l < count; ++l) out[l] -= from[k] * below[l];
    }
    out[i] = 1;
    for (int l = i; l < count; ++l) out[l] /= from[i];
  }
  return true;
}

/// alone_c = b_c^2 / (2 (R'R)^-1_cc), less what rounding can do to it; work_ takes the b that are certain.
void Triangles::measure(Level& level, std::vector<double>& alone) {
  const auto count = static_cast<int>(level.free.size());
  double of_z = 0, of_inverse = 0, of_triangle = 0;
  for (int r = 0; r < count; ++r) {
    const double *const x = row(level, r), *const inverse = inverse_.data() + r * stride_;
    of_z += x[z()] * x[z()];
    for (int c = r; c < count; ++c) {
      of_triangle += x[c] * x[c];
      of_inverse += inverse[c] * inverse[c];
    }
  }
  const double guard = 4 * count * core::unit_roundoff * std::sqrt(of_inverse * of_triangle * of_z);
  for (int c = 0; c < count; ++c) {
    const double* const inverse = inverse_.data() + c * stride_;
    double b = 0, square = 0;
    for (int k = c; k < count; ++k) {
      b += inverse[k] * row(level, k)[z()];
      square += inverse[k] * inverse[k];
    }
    const double length = std::max(std::abs(b) / std::sqrt(square) - guard, 0.0);
    alone[c] = 0.5 * length * length;
    work_[c] = length * std::sqrt(square);
  }
}

/// Where some columns span others, R has no inverse: drop each and see.
void Triangles::measure_by_dropping(int level, std::vector<double>& alone) {
  const auto count = static_cast<int>(levels_[level].free.size());
  for (int c = 0; c < count; ++c) {
    drop(level, c);
    alone[c] = levels_[level + 1].rest - levels_[level].rest;
  }
  std::fill(work_.begin(), work_.end(), 0.0);
}

/// weight = 1 / (largest eigenvalue of the inverse's correlations, times the inverse's diagonal): the largest multiple
/// of that diagonal below R'R. It stays below when columns are dropped or projected out.                          (7.3)
void Triangles::weigh(Level& level) {
  const auto count = static_cast<Index>(level.free.size());
  Eigen::MatrixXd unit = Eigen::MatrixXd::Zero(count, count);
  double of_inverse = 0;
  for (Index r = 0; r < count; ++r) {
    for (Index c = r; c < count; ++c) unit(r, c) = inverse_[r * stride_ + c];
    of_inverse += unit.row(r).squaredNorm();
    level.weight[r] = 1 / unit.row(r).squaredNorm();
    unit.row(r) *= std::sqrt(level.weight[r]);
  }
  const Eigen::MatrixXd correlations = unit * unit.transpose();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(correlations, Eigen::EigenvaluesOnly);
  const auto entries = static_cast<double>(count * count);
  const double rounding = 4 * entries * core::unit_roundoff * std::sqrt(of_inverse);
  const double largest = eigen.eigenvalues()[count - 1] * (1 + 1e-9) + rounding;
  for (Index c = 0; c < count; ++c) level.weight[c] /= largest;
  level.weighed = static_cast<int>(count);
}

void Triangles::order(int level, std::vector<double>& alone, std::vector<double>& share) {
  Level& at = levels_[level];
  const auto count = static_cast<int>(at.free.size());
  alone.resize(static_cast<std::size_t>(count));
  share.resize(static_cast<std::size_t>(count));
  if (invert(at)) {
    measure(at, alone);
    if (count > worth_ordering && count <= worth_weighing * at.weighed) weigh(at);
  } else {
    measure_by_dropping(level, alone);
  }
  for (int c = 0; c < count; ++c) share[c] = 0.5 * at.weight[c] * work_[c] * work_[c];
  if (count < worth_ordering) return;
  order_.resize(static_cast<std::size_t>(count));
  std::iota(order_.begin(), order_.end(), 0);
  std::stable_sort(order_.begin(), order_.end(), [&](int a, int b) { return alone[a] > alone[b]; });
  int same = 0;
  while (same < count && order_[same] == same) ++same;
  if (same == count) return;
  const auto permute = [&](auto& values) {
    auto copy = values;
    for (int c = 0; c < count; ++c) copy[c] = values[order_[c]];
    values.swap(copy);
  };
  permute(alone);
  permute(share);
  permute(at.free);
  permute(at.weight);
  permute(at.noise);
  permute(at.pivot);
  for (int r = 0; r < at.rows; ++r) {
    double* const x = row(at, r);
    std::copy(x, x + count, work_.begin());
    for (int c = same; c < count; ++c) x[c] = work_[order_[c]];
  }
  to_staircase(at, same);
  examine(at);
}

}  // namespace ellzero::exact::sizes
