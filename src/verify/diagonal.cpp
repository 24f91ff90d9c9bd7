// Both ways of diagonal.hpp.
#include "verify/diagonal.hpp"

#include <algorithm>
#include <cmath>

#include "core/rounding.hpp"
#include "verify/exact_sums.hpp"

namespace ellzero::verify {
namespace {

constexpr std::size_t few = 400;  // features, that are factorised however few samples there are

/// `size[i]`: no entry (i, j) is further than 16 u + 4 error times sqrt(size_i size_j) from the exact one, and A_ii is
/// not above size_i. Scaling by powers of two changes nothing but the sizes, so that each feature is judged by its own.
/// Then the factorisation's errors are below (m + 1) u trace, and those of the matrix below (16 u + 4 error) trace.
bool is_semidefinite(Triangle A, std::span<const double> size, double error) {
  constexpr double largest_error = 1e-3;  // beyond, its square would count
  constexpr double smallest = 1e-280;     // below, products lose digits that no relative error counts
  if (!(error < largest_error)) return false;
  std::vector<double> scale(A.size());
  double trace = 0;
  for (std::size_t i = 0; i < A.size(); ++i) {
    if (!(size[i] >= smallest) || !std::isfinite(size[i])) return false;
    scale[i] = std::ldexp(1.0, -(std::ilogb(size[i]) / 2));
    trace += size[i] * scale[i] * scale[i];
  }
  const double room = 1.01 * (static_cast<double>(A.size() + 32) * core::unit_roundoff + 4 * error) * trace;
  for (std::size_t i = 0; i < A.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) A[i][j] *= scale[i] * scale[j];
    A[i][i] -= room;
  }
  return cholesky(A);
}

/// sum_i a_i b_i to one rounding of its size: products are rounded once each, their sum is compensated.
double rounded_product(std::span<const double> a, std::span<const double> b) {
  constexpr std::size_t lanes = 4;
  double sum[lanes] = {}, rest[lanes] = {};
  const auto add = [&](std::size_t lane, double term) {
    const TwoPart next = two_sum(sum[lane], term);
    sum[lane] = next.value;
    rest[lane] += next.rest;
  };
  std::size_t i = 0;
  for (; i + lanes <= a.size(); i += lanes)
    for (std::size_t l = 0; l < lanes; ++l) add(l, a[i + l] * b[i + l]);
  for (; i < a.size(); ++i) add(0, a[i] * b[i]);
  for (std::size_t l = 1; l < lanes; ++l) {
    add(0, sum[l]);
    rest[0] += rest[l];
  }
  return sum[0] + rest[0];
}

/// w_i (x_ij - shift_j), to two roundings; 0 where an entry is missing, as the shift is 0 then.
std::vector<double> weighted_distances(const Sample& sample, Index j) {
  std::vector<double> v(sample.y().size(), 0.0);
  sample.for_each_entry(j, [&](Index i, double x) { v[i] = sample.weights()[i] * (x - sample.shift(j)); });
  return v;
}

/// z_j'z_k = s_j s_k (sum_i v_i (x_ik - shift_k) - W r_j r_k) for v of column j, where shift + r is a column's mean.
Interval centred_product(const Sample& sample, Index j, std::span<const double> v, Index k) {
  constexpr double in_terms = 5 * core::unit_roundoff;  // two roundings of v, one of the distance, one of the product
  constexpr std::size_t lanes = 4;
  double sum[lanes] = {}, rest[lanes] = {};
  std::size_t terms = 0;
  sample.for_each_entry(k, [&](Index i, double x) {
    const std::size_t lane = terms++ % lanes;
    const TwoPart next = two_sum(sum[lane], v[i] * (x - sample.shift(k)));
    sum[lane] = next.value;
    rest[lane] += next.rest;
  });
  IntervalSum total;
  for (std::size_t l = 0; l < lanes; ++l) total.add(sum[l] + rest[l]);
  const double size = up(sample.shifted_norm(j) * sample.shifted_norm(k));
  const double off = sum_error(size, static_cast<double>(terms), size) + in_terms * size;
  const Interval raw = total.value() + Interval(-off, off);
  const Interval means = sample.total_weight() * sample.shift_rest(j) * sample.shift_rest(k);
  return (sample.settings().intercept ? raw - means : raw) * sample.scale(j) * sample.scale(k);
}

/// In units of the largest entry: the squares of what K^-1 leaves of a column may be below the doubles, and what is
/// taken off for roundings rests on it.
double norm(std::span<const double> v) {
  double largest = 0, squares = 0;
  for (const double x : v) largest = std::max(largest, std::abs(x));
  if (largest == 0) return 0;
  for (const double x : v) squares += (x / largest) * (x / largest);
  return largest * std::sqrt(squares);
}

/// sum_j v_j v_j' / give_j without the errors of a long sum.
class OuterSum {
 public:
  explicit OuterSum(std::size_t m) : sum_(zero_triangle(m)), lost_(zero_triangle(m)) {}

  void add(std::span<const double> v, double factor) {
    for (std::size_t a = 0; a < v.size(); ++a) {
      const double left = v[a] * factor;
      for (std::size_t b = 0; b <= a; ++b) {
        const double product = left * v[b], before = sum_[a][b], next = before + product, added = next - before;
        lost_[a][b] += (before - (next - added)) + (product - added);
        sum_[a][b] = next;
      }
    }
  }
  [[nodiscard]] double at(std::size_t a, std::size_t b) const { return sum_[a][b] + lost_[a][b]; }

 private:
  Triangle sum_, lost_;
};

}  // namespace

