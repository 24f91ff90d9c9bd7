// Small random problems in the user's terms, and their optimum by enumerating every subset: the truth bounds are held
// to.
//
// Shares no formula with src/: losses, penalties and standardising are written out again, the slow and plain way.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ellzero/dataset.hpp"
#include "ellzero/settings.hpp"

namespace ellzero::oracle {

inline constexpr double inf = std::numeric_limits<double>::infinity();
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

struct SmallProblem {
  Index n = 0;
  Index p = 0;
  std::vector<double> x;  ///< column-major
  std::vector<double> y, weights, offset;
  Settings settings;

  [[nodiscard]] Dataset dataset() const { return {column_major(x.data(), n, p), y, weights, offset}; }
};

/// What a random problem may look like; everything is drawn anew for each.
inline SmallProblem random_problem(std::mt19937_64& rng, Index largest_p) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  const auto coin = [&](double chance) { return uniform(rng) < chance; };
  SmallProblem s;
  s.n = 4 + static_cast<Index>(rng() % 12);
  s.p = 1 + static_cast<Index>(rng() % static_cast<std::uint64_t>(largest_p));
  s.settings.loss = std::vector<std::string>{"squared", "logistic", "smoothed-hinge"}[rng() % 3];
  s.settings.hinge_width = 0.2 + 2 * uniform(rng);
  for (Index k = 0; k < s.n * s.p; ++k) s.x.push_back(coin(0.2) ? 0 : normal(rng));
  if (s.p > 1 && coin(0.2)) std::copy_n(s.x.begin(), s.n, s.x.begin() + s.n);  // a duplicate column
  if (coin(0.1)) std::fill_n(s.x.begin(), s.n, coin(0.5) ? 0.0 : 1.5);         // a constant column
  for (Index i = 0; i < s.n; ++i) {
    const double signal = s.x[i] - (s.p > 2 ? s.x[2 * s.n + i] : 0) + normal(rng);
    const double low = s.settings.loss == "logistic" ? 0 : -1;
    s.y.push_back(s.settings.loss == "squared" ? 2 * signal + 1 : signal > 0 ? 1 : low);
  }
  if (s.settings.loss != "squared") s.y[1] = s.y[0] == 1 ? (s.settings.loss == "logistic" ? 0 : -1) : 1;
  if (coin(0.5))
    for (Index i = 0; i < s.n; ++i) s.weights.push_back(0.2 + 2 * uniform(rng));
  if (coin(0.3))
    for (Index i = 0; i < s.n; ++i) s.offset.push_back(0.5 * normal(rng));
  s.settings.intercept = coin(0.5);
  s.settings.standardize = coin(0.5);
  s.settings.lambda0 = coin(0.1) ? 0 : std::exp(2 * normal(rng) - 1);
  s.settings.lambda1 = coin(0.4) ? 0 : std::exp(normal(rng) - 1);
  s.settings.lambda2 = coin(0.2) ? 0 : std::exp(2 * normal(rng) - 2);
  const auto bounds = [&](double sign) {
    std::vector<double> b;
    for (Index j = 0; j < s.p; ++j) b.push_back(coin(0.2) ? sign * inf : coin(0.1) ? 0 : sign * 2 * uniform(rng));
    return b;
  };
  if (coin(0.3)) s.settings.lower = coin(0.5) ? std::vector<double>{0.0} : bounds(-1);
  if (coin(0.3)) s.settings.upper = bounds(+1);
  if (coin(0.2)) s.settings.always.push_back(static_cast<Index>(rng() % static_cast<std::uint64_t>(s.p)));
  s.settings.threads = 1;
  return s;
}

/// Loss of one sample, straight from its definition.
template <class Real>
Real plain_loss(const Settings& settings, Real u, Real y) {
  if (settings.loss == "squared") return (u - y) * (u - y) / 2;
  if (settings.loss == "logistic") return (u > 0 ? u + std::log1p(std::exp(-u)) : std::log1p(std::exp(u))) - y * u;
  const Real c = settings.hinge_width, m = y * u;
  if (m >= 1) return 0;
  return m <= 1 - c ? 1 - m - c / 2 : (1 - m) * (1 - m) / (2 * c);
}

template <class Real>
Real plain_derivative(const Settings& settings, Real u, Real y) {
  if (settings.loss == "squared") return u - y;
  if (settings.loss == "logistic") return 1 / (1 + std::exp(-u)) - y;
  const Real c = settings.hinge_width, m = y * u;
  if (m >= 1) return 0;
  return m <= 1 - c ? -y : -y * (1 - m) / c;
}

