// Local search over supports in Gram space, with coefficients re-optimised in every move.
//
//   min over S in C of  b'Gb/2 - c'b + lambda1 |b|_1 + lambda2 |b|^2 + sum_{i in S} jump_i                      (11.1)
//
// For a support with fixed signs, b = U (c_S - lambda1 sign) with U = (G_SS + 2 lambda2 I)^-1 (11.2). Kept beside it:
// Z = G_CS U, the correlations v = c - G_CS b and the Schur complements of every candidate, so that the value of each
// add, drop and swap is known exactly (while signs hold) without solving anything                              (11.3)
//   drop i:        b_i^2 / (2 U_ii) - jump_i
//   add j:         -(|v_j| - lambda1)^2 / (2 schur_j) + jump_j
//   i out, j in:   b_i^2 / (2 U_ii) - (|v_j + (b_i / U_ii) Z_ji| - lambda1)^2 / (2 (schur_j + Z_ji^2 / U_ii))
// A move costs O(|C| |S|), a look at all swaps the same. If a sign flips, the feature that flipped is dropped and the
// move stands only if the whole still pays.
#pragma once

#include <limits>
#include <random>
#include <span>
#include <vector>

#include "core/stop.hpp"
#include "ellzero/dataset.hpp"

namespace ellzero::solve {

struct GramModel {
  Index size = 0;
  std::vector<double> G;  ///< symmetric, without ridge: the lower triangle, row by row
  std::vector<double> c;
  std::vector<double> jump;  ///< price of each candidate
  std::vector<char> fixed;   ///< never dropped
  double lambda1 = 0;
  double lambda2 = 0;

  [[nodiscard]] double gram(Index i, Index j) const { return i < j ? G[j * (j + 1) / 2 + i] : G[i * (i + 1) / 2 + j]; }
};

struct SearchEffort {
  int kicks = 0;      ///< seeded random kicks: drop a few, keep them out, refill
  int patience = 0;   ///< kicks without a gain after which to stop
  int forced = 0;     ///< how many of the support are forced out, and of the candidates in, one at a time
  double uphill = 0;  ///< share of the objective that a kick may lose and still be walked on from
  std::uint64_t seed = 0;
};

class GramSearch {
 public:
  /// Supports have at most `limit` members that are not fixed.
  explicit GramSearch(const GramModel& model, Index limit = std::numeric_limits<Index>::max());

  /// Starts from a support; members whose coefficient would have no sign are left out.
  void start(std::span<const Index> support);

  /// Adds, drops and swaps until none pays.
  void improve(core::Stop& stop);

  /// improve(), then forced moves and kicks; keeps the best support seen.
  void search(const SearchEffort& effort, core::Stop& stop);

  [[nodiscard]] double value() const { return at_.value; }
  [[nodiscard]] std::vector<Index> support() const { return at_.support; }

  struct Move {
    double change = 0;  ///< of the objective; negative is better
    Index out = -1;     ///< candidate that leaves, or -1
    Index in = -1;      ///< candidate that enters, or -1
  };
  /// The best single moves, best first; changes are exact only while signs hold.
  [[nodiscard]] std::vector<Move> best_moves(std::size_t count) const;

 private:
  /// Everything that belongs to one support; slots number its members.
  struct State {
    double value = 0;
    std::vector<Index> support;          ///< candidate in each slot
    std::vector<double> sign, b;         ///< per slot
    std::vector<double> U;               ///< slot s, slot t at U[s * capacity + t]
    std::vector<std::vector<double>> Z;  ///< per slot, and some to spare: one number per candidate
    std::vector<double> v, schur;        ///< per candidate
    std::vector<Index> slot;             ///< per candidate, -1 outside
  };

  void clear();
  void reserve(Index members);
  bool add(Index j);
  void drop(Index slot);
  bool drop_flipped();
  bool try_move(const Move& move);
  [[nodiscard]] bool flips(const Move& move) const;
  [[nodiscard]] Move best_add() const;
  [[nodiscard]] Move best_drop() const;
  [[nodiscard]] Move best_swap() const;
  [[nodiscard]] Move swap_for_slot(Index slot) const;
  [[nodiscard]] bool spanned(Index j, double schur) const;
  [[nodiscard]] bool rejected(const Move& move) const;
  void force_each(int count, core::Stop& stop);
  void kick(std::mt19937_64& rng, core::Stop& stop);
  void shrink_to_limit();
  [[nodiscard]] Index unfixed() const;
  void keep_if_better();
  void copy(const State& from, State& to) const;

  const GramModel& model_;
  Index limit_;
  Index capacity_ = 0;
  State at_, saved_, best_, walk_;
  std::vector<char> locked_out_, locked_in_;
  std::vector<Move> rejected_;
  std::vector<double> w_;
};

}  // namespace ellzero::solve
