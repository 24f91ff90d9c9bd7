// The laws that every loss must obey (docs/math.md section 2), each tried on thousands of random cases of every loss.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

#include <gtest/gtest.h>

#include "core/rounding.hpp"
#include "loss/all.hpp"
#include "random_cases.hpp"

namespace ellzero::loss {
namespace {

using core::unit_roundoff;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int cases = 20000;

// The table of section 2 in long double, whose rounding is 2^-11 of double's: what the code is measured against. A new
// loss adds its three lines here; everything else in this file finds it in AnyLoss.
long double exact_value(const Squared&, long double u, long double y) { return (u - y) * (u - y) / 2; }
long double exact_derivative(const Squared&, long double u, long double y) { return u - y; }
long double exact_conjugate(const Squared&, long double a, long double y) { return a * a / 2 + y * a; }

long double exact_value(const Logistic&, long double u, long double y) {
  const long double z = y == 1 ? -u : u;
  return std::max(z, 0.0L) + std::log1p(std::exp(-std::abs(z)));
}
long double exact_derivative(const Logistic&, long double u, long double y) {
  return y == 1 ? -1 / (1 + std::exp(u)) : 1 / (1 + std::exp(-u));
}
long double exact_conjugate(const Logistic&, long double a, long double y) {
  const long double m = y == 1 ? -a : a;  // q = m or 1 - m: the entropy is the same
  return (m > 0 ? m * std::log(m) : 0) + (m < 1 ? (1 - m) * std::log1p(-m) : 0);
}

long double exact_value(const SmoothedHinge& hinge, long double u, long double y) {
  const long double c = hinge.width;
  if (y * u >= 1) return 0;
  return y * u <= 1 - c ? 1 - y * u - c / 2 : (1 - y * u) * (1 - y * u) / (2 * c);
}
long double exact_derivative(const SmoothedHinge& hinge, long double u, long double y) {
  const long double c = hinge.width;
  if (y * u >= 1) return 0;
  return y * u <= 1 - c ? -y : -y * (1 - y * u) / c;
}
long double exact_conjugate(const SmoothedHinge& hinge, long double a, long double y) {
  return y * a + static_cast<long double>(hinge.width) / 2 * a * a;
}

/// F, cut to [-50, 50] where it is larger.
struct Domain {
  double lo;
  double hi;
};

template <class L>
class LossLaws : public ::testing::Test {
 protected:
  struct Case {
    L loss;
    double y;
    [[nodiscard]] Domain domain() const { return {loss.project(-50, y), loss.project(50, y)}; }
  };

  Case any_case() {
    Settings settings;
    settings.hinge_width = draw.chance(0.2) ? 1 : draw.spread(1e-3, 1e2);
    const L loss = L::from(settings);
    for (;;) {
      const double y = draw.chance(0.5) ? draw.below(3) - 1 : draw.sign() * draw.spread(1e-2, 30);
      if (L::is_target(y)) return {loss, y};
    }
  }

  /// A point of F: anywhere, close to an end, or an end itself.
  double any_dual(const Case& c) {
    const auto [lo, hi] = c.domain();
    const int kind = draw.below(10);
    if (kind == 0) return draw.chance(0.5) ? lo : hi;
    if (kind > 4) return draw.uniform(lo, hi);
    const double step = draw.spread(1e-17, 1) * (hi - lo);
    return draw.chance(0.5) ? std::min(lo + step, hi) : std::max(hi - step, lo);
  }

  /// A point well inside F.
  double inner_dual(const Case& c) {
    const auto [lo, hi] = c.domain();
    return lo + draw.uniform(0.001, 0.999) * (hi - lo);
  }

  /// A predictor: one in three where the loss is curved, whatever the loss is.
  double any_predictor(const Case& c) {
    if (draw.chance(0.34)) return c.loss.conjugate_derivative(inner_dual(c), c.y);
    return draw.chance(0.5) ? draw.uniform(-5, 5) : draw.sign() * draw.spread(1e-3, 100);
  }

