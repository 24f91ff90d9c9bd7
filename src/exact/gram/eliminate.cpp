// The Schur complement of eliminate.hpp.
#include "exact/gram/eliminate.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include <Eigen/Cholesky>

#include "core/rounding.hpp"

namespace ellzero::exact::gram {

problem::Coefficients Elimination::whole(const problem::Coefficients& reduced) const {
  const auto column = [&](std::size_t k) { return std::span(back).subspan(k * in.size(), in.size()); };
  const auto g = column(rest.size());
  std::vector<double> eliminated(g.begin(), g.end());
  std::vector<std::pair<Index, double>> all;
  for (std::size_t c = 0; c < reduced.support.size(); ++c) {
    const Index k = reduced.support[c];
    all.emplace_back(rest[k], reduced.values[c]);
    const auto products = column(static_cast<std::size_t>(k));
    for (std::size_t e = 0; e < in.size(); ++e) eliminated[e] -= products[e] * reduced.values[c];
  }
  for (std::size_t e = 0; e < in.size(); ++e) all.emplace_back(in[e], eliminated[e]);
  std::sort(all.begin(), all.end());
  problem::Coefficients result{reduced.intercept};
  for (const auto& [j, value] : all) {
    result.support.push_back(j);
    result.values.push_back(value);
  }
  return result;
}

void Elimination::widen(std::vector<Index>& features, std::vector<double>& d) const {
  for (Index& feature : features) feature = rest[feature];
  for (std::size_t e = 0; e < in.size(); ++e) {
    features.push_back(in[e]);
    d.push_back(-(1 - 1e-11) * ridge[e]);
  }
}

std::unique_ptr<Quadratic> eliminate(const Quadratic& quadratic, Elimination& elimination, double objective,
                                     double most_allowance, bool for_record) {
  const auto e = static_cast<Index>(elimination.in.size()), r = static_cast<Index>(elimination.rest.size());
  Eigen::MatrixXd A(e, e), side(e, r + 1);  // the last column is g
  double constant = quadratic.constant(), squares = 0, least_ridge = std::numeric_limits<double>::infinity();
  const auto ridge_of = [&](Index j) { return 2 * quadratic.in(j).lambda2() - quadratic.d(j); };  // 2 lambda2
  const auto count_rounding = [&](Index j) {
    squares += quadratic.row(j)[j] + ridge_of(j);
    least_ridge = std::min(least_ridge, ridge_of(j));
  };
  for (Index k = 0; k < e; ++k) {
    const Index j = elimination.in[k];
    const auto row = quadratic.row(j);
    for (Index l = 0; l < e; ++l) A(l, k) = row[elimination.in[l]];
    for (Index l = 0; l < r; ++l) side(k, l) = row[elimination.rest[l]];
    A(k, k) += ridge_of(j);
    side(k, r) = quadratic.c(j) - quadratic.in(j).lambda1() * elimination.signs[k];
    constant += quadratic.in(j).value(0);
    count_rounding(j);
  }
  for (const Index j : elimination.rest) count_rounding(j);
  const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> factor(A);
  if (factor.info() != Eigen::Success || !(A.diagonal().minCoeff() > 1e-5 * A.diagonal().maxCoeff())) return nullptr;
  factor.matrixL().solveInPlace(side);
  const Eigen::MatrixXd products = side.transpose() * side;
  // Computed Schur complements are exact for a matrix that is a few roundings away; coefficients of a solution that is
  // no worse than `objective` make of that at most:
  const double length = squares * 2 * objective / least_ridge + 2 * quadratic.constant();
  const double allowance = 8 * static_cast<double>(e + 2) * core::unit_roundoff * length;
  if (!(allowance <= most_allowance)) return nullptr;
  constant -= 0.5 * products(r, r) + allowance;
  if (for_record) {
    for (const Index j : elimination.in) elimination.ridge.push_back(ridge_of(j));
    factor.matrixU().solveInPlace(side);
    elimination.back.assign(side.data(), side.data() + side.size());
  }
  auto H = std::make_shared<Eigen::MatrixXd>(r, r);
  std::vector<double> c;
  std::vector<ColumnSize> sizes;
  std::vector<Coordinate> free, in;
  for (Index k = 0; k < r; ++k) {
    const Index j = elimination.rest[k];
    const auto row = quadratic.row(j);
    for (Index l = 0; l < r; ++l) (*H)(l, k) = row[elimination.rest[l]] - products(l, k);
    c.push_back(quadratic.c(j) - products(k, r));
    sizes.push_back(quadratic.column(j));
    free.push_back(quadratic.free(j).with_lambda2(0.5 * ridge_of(j)));
    in.push_back(quadratic.in(j).with_lambda2(0.5 * ridge_of(j)));
  }
  const auto make_rows = [H, r](std::span<const Index> features, std::span<double* const> rows) {
    for (std::size_t k = 0; k < features.size(); ++k) std::copy_n(H->col(features[k]).data(), r, rows[k]);
  };
  return std::make_unique<Quadratic>(make_rows, std::move(c), std::move(sizes), constant, quadratic.target(),
                                     std::move(free), std::move(in));
}

}  // namespace ellzero::exact::gram