DiagonalCheck::DiagonalCheck(const Sample& sample) : sample_(sample) {
  constexpr std::size_t features = 4000, samples = 2000;
  const auto by_data = static_cast<std::size_t>(std::sqrt(static_cast<double>(sample.entries()))) + 1;
  most_features_ = std::max(features, by_data);
  most_samples_ = std::max(samples, by_data);
}

bool DiagonalCheck::is_affordable(std::size_t features) const {
  return features <= most_features_ || static_cast<std::size_t>(sample_.rows()) <= most_samples_;
}

bool DiagonalCheck::leaves_semidefinite(std::span<const Index> features, std::span<const double> d) {
  if (std::none_of(d.begin(), d.end(), [](double value) { return value > 0; })) return true;
  if (std::ranges::equal(features, last_features_) && std::ranges::equal(d, last_d_)) return true;
  if (!is_accepted(features, d)) return false;
  last_features_.assign(features.begin(), features.end());
  last_d_.assign(d.begin(), d.end());
  return true;
}

bool DiagonalCheck::is_accepted(std::span<const Index> features, std::span<const double> d) {
  const auto n = static_cast<std::size_t>(sample_.rows()), m = features.size();
  if (m <= few || m <= n || n > most_samples_) return m <= most_features_ && by_features(features, d);
  return by_samples(features, d);
}

double DiagonalCheck::largest_error(std::span<const Index> features) const {
  double largest = 0;
  for (const Index j : features) {
    const double error = sample_.weighted_column_error(j);
    largest = std::isnan(error) ? inf : std::max(largest, error);
  }
  return largest;
}

std::size_t DiagonalCheck::place_of(Index j) {
  if (const auto known = places_.find(j); known != places_.end()) return known->second;
  std::vector<double> row, errors;
  const auto v = weighted_distances(sample_, j);
  const auto add = [&](Index k) {
    const Interval product = centred_product(sample_, j, v, k);
    row.push_back(0.5 * (product.lo + product.hi));
    errors.push_back(up(0.5 * (product.hi - product.lo)) * (1 + 1e-6));
  };
  for (const Index k : remembered_) add(k);
  add(j);
  products_.push_back(std::move(row));
  errors_.push_back(std::move(errors));
  remembered_.push_back(j);
  return places_[j] = remembered_.size() - 1;
}

bool DiagonalCheck::by_features(std::span<const Index> features, std::span<const double> d) {
  constexpr std::size_t most_remembered = 4000;
  if (remembered_.size() + features.size() > most_remembered) {
    places_.clear();
    remembered_.clear();
    products_.clear();
    errors_.clear();
  }
  std::vector<std::size_t> places;
  for (const Index j : features) places.push_back(place_of(j));
  Triangle A;
  std::vector<double> size;
  double error = 0;  // relative to the columns' own products
  for (std::size_t i = 0; i < places.size(); ++i) {
    auto& row = A.emplace_back();
    const double own = products_[places[i]][places[i]];
    if (!(own > 0)) return false;
    size.push_back(own + std::abs(d[i]));
    for (std::size_t j = 0; j <= i; ++j) {
      const auto [first, last] = std::minmax(places[i], places[j]);
      row.push_back(products_[last][first]);
      // One root after the other: the product of two columns' products may be beyond the range of doubles.
      const double relative = errors_[last][first] / std::sqrt(own) / std::sqrt(products_[places[j]][places[j]]);
      if (!std::isfinite(relative)) return false;
      error = std::max(error, relative);
    }
    row[i] -= d[i];
  }
  return is_semidefinite(std::move(A), size, error);
}

bool DiagonalCheck::by_samples(std::span<const Index> features, std::span<const double> d) const {
  const auto n = static_cast<std::size_t>(sample_.rows());
  std::vector<std::size_t> givers, others;
  for (std::size_t k = 0; k < d.size(); ++k) (d[k] < 0 ? givers : others).push_back(k);
  if (others.size() > n) return false;
  Triangle K = zero_triangle(n);
  for (const std::size_t k : givers) {
    const auto z = sample_.weighted_column(features[k]);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j <= i; ++j) K[i][j] += z[i] / -d[k] * z[j];
  }
  double trace = 0;  // of K, and more than that
  for (std::size_t i = 0; i < n; ++i) trace += (K[i][i] += 1) * (1 + 1e-6);
  if (!cholesky(K)) return false;

  std::vector<std::vector<double>> Z, V;
  for (const std::size_t k : others) {
    Z.push_back(sample_.weighted_column(features[k]));
    V.push_back(Z.back());
    solve(K, V.back());
  }
  OuterSum taken(others.size());  // V'KV - V'V
  std::vector<double> v(others.size());
  for (const std::size_t k : givers) {
    const auto z = sample_.weighted_column(features[k]);
    for (std::size_t a = 0; a < v.size(); ++a) v[a] = rounded_product(z, V[a]);
    taken.add(v, 1 / -d[k]);
  }
  Triangle A;
  std::vector<double> size;
  for (std::size_t a = 0; a < others.size(); ++a) {
    auto& row = A.emplace_back();
    for (std::size_t b = 0; b <= a; ++b)
      row.push_back(rounded_product(V[a], Z[b]) + rounded_product(Z[a], V[b]) - rounded_product(V[a], V[b]) -
                    taken.at(a, b));
    row[a] -= d[others[a]];
    const double length = norm(V[a]);  // times trace first, as its square may be 0
    size.push_back(2 * length * norm(Z[a]) + length * trace * length + std::abs(d[others[a]]));
  }
  return is_semidefinite(std::move(A), size, largest_error(features));
}

}  // namespace ellzero::verify