  ellzero::testing::Draw draw{20240229};
};

template <class Variant>
struct AlternativesOf;
template <class... L>
struct AlternativesOf<std::variant<L...>> {
  using Types = ::testing::Types<L...>;
};
struct LossName {
  template <class L>
  static std::string GetName(int) {
    std::string name(L::name);
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
  }
};
TYPED_TEST_SUITE(LossLaws, AlternativesOf<AnyLoss>::Types, LossName);

/// A convex f has f'(left) <= (f(right) - f(left)) / (right - left) <= f'(right): no truncation to allow for, only the
/// rounding errors `of_value` of f and `of_slope` of f'.
template <class F, class Slope>
void expect_slope(F f, Slope slope, double left, double right, double of_value, double of_slope) {
  const double mean = (f(right) - f(left)) / (right - left);
  const double allowance = 2 * of_value / (right - left) + of_slope;
  EXPECT_GE(mean, slope(left) - allowance) << "between " << left << " and " << right;
  EXPECT_LE(mean, slope(right) + allowance) << "between " << left << " and " << right;
}

TYPED_TEST(LossLaws, value_and_derivative_follow_the_table) {
  for (int k = 0; k < cases; ++k) {
    const auto c = this->any_case();
    const double u = this->any_predictor(c);
    const auto value = static_cast<double>(exact_value(c.loss, u, c.y));
    const auto derivative = static_cast<double>(exact_derivative(c.loss, u, c.y));
    ASSERT_NEAR(c.loss.value(u, c.y), value, 8 * unit_roundoff * std::abs(value)) << "u " << u << " y " << c.y;
    ASSERT_NEAR(c.loss.derivative(u, c.y), derivative, 8 * unit_roundoff * std::abs(derivative)) << "u " << u;
  }
}

TYPED_TEST(LossLaws, derivative_is_the_slope_of_the_value) {
  for (int k = 0; k < cases && !this->HasFailure(); ++k) {
    const auto c = this->any_case();
    const double u = this->any_predictor(c);
    const double h = 1e-4 * std::min(1.0, c.loss.mu());
    const double digits = 8 * unit_roundoff * (1 + std::abs(u) + c.loss.value(u, c.y));
    expect_slope([&](double x) { return c.loss.value(x, c.y); }, [&](double x) { return c.loss.derivative(x, c.y); },
                 u - h, u + h, digits, digits / c.loss.mu());
  }
}

TYPED_TEST(LossLaws, curvature_is_the_slope_of_the_derivative_away_from_kinks) {
  int compared = 0;
  for (int k = 0; k < cases; ++k) {
    const auto c = this->any_case();
    const double u = this->any_predictor(c);
    const double mu = c.loss.mu();
    const double left = u - 1e-4 * std::min(1.0, mu);
    const double right = u + 1e-4 * std::min(1.0, mu);
    if (std::abs(c.loss.curvature(right, c.y) - c.loss.curvature(left, c.y)) > 1e-3 / mu) continue;  // a kink of l'
    ++compared;
    const double mean = (c.loss.derivative(right, c.y) - c.loss.derivative(left, c.y)) / (right - left);
    // Truncation is h^2 |l''''| / 6 <= 1e-8 / mu for a loss smooth on the scale of 1; the rest is l' rounding.
    const double rounding = 8 * unit_roundoff * (1 + std::abs(u) + std::abs(c.y)) * (1 + 1 / mu) / (right - left);
    ASSERT_NEAR(mean, c.loss.curvature(u, c.y), 1e-8 / mu + rounding) << "u " << u << " y " << c.y << " mu " << mu;
  }
  EXPECT_GT(compared, cases * 9 / 10);
}

TYPED_TEST(LossLaws, curvature_lies_between_0_and_1_over_mu_and_gets_there) {
  double nearest = 0;  // to 1/mu, as a part of it
  for (int k = 0; k < cases; ++k) {
    const auto c = this->any_case();
    const double curvature = c.loss.curvature(this->any_predictor(c), c.y);
    ASSERT_GE(curvature, 0);
    ASSERT_LE(curvature, 1 / c.loss.mu());
    ASSERT_TRUE(!TypeParam::quadratic || curvature == 1 / c.loss.mu()) << "a quadratic has but one curvature";
    nearest = std::max(nearest, curvature * c.loss.mu());
  }
  EXPECT_GT(nearest, 0.999);
}

TYPED_TEST(LossLaws, value_is_convex_and_never_negative) {
  for (int k = 0; k < cases; ++k) {
    const auto c = this->any_case();
    const double u = this->any_predictor(c);
    const double v = this->any_predictor(c);
    const double t = this->draw.uniform(0, 1);
    const double chord = t * c.loss.value(u, c.y) + (1 - t) * c.loss.value(v, c.y);
    const double middle = c.loss.value(t * u + (1 - t) * v, c.y);
    ASSERT_GE(middle, 0);
    // t u + (1-t) v rounds as well; the slope at the ends says what that costs.
    const double slope = std::max(std::abs(c.loss.derivative(u, c.y)), std::abs(c.loss.derivative(v, c.y)));
    ASSERT_LE(middle, chord + 8 * unit_roundoff * (chord + slope * (std::abs(u) + std::abs(v))))
        << "u " << u << " v " << v << " y " << c.y;
  }
}

TYPED_TEST(LossLaws, fenchel_young_holds_with_equality_at_the_derivative) {
  for (int k = 0; k < cases; ++k) {
    const auto c = this->any_case();
    const double u = this->any_predictor(c);
    const auto excess = [&](double a) { return c.loss.value(u, c.y) + c.loss.conjugate(a, c.y) - a * u; };
    const auto rounding = [&](double a) {
      return 8 * unit_roundoff * (c.loss.value(u, c.y) + std::abs(a * u) + std::abs(a * c.y) + c.loss.mu() * a * a) +
             c.loss.conjugate_error(a, c.y);
    };
    const double a = this->any_dual(c);
    ASSERT_GE(excess(a), -rounding(a)) << "u " << u << " a " << a << " y " << c.y;
    const double tight = c.loss.derivative(u, c.y);
    ASSERT_NEAR(excess(tight), 0, rounding(tight)) << "u " << u << " a " << tight << " y " << c.y;
  }
}

TYPED_TEST(LossLaws, conjugate_is_the_largest_a_u_minus_l) {
  for (int k = 0; k < cases / 2; ++k) {
    const auto c = this->any_case();
    const double a = this->any_dual(c);
    const auto sup = ellzero::testing::minimise([&](double u) { return c.loss.value(u, c.y) - a * u; }, -1e3, 1e3);
    // Where the supremum lies at infinity, |u| = 1000 has it to e^-1000, but a u and l(u) round by 1e-13 there.
    ASSERT_NEAR(c.loss.conjugate(a, c.y), static_cast<double>(-sup.value), 1e-12 * (1 + std::abs(c.y * a) + a * a))
        << "a " << a << " y " << c.y << " mu " << c.loss.mu();
  }
}

TYPED_TEST(LossLaws, conjugate_is_infinite_outside_its_domain_and_finite_at_its_ends) {
  for (int k = 0; k < cases; ++k) {
    const auto c = this->any_case();
    const double lowest = c.loss.project(-infinity, c.y);
    const double highest = c.loss.project(infinity, c.y);
    for (const double end : {lowest, highest}) {
      if (std::isinf(end)) continue;
      ASSERT_TRUE(std::isfinite(c.loss.conjugate(end, c.y)));
      const double outwards = end == lowest ? -infinity : infinity;
      for (const double a : {std::nextafter(end, outwards), std::copysign(std::abs(end) + 1e-9, outwards),
                             end + std::copysign(this->draw.spread(1e-3, 1e300), outwards), outwards})
        ASSERT_EQ(c.loss.conjugate(a, c.y), infinity) << "a " << a << " y " << c.y;
    }
  }
}

TYPED_TEST(LossLaws, conjugate_derivative_is_the_slope_of_the_conjugate) {
  for (int k = 0; k < cases && !this->HasFailure(); ++k) {
    const auto c = this->any_case();
    const double a = this->inner_dual(c);
    const double h = 1e-4 * std::min(std::abs(a - c.domain().lo), std::abs(c.domain().hi - a));
    const double slope = c.loss.conjugate_derivative(a, c.y);
    expect_slope([&](double x) { return c.loss.conjugate(x, c.y); },
                 [&](double x) { return c.loss.conjugate_derivative(x, c.y); }, a - h, a + h,
                 c.loss.conjugate_error(a, c.y) * 1.1, 8 * unit_roundoff * (std::abs(slope) + std::abs(c.y) + 1));
  }
}

TYPED_TEST(LossLaws, conjugate_derivative_inverts_the_derivative) {
  for (int k = 0; k < cases; ++k) {
    const auto c = this->any_case();
    const double mu = c.loss.mu();
    const double a = this->inner_dual(c);
    const double u = c.loss.conjugate_derivative(a, c.y);
    const double digits = 8 * unit_roundoff * (1 + std::abs(u) + std::abs(c.y));
    ASSERT_NEAR(c.loss.derivative(u, c.y), a, digits / mu + 4 * unit_roundoff * std::abs(a)) << "y " << c.y;
    const double v = this->any_predictor(c);
    const double curvature = c.loss.curvature(v, c.y);
    if (curvature * mu < 1e-3) continue;  // too flat for l' to tell one v from another
    const double lost = 8 * unit_roundoff * (1 + std::abs(v) + std::abs(c.y)) * (1 + 1 / mu) / curvature;
    ASSERT_NEAR(c.loss.conjugate_derivative(c.loss.derivative(v, c.y), c.y), v, lost) << "y " << c.y << " mu " << mu;
  }
}

TYPED_TEST(LossLaws, projection_is_the_nearest_point_of_the_domain) {
  for (int k = 0; k < cases; ++k) {
    const auto c = this->any_case();
    const double a = this->draw.sign() * this->draw.spread(1e-6, 10);
    const double nearest = c.loss.project(a, c.y);
    ASSERT_TRUE(std::isfinite(c.loss.conjugate(nearest, c.y))) << "a " << a << " y " << c.y;
    ASSERT_EQ(c.loss.project(nearest, c.y), nearest);
    ASSERT_EQ(nearest == a, std::isfinite(c.loss.conjugate(a, c.y))) << "a " << a << " y " << c.y;
    const double other = this->any_dual(c);
    ASSERT_EQ(c.loss.project(other, c.y), other) << "y " << c.y;
    ASSERT_LE(std::abs(nearest - a), std::abs(other - a)) << "a " << a << " y " << c.y;
  }
}

TYPED_TEST(LossLaws, zero_is_a_dual_point_worth_nothing) {
  for (int k = 0; k < cases; ++k) {
    const auto c = this->any_case();
    ASSERT_EQ(c.loss.conjugate(0.0, c.y), 0) << "y " << c.y;
    ASSERT_EQ(c.loss.conjugate(-0.0, c.y), 0) << "y " << c.y;
    ASSERT_EQ(c.loss.project(0, c.y), 0) << "y " << c.y;
  }
}

TYPED_TEST(LossLaws, far_predictors_give_numbers_and_dual_points) {
  for (int k = 0; k < cases; ++k) {
    const auto c = this->any_case();
    for (const double size : {30.0, 40.0, 700.0, 750.0, 1e3, 1e8, 1e100, 1e300}) {
      const double u = this->draw.sign() * size * this->draw.uniform(1, 2);
      const double value = c.loss.value(u, c.y);
      ASSERT_GE(value, 0) << "u " << u << " y " << c.y;                  // also refuses NaN
      const bool may_overflow = size > 1e150 && !TypeParam::classifies;  // a square
      ASSERT_TRUE(may_overflow || std::isfinite(value)) << "u " << u << " y " << c.y;
      const double a = c.loss.derivative(u, c.y);
      ASSERT_TRUE(std::isfinite(a)) << "u " << u << " y " << c.y;
      ASSERT_EQ(c.loss.project(a, c.y), a) << "u " << u << " y " << c.y;
      ASSERT_GE(c.loss.curvature(u, c.y), 0);
      ASSERT_LE(c.loss.curvature(u, c.y), 1 / c.loss.mu());
      ASSERT_TRUE(may_overflow || std::isfinite(c.loss.conjugate(a, c.y))) << "u " << u << " y " << c.y;
    }
  }
}

/// Part of `a` that the dual variable may be off by: -1, 0 or 1 rounding.
constexpr std::array<long double, 3> one_rounding = {-0x1p-53L, 0, 0x1p-53L};

TYPED_TEST(LossLaws, conjugate_error_covers_its_own_rounding_and_one_of_the_dual_variable) {
  for (int k = 0; k < cases; ++k) {
    const auto c = this->any_case();
    const double a = this->any_dual(c) * (this->draw.chance(0.2) ? this->draw.spread(1e-140, 1) : 1);
    const double error = c.loss.conjugate_error(a, c.y);
    for (const long double part : one_rounding) {
      const long double moved = a * (1 + part);
      if (moved < c.domain().lo || moved > c.domain().hi) continue;  // the true one lies in F
      const long double off = std::abs(c.loss.conjugate(a, c.y) - exact_conjugate(c.loss, moved, c.y));
      ASSERT_LE(off, error) << "a " << a << " y " << c.y << " mu " << c.loss.mu();
    }
    // It is taken off a bound, so it must stay a matter of roundings: 1e-11 is far below any gap that is asked for.
    ASSERT_LE(error, 1e-11 * (std::abs(a) + std::abs(a * c.y) + c.loss.mu() * a * a)) << "a " << a << " y " << c.y;
  }
}

TYPED_TEST(LossLaws, weighted_conjugate_is_the_conjugate_of_the_weighted_loss) {
  for (int k = 0; k < cases / 2; ++k) {
    const auto c = this->any_case();
    const double w = this->draw.spread(1e-3, 1e3);
    const double a = w * this->any_dual(c);
    const double conjugate = weighted_conjugate(c.loss, w, a, c.y);
    const auto sup = ellzero::testing::minimise([&](double u) { return w * c.loss.value(u, c.y) - a * u; }, -1e3, 1e3);
    const double scale = w + std::abs(c.y * a) + a * a / w;
    ASSERT_NEAR(conjugate, static_cast<double>(-sup.value), 1e-12 * scale) << "a " << a << " w " << w;
    const long double exact = w * exact_conjugate(c.loss, static_cast<long double>(a) / w, c.y);
    ASSERT_LE(std::abs(conjugate - exact), weighted_conjugate_error(c.loss, w, a, c.y)) << "a " << a << " w " << w;
    ASSERT_LE(weighted_conjugate_error(c.loss, w, a, c.y), 1e-10 * scale) << "a " << a << " w " << w;
  }
}

TYPED_TEST(LossLaws, weighted_projection_is_the_nearest_point_of_the_scaled_domain) {
  for (int k = 0; k < cases; ++k) {
    const auto c = this->any_case();
    const double w = this->draw.spread(1e-3, 1e3);
    const double a = w * this->draw.sign() * this->draw.spread(1e-6, 10);
    const double nearest = weighted_project(c.loss, w, a, c.y);
    ASSERT_TRUE(std::isfinite(weighted_conjugate(c.loss, w, nearest, c.y))) << "a " << a << " w " << w;
    const auto [lo, hi] = c.domain();
    ASSERT_NEAR(nearest, std::clamp(a, w * lo, w * hi), 2 * unit_roundoff * std::abs(nearest)) << "w " << w;
  }
}

TYPED_TEST(LossLaws, targets_are_the_numbers_that_its_words_promise) {
  EXPECT_FALSE(TypeParam::targets.empty());
  for (const double y : {std::numeric_limits<double>::quiet_NaN(), infinity, -infinity})
    EXPECT_FALSE(TypeParam::is_target(y)) << y;
  int accepted = 0;
  for (const double y : {-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0}) accepted += TypeParam::is_target(y) ? 1 : 0;
  EXPECT_EQ(accepted, TypeParam::classifies ? 2 : 7);
}

template <class... L>
std::multiset<std::string_view> names_of(std::type_identity<std::variant<L...>>) {
  return {L::name...};
}

TEST(AnyLoss, names_are_different) {
  const auto names = names_of(std::type_identity<AnyLoss>());
  for (const auto name : names) EXPECT_EQ(names.count(name), 1U) << name;
  EXPECT_TRUE(names.count(Settings().loss) == 1) << "the default loss is one of them";
}

TEST(Logistic, keeps_its_digits_in_both_tails) {
  ellzero::testing::Draw draw(7);
  const auto digits = [](double computed, long double exact) { return std::abs(computed / exact - 1); };
  for (int k = 0; k < cases; ++k) {
    const double u = draw.sign() * draw.spread(1e-3, 700);
    const double y = draw.below(2);
    ASSERT_LE(digits(Logistic::value(u, y), exact_value(Logistic(), u, y)), 4 * unit_roundoff) << u;
    ASSERT_LE(digits(Logistic::derivative(u, y), exact_derivative(Logistic(), u, y)), 4 * unit_roundoff) << u;
    const long double s = exact_derivative(Logistic(), -std::abs(u), 0);
    ASSERT_LE(digits(Logistic::curvature(u, y), s * (1 - s)), 6 * unit_roundoff) << u;
  }
  for (const double y : {0.0, 1.0}) {  // beyond the smallest double
    const double right_side = y == 1 ? 1e3 : -1e3;
    EXPECT_EQ(Logistic::value(right_side, y), 0);
    EXPECT_EQ(Logistic::value(-right_side, y), 1e3);
    EXPECT_EQ(Logistic::derivative(right_side, y), 0);
    EXPECT_EQ(Logistic::derivative(-right_side, y), y == 1 ? -1 : 1);
  }
}

TEST(Logistic, conjugate_derivative_is_steep_at_the_ends) {
  for (const double y : {0.0, 1.0}) {
    EXPECT_EQ(Logistic::conjugate(-y, y), 0);
    EXPECT_EQ(Logistic::conjugate(1 - y, y), 0);
    EXPECT_EQ(Logistic::conjugate_derivative(-y, y), -infinity);
    EXPECT_EQ(Logistic::conjugate_derivative(1 - y, y), infinity);
  }
  EXPECT_NEAR(Logistic::conjugate(0.5, 0), -std::log(2.0), 2 * unit_roundoff);
}

TEST(SmoothedHinge, stays_within_half_its_width_below_the_hinge) {
  ellzero::testing::Draw draw(11);
  for (int k = 0; k < cases; ++k) {
    const SmoothedHinge loss{draw.spread(1e-12, 1e12)};
    const double y = draw.sign();
    const double u = draw.chance(0.5) ? draw.uniform(-3, 3) : y * (1 - loss.width * draw.uniform(-1, 2));
    const double hinge = std::max(0.0, 1 - y * u);
    ASSERT_LE(loss.value(u, y), hinge * (1 + 4 * unit_roundoff)) << "u " << u << " width " << loss.width;
    ASSERT_GE(loss.value(u, y), hinge * (1 - 4 * unit_roundoff) - loss.width / 2) << "u " << u;
    ASSERT_EQ(loss.mu(), loss.width);
  }
}

TEST(SmoothedHinge, takes_its_width_from_the_settings) {
  Settings settings;
  settings.hinge_width = 0.25;
  EXPECT_EQ(SmoothedHinge::from(settings).width, 0.25);
  EXPECT_EQ(SmoothedHinge::from(Settings()).width, Settings().hinge_width);
}

}  // namespace
}  // namespace ellzero::loss