/// The standardised problem, written out as a dense matrix; coefficients are in its units.
template <class Real>
class BasicEnumeration {
 public:
  explicit BasicEnumeration(const SmallProblem& s)
      : s_(s),
        x_(s.x.begin(), s.x.end()),
        y_(s.y.begin(), s.y.end()),
        weights_(s.weights.begin(), s.weights.end()),
        offset_(s.offset.begin(), s.offset.end()) {
    if (weights_.empty()) weights_.assign(s.y.size(), 1.0);
    if (offset_.empty()) offset_.assign(s.y.size(), 0.0);
    for (const Real w : weights_) total_ += w;
    centre_samples();
    for (Index j = 0; j < s.p; ++j) {
      Real* x = x_.data() + j * s.n;
      Real squares = 0;
      if (s.settings.intercept) centre({x, static_cast<std::size_t>(s.n)});
      for (Index i = 0; i < s.n; ++i) squares += weights_[i] * x[i] * x[i];
      const Real scale = squares == 0 ? 0 : s.settings.standardize ? 1 / std::sqrt(squares) : 1;
      for (Index i = 0; i < s.n; ++i) x[i] *= scale;
      scale_.push_back(scale);
      curvature_.push_back(squares * scale * scale / mu());
      lo_.push_back(scale == 0 ? 0 : pick(s.settings.lower, j, -inf) / scale);
      hi_.push_back(scale == 0 ? 0 : pick(s.settings.upper, j, inf) / scale);
    }
    curvature_intercept_ = total_ / mu();
    prepare_gram();
  }

  struct Optimum {
    Real objective = inf;
    Real intercept = 0;  ///< less shift()
    std::vector<Real> beta = {};
    bool converged = true;  ///< on every support; separable classes without ridge have no minimum to converge to
  };

  /// The best of all 2^p supports; each is a convex problem solved by coordinate descent from its neighbour's solution.
  [[nodiscard]] Optimum solve() const {
    Optimum best;
    bool converged = true;
    for_each_support([&](std::uint64_t /*support*/, const Optimum& at) {
      if (at.objective < best.objective) best = at;
      converged = at.converged;
    });
    best.converged = converged;
    return best;
  }

  /// Calls visit(support, optimum of it) for all supports that are allowed.
  template <class Visit>
  void for_each_support(Visit&& visit) const {
    Optimum walk;
    walk.beta.assign(static_cast<std::size_t>(s_.p), 0.0);
    for (std::uint64_t code = 0; code < (std::uint64_t{1} << s_.p); ++code) {
      const std::uint64_t support = code ^ (code >> 1);  // Gray code: one feature changes at a time
      if (std::any_of(s_.settings.always.begin(), s_.settings.always.end(),
                      [&](Index j) { return (support >> j & 1) == 0; }))
        continue;
      if (s_.settings.k && std::popcount(support) > *s_.settings.k) continue;
      for (Index j = 0; j < s_.p; ++j)
        if ((support >> j & 1) == 0) walk.beta[j] = 0;
      descend(support, walk);
      visit(support, std::as_const(walk));
    }
  }

  /// P of any coefficients in the standardised units.
  [[nodiscard]] Real objective(const std::vector<Real>& beta, Real intercept) const {
    return objective_near(beta, intercept - shift_);
  }

  /// What an optimum's intercept is short of: samples that are far from 0 are moved near it.
  [[nodiscard]] Real shift() const { return shift_; }
  [[nodiscard]] Real lo(Index j) const { return lo_[j]; }
  [[nodiscard]] Real hi(Index j) const { return hi_[j]; }
  [[nodiscard]] Real scale(Index j) const { return scale_[j]; }

 private:
  /// Distances from the first number have all their digits, however far from 0 the numbers are; then their mean goes.
  /// Returns what went.
  Real centre(std::span<Real> values) const {
    const Real first = values[0];
    Real mean = 0;
    for (Real& v : values) v -= first;
    for (std::size_t i = 0; i < values.size(); ++i) mean += weights_[i] * values[i] / total_;
    for (Real& v : values) v -= mean;
    return first + mean;
  }

  /// An intercept makes up for a constant in the targets of squared loss, and in the offset of any loss.
  void centre_samples() {
    if (!s_.settings.intercept) return;
    shift_ = -centre(offset_);
    if (s_.settings.loss == "squared") shift_ += centre(y_);
  }

  [[nodiscard]] Real objective_near(const std::vector<Real>& beta, Real intercept) const {
    Real total = 0;
    for (Index i = 0; i < s_.n; ++i) {
      Real u = offset_[i] + intercept;
      for (Index j = 0; j < s_.p; ++j) u += x_[j * s_.n + i] * beta[j];
      total += weights_[i] * plain_loss(s_.settings, u, y_[i]);
    }
    for (Index j = 0; j < s_.p; ++j) {
      const bool always = std::count(s_.settings.always.begin(), s_.settings.always.end(), j) > 0;
      if (beta[j] != 0 || always) total += s_.settings.lambda0.value_or(0);
      total += s_.settings.lambda1 * std::abs(beta[j]) + *s_.settings.lambda2 * beta[j] * beta[j];
      if (beta[j] < lo_[j] || beta[j] > hi_[j]) return inf;
    }
    return total;
  }

