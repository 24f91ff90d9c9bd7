// tau_j = x~_j' alpha only where it can matter; elsewhere a product with an earlier alpha says enough (6.3).
//
// Every feature keeps its latest product and remembers which alpha that was. At another alpha tau_j is within
// |x~_j| |alpha - earlier alpha| of it: who asks decides from that whether a new product is needed. The answer depends
// on nothing but the data and the order of questions: the same bits for any number of threads.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "core/compensated_sum.hpp"
#include "features/view.hpp"
#include "problem/dual.hpp"

namespace ellzero::screening {

/// The reducer that keeps the features it was shown, with their tau.
struct Shown {
  std::vector<std::pair<Index, double>> features = {};
  void visit(Index j, double tau) { features.emplace_back(j, tau); }
  void merge(const Shown& next) { features.insert(features.end(), next.features.begin(), next.features.end()); }
};

class LazyTau {
 public:
  LazyTau(const features::View& features, std::span<const double> weights)
      : features_(&features),
        weights_(weights),
        tau_(static_cast<std::size_t>(features.cols()), 0.0),
        known_at_(tau_.size(), never) {}

  /// The features of which `is_undecided(j, tau, radius)` says that to know tau_j = x~_j' alpha within radius of tau is
  /// not enough, and those without any product so far.
  template <class Undecided>
  std::vector<Index> undecided(std::span<const double> alpha, Undecided&& is_undecided) {
    measure_from(alpha);
    std::vector<Index> result;
    for (Index j = 0; j < features_->cols(); ++j)
      if (known_at_[j] == never || is_undecided(j, tau_[j], radius(j))) result.push_back(j);
    return result;
  }

  /// Shows the reducer tau_j of those features, or of all where that is less work; the sum of alpha is given.
  template <class Undecided, features::Reducer R>
  R sweep(std::span<const double> alpha, double sum_alpha, Undecided&& is_undecided, R reducer) {
    auto columns = is_lazy() ? undecided(alpha, is_undecided) : all(alpha);
    remember(alpha);
    const auto known =
        std::stable_partition(columns.begin(), columns.end(), [&](Index j) { return known_at_[j] != here_; });
    const std::span<const Index> fresh(columns.begin(), known);
    count(static_cast<Index>(fresh.size()));
    for (const Index j : fresh) known_at_[j] = here_;
    reducer = features_->sweep(fresh, alpha, sum_alpha, Keep<R>{tau_, std::move(reducer)}).reducer;
    for (auto j = known; j != columns.end(); ++j) reducer.visit(*j, tau_[*j]);
    if (first_.tau.empty()) first_ = {{alpha.begin(), alpha.end()}, tau_};
    return reducer;
  }

  struct Products {
    std::vector<double> alpha;
    std::vector<double> tau;
  };
  /// Those of the first sweep, which leaves nothing out.
  [[nodiscard]] const Products& first() const { return first_; }

  /// The latest products.
  [[nodiscard]] std::span<const double> tau() const { return tau_; }

  /// How far tau_j at the alpha of the last sweep can be from the latest product, rounding included.              (6.3)
  [[nodiscard]] double radius(Index j) const {
    if (known_at_[j] == never) return std::numeric_limits<double>::infinity();
    const Earlier& earlier = earlier_[known_at_[j]];
    return features_->norm(j) * earlier.distance + features_->dot_error(j) * earlier.length;
  }

  /// The features that the last sweep left out.
  [[nodiscard]] std::vector<Index> left_out() const {
    std::vector<Index> result;
    for (Index j = 0; j < features_->cols(); ++j)
      if (known_at_[j] != here_) result.push_back(j);
    return result;
  }

  /// Short columns are multiplied sooner than asked about: then every sweep is of all features.
  [[nodiscard]] bool is_lazy() const { return features_->rows() > short_column; }

  /// Products made elsewhere count, too.
  void count(Index products) { products_ += products; }

