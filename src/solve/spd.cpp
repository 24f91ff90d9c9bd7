// Cholesky by Eigen behind spd.hpp.
#include "solve/spd.hpp"

#include <Eigen/Cholesky>

namespace ellzero::solve {

bool solve_spd(std::span<double> H, std::span<double> rhs) {
  const auto k = static_cast<Index>(rhs.size());
  Eigen::Map<Eigen::MatrixXd> matrix(H.data(), k, k);
  Eigen::Map<Eigen::VectorXd> x(rhs.data(), k);
  matrix.diagonal() *= 1 + 1e-13;
  const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> factor(matrix);
  if (factor.info() != Eigen::Success) return false;
  factor.solveInPlace(x);
  return x.allFinite();
}

bool is_definite(std::span<double> H, Index k) {
  Eigen::Map<Eigen::MatrixXd> matrix(H.data(), k, k);
  const Eigen::VectorXd before = matrix.diagonal();
  const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> factor(matrix);
  constexpr double least = 1e-8;  // share of a column's square that the others leave
  return factor.info() == Eigen::Success && (matrix.diagonal().array().square() > least * before.array()).all();
}

}  // namespace ellzero::solve