  static Real pick(const std::vector<double>& bounds, Index j, double none) {
    return bounds.empty() ? none : bounds.size() == 1 ? bounds[0] : bounds[j];
  }
  [[nodiscard]] Real mu() const {
    return s_.settings.loss == "squared" ? 1 : s_.settings.loss == "logistic" ? 4 : s_.settings.hinge_width;
  }

  /// Coordinate descent over the support and the intercept, until nothing moves the predictor.
  void descend(std::uint64_t support, Optimum& at) const {
    const int most_cycles = s_.settings.loss == "squared" ? 3000 : 600;
    int cycle = 0;
    if (s_.settings.loss == "squared")
      while (cycle < most_cycles && squared_cycle(support, at) > 1e-11) ++cycle;
    else {
      std::vector<Real> u = predictor(at);
      while (cycle < most_cycles && majorised_cycle(support, at, u) > 1e-11) ++cycle;
    }
    if (cycle == most_cycles) at.converged = false;
    at.objective = objective_near(at.beta, at.intercept);
  }

  [[nodiscard]] std::vector<Real> predictor(const Optimum& at) const {
    std::vector<Real> u(offset_);
    for (Index i = 0; i < s_.n; ++i) {
      u[i] += at.intercept;
      for (Index j = 0; j < s_.p; ++j) u[i] += x_[j * s_.n + i] * at.beta[j];
    }
    return u;
  }

  [[nodiscard]] Real step(Index j, Real b, Real gradient) const {
    const Real c = curvature_[j] * b - gradient;
    const Real shrunk =
        std::max(std::abs(c) - s_.settings.lambda1, Real{0}) / (curvature_[j] + 2 * *s_.settings.lambda2);
    return std::clamp(std::copysign(shrunk, c), lo_[j], hi_[j]);
  }

  [[nodiscard]] bool moves(std::uint64_t support, Index j) const { return (support >> j & 1) != 0 && scale_[j] != 0; }

  /// Squared loss in Gram space. The columns are centred where there is an intercept, which is then solved already.
  Real squared_cycle(std::uint64_t support, Optimum& at) const {
    Real moved = 0;
    if (s_.settings.intercept) at.intercept = target_mean_;
    for (Index j = 0; j < s_.p; ++j) {
      if (!moves(support, j)) continue;
      Real gradient = -target_product_[j];
      for (Index k = 0; k < s_.p; ++k) gradient += gram_[j * s_.p + k] * at.beta[k];
      const Real next = step(j, at.beta[j], gradient);
      moved = std::max(moved, std::abs(next - at.beta[j]) * std::sqrt(curvature_[j]));
      at.beta[j] = next;
    }
    return moved;
  }

  Real majorised_cycle(std::uint64_t support, Optimum& at, std::vector<Real>& u) const {
    Real moved = 0;
    const auto gradient = [&](const Real* x) {
      Real sum = 0;
      for (Index i = 0; i < s_.n; ++i)
        sum += weights_[i] * plain_derivative(s_.settings, u[i], y_[i]) * (x != nullptr ? x[i] : 1);
      return sum;
    };
    const auto move = [&](const Real* x, Real& b, Real next, Real curvature) {
      for (Index i = 0; i < s_.n; ++i) u[i] += (next - b) * (x != nullptr ? x[i] : 1);
      moved = std::max(moved, std::abs(next - b) * std::sqrt(curvature));
      b = next;
    };
    for (Index j = 0; j < s_.p; ++j) {
      const Real* x = x_.data() + j * s_.n;
      if (moves(support, j)) move(x, at.beta[j], step(j, at.beta[j], gradient(x)), curvature_[j]);
    }
    if (s_.settings.intercept)
      move(nullptr, at.intercept, at.intercept - gradient(nullptr) / curvature_intercept_, curvature_intercept_);
    return moved;
  }

  void prepare_gram() {
    for (Index i = 0; i < s_.n; ++i) target_mean_ += weights_[i] * (y_[i] - offset_[i]) / total_;
    const auto product = [&](const Real* a, const auto& b) {
      Real sum = 0;
      for (Index i = 0; i < s_.n; ++i) sum += weights_[i] * a[i] * b(i);
      return sum;
    };
    for (Index j = 0; j < s_.p; ++j) {
      const Real* x = x_.data() + j * s_.n;
      target_product_.push_back(product(x, [&](Index i) { return y_[i] - offset_[i]; }));
      for (Index k = 0; k < s_.p; ++k) gram_.push_back(product(x, [&](Index i) { return x_[k * s_.n + i]; }));
    }
  }

  const SmallProblem& s_;
  std::vector<Real> x_, y_, weights_, offset_, scale_, curvature_, lo_, hi_;
  Real total_ = 0, shift_ = 0;
  Real curvature_intercept_ = 0;
  std::vector<Real> gram_, target_product_;  // for squared loss
  Real target_mean_ = 0;
};

using Enumeration = BasicEnumeration<double>;
using PreciseEnumeration = BasicEnumeration<long double>;  ///< slower, and right to the last digit of a double

}  // namespace ellzero::oracle