  /// Products so far in units of one with every feature, rounded up.
  [[nodiscard]] int sweeps() const {
    const Index p = std::max<Index>(features_->cols(), 1);
    return static_cast<int>((products_ + p - 1) / p);
  }

 private:
  /// An alpha that some features' latest products belong to.
  struct Earlier {
    std::vector<double> alpha;
    double length = 0;    ///< sqrt(sum_i alpha_i^2 / w_i), rounded up
    double distance = 0;  ///< of the last sweep's alpha from it, in the same norm, rounded up
  };

  template <class R>
  struct Keep {
    std::span<double> tau;
    R reducer;
    void visit(Index j, double value) {
      tau[j] = value;
      reducer.visit(j, value);
    }
    void merge(const Keep& next) { reducer.merge(next.reducer); }
  };

  void measure_from(std::span<const double> alpha) {
    for (Earlier& earlier : earlier_) earlier.distance = length(alpha, earlier.alpha);
  }

  std::vector<Index> all(std::span<const double> alpha) {
    measure_from(alpha);
    std::vector<Index> result(tau_.size());
    std::iota(result.begin(), result.end(), Index{0});
    return result;
  }

  /// Finds alpha among the earlier ones, or takes it in: in place of the one with the fewest products, which are then
  /// forgotten, where there are too many.
  void remember(std::span<const double> alpha) {
    auto place = std::find_if(earlier_.begin(), earlier_.end(), [](const Earlier& e) { return e.distance == 0; });
    if (place == earlier_.end()) {
      place = earlier_.size() < most_earlier ? earlier_.insert(place, Earlier{}) : forget_one();
      *place = {{alpha.begin(), alpha.end()}, length(alpha, {}), 0};
    }
    here_ = static_cast<std::uint8_t>(place - earlier_.begin());
  }

  typename std::vector<Earlier>::iterator forget_one() {
    std::array<Index, most_earlier> count{};
    for (const auto slot : known_at_)
      if (slot != never) ++count[slot];
    const auto least = std::min_element(count.begin(), count.end()) - count.begin();
    std::replace(known_at_.begin(), known_at_.end(), static_cast<std::uint8_t>(least), never);
    return earlier_.begin() + least;
  }

  [[nodiscard]] double length(std::span<const double> a, std::span<const double> b) const {
    double squares = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      const double d = a[i] - (b.empty() ? 0 : b[i]);
      squares += d * d / weights_[i];
    }
    return std::sqrt(squares) * (1 + 1e-6);
  }

  static constexpr Index short_column = 200;
  static constexpr std::size_t most_earlier = 8;
  static constexpr std::uint8_t never = 255;

  const features::View* features_;
  std::span<const double> weights_;
  std::vector<double> tau_;
  std::vector<std::uint8_t> known_at_;  // per feature, which earlier alpha
  std::vector<Earlier> earlier_;
  Products first_;
  std::uint8_t here_ = 0;
  Index products_ = 0;
};

/// D(alpha) as dual_value() has it, with products only where Psi_j may be less than its most: elsewhere |tau_j| is
/// certainly below its threshold, and Psi_j the constant it is there.                                       (3.3),
/// (6.3)
template <class L>
double dual_value(const problem::Problem<L>& problem, const problem::DualPoint& point, LazyTau& tau) {
  core::CompensatedSum below;
  const auto undecided = [&](Index j, double tau_j, double radius) {
    const auto& coordinate = problem.penalty[j];
    const double most = coordinate.psi_below(0, 0);
    // Where the point was scaled (3.8) the relaxation's own thresholds are lower than Psi's.
    if (point.scale() != 1 || coordinate.psi_below(tau_j, radius) < most) return true;
    if (most != 0) below.add(most);
    return false;
  };
  const problem::PsiSum start{&problem.features, &problem.penalty, point.norm()};
  auto psi = tau.sweep(point.alpha(), 0, undecided, start).sum;
  psi.add(below);
  return problem::dual_value(problem, point, psi);
}

}  // namespace ellzero::screening
