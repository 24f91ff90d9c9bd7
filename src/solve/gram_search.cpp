// The moves of gram_search.hpp: rank-one updates, exact move values, forced moves and kicks.
#include "solve/gram_search.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "core/kernels.hpp"

namespace ellzero::solve {
namespace {

/// A change of the objective below this share of it is rounding.
constexpr double least_gain = 1e-11;

/// A candidate with less than this share of its own square left beside the support is spanned by it.
constexpr double least_schur = 1e-8;

/// Rank-one updates gather rounding errors: after so many moves everything is worked out afresh.
constexpr int moves_until_rebuild = 64;

/// Kicks without a gain after which the walk over local optima starts again from the best.
constexpr int home_after = 40;

double square(double x) { return x * x; }

}  // namespace

GramSearch::GramSearch(const GramModel& model, Index limit)
    : model_(model), limit_(limit), locked_out_(model.c.size(), 0), locked_in_(model.fixed), w_(model.c.size()) {
  at_.v.resize(model.c.size());
  at_.schur.resize(model.c.size());
  at_.slot.resize(model.c.size());
  clear();
}

/// Room for one more member: U and Z grow with the support, not with the candidates, in the states that are in use.
void GramSearch::reserve(Index members) {
  if (members <= capacity_) return;
  const Index wider = std::max(members, capacity_ + capacity_ / 8 + 8);
  for (State* state : {&at_, &saved_, &best_, &walk_}) {
    if (state != &at_ && state->U.empty()) continue;
    std::vector<double> U(static_cast<std::size_t>(wider * wider));
    for (Index i = 0; i < capacity_; ++i)
      std::copy_n(state->U.begin() + i * capacity_, capacity_, U.begin() + i * wider);
    state->U = std::move(U);
  }
  capacity_ = wider;
}

void GramSearch::clear() {
  at_.value = 0;
  at_.support.clear();
  at_.sign.clear();
  at_.b.clear();
  at_.v = model_.c;
  for (Index k = 0; k < model_.size; ++k) at_.schur[k] = model_.gram(k, k) + 2 * model_.lambda2;
  std::fill(at_.slot.begin(), at_.slot.end(), Index{-1});
}

void GramSearch::start(std::span<const Index> support) {
  clear();
  for (Index j = 0; j < model_.size; ++j)
    if (model_.fixed[j] != 0) add(j);
  for (const Index j : support)
    if (at_.slot[j] < 0) add(j);
  drop_flipped();
  shrink_to_limit();
  rejected_.clear();
}

Index GramSearch::unfixed() const {
  return std::count_if(at_.support.begin(), at_.support.end(), [&](Index j) { return model_.fixed[j] == 0; });
}

/// Drops the cheapest members until the support is within its limit.
void GramSearch::shrink_to_limit() {
  while (unfixed() > limit_) {
    Index cheapest = -1;
    double least = std::numeric_limits<double>::infinity();
    for (Index i = 0; i < static_cast<Index>(at_.support.size()); ++i) {
      const double price = 0.5 * square(at_.b[i]) / at_.U[i * capacity_ + i] - model_.jump[at_.support[i]];
      if (locked_in_[at_.support[i]] == 0 && price < least) {
        least = price;
        cheapest = i;
      }
    }
    if (cheapest < 0) return;  // all of them are fixed
    drop(cheapest);
    drop_flipped();
  }
}

bool GramSearch::add(Index j) {
  const double a = std::abs(at_.v[j]) - model_.lambda1, s = at_.schur[j];
  if (a <= 0 || spanned(j, s)) return false;  // no sign, or nothing new
  const Index m = static_cast<Index>(at_.support.size()), n = model_.size;
  reserve(m + 1);
  if (m == static_cast<Index>(at_.Z.size())) at_.Z.emplace_back(static_cast<std::size_t>(n));
  const std::span<double> w(w_);
  for (Index k = 0; k < n; ++k) w[k] = model_.gram(j, k);
  for (Index i = 0; i < m; ++i) core::axpy(-model_.gram(j, at_.support[i]), at_.Z[i].data(), w);
  const double sign = at_.v[j] > 0 ? 1 : -1, bj = sign * a / s;
  double* last = at_.U.data() + m * capacity_;
  for (Index i = 0; i < m; ++i) {
    const double z = at_.Z[i][j];
    at_.b[i] -= z * bj;
    last[i] = at_.U[i * capacity_ + m] = -z / s;
  }
  last[m] = 1 / s;
  for (Index i = 0; i < m; ++i) {
    const double z = at_.Z[i][j];
    core::axpy(-z, last, {at_.U.data() + i * capacity_, static_cast<std::size_t>(m)});
    core::axpy(-z / s, w_.data(), std::span(at_.Z[i]));
  }
  double* z_new = at_.Z[m].data();
  for (Index k = 0; k < n; ++k) {
    z_new[k] = w_[k] / s;
    at_.v[k] -= w_[k] * bj;
    at_.schur[k] -= w_[k] * z_new[k];
  }
  at_.slot[j] = m;
  at_.support.push_back(j);
  at_.sign.push_back(sign);
  at_.b.push_back(bj);
  at_.value += model_.jump[j] - 0.5 * a * a / s;
  return true;
}

void GramSearch::drop(Index slot) {
  const Index m = static_cast<Index>(at_.support.size()), n = model_.size, j = at_.support[slot];
  const double u = at_.U[slot * capacity_ + slot], ratio = at_.b[slot] / u;
  const double* row = at_.U.data() + slot * capacity_;
  const double* z = at_.Z[slot].data();
  at_.value += 0.5 * at_.b[slot] * ratio - model_.jump[j];
  for (Index k = 0; k < n; ++k) {
    at_.v[k] += z[k] * ratio;
    at_.schur[k] += square(z[k]) / u;
  }
  for (Index i = 0; i < m; ++i) {
    if (i == slot) continue;
    const double f = row[i] / u;
    at_.b[i] -= row[i] * ratio;
    core::axpy(-f, row, {at_.U.data() + i * capacity_, static_cast<std::size_t>(m)});
    core::axpy(-f, z, std::span(at_.Z[i]));
  }
  at_.schur[j] = 1 / u;
  at_.slot[j] = -1;
  const Index last = m - 1;
  if (slot != last) {  // the last slot moves into the gap
    at_.support[slot] = at_.support[last];
    at_.sign[slot] = at_.sign[last];
    at_.b[slot] = at_.b[last];
    at_.slot[at_.support[slot]] = slot;
    std::copy_n(at_.U.begin() + last * capacity_, m, at_.U.begin() + slot * capacity_);
    for (Index i = 0; i < m; ++i) at_.U[i * capacity_ + slot] = at_.U[i * capacity_ + last];
    at_.Z[slot].swap(at_.Z[last]);
  }
  at_.support.pop_back();
  at_.sign.pop_back();
  at_.b.pop_back();
}

bool GramSearch::drop_flipped() {
  bool any = false;
  for (bool again = model_.lambda1 > 0; again;) {
    again = false;
    for (Index i = 0; i < static_cast<Index>(at_.support.size()); ++i)
      if (at_.b[i] * at_.sign[i] < 0) {
        drop(i);
        again = any = true;
        break;
      }
  }
  return any;
}

GramSearch::Move GramSearch::best_add() const {
  Move best;
  if (unfixed() >= limit_) return best;
  for (Index k = 0; k < model_.size; ++k) {
    const double a = std::abs(at_.v[k]) - model_.lambda1;
    if (at_.slot[k] >= 0 || a <= 0 || locked_out_[k] != 0) continue;
    const double change = model_.jump[k] - 0.5 * a * a / at_.schur[k];
    if (change < best.change && !spanned(k, at_.schur[k])) {
      const Move move{change, -1, k};
      if (!rejected(move)) best = move;
    }
  }
  return best;
}

GramSearch::Move GramSearch::best_drop() const {
  Move best;
  for (Index i = 0; i < static_cast<Index>(at_.support.size()); ++i) {
    const Index j = at_.support[i];
    if (locked_in_[j] != 0) continue;
    const double change = 0.5 * square(at_.b[i]) / at_.U[i * capacity_ + i] - model_.jump[j];
    if (change < best.change) best = {change, j, -1};
  }
  return best;
}

GramSearch::Move GramSearch::swap_for_slot(Index slot) const {
  const Index n = model_.size, i = at_.support[slot];
  const double u = at_.U[slot * capacity_ + slot], ratio = at_.b[slot] / u;
  const double price = 0.5 * at_.b[slot] * ratio - model_.jump[i];
  const double* z = at_.Z[slot].data();
  Move best;
  // The scan stops only at pairs that would beat the best so far: hardly ever, near a local optimum.
  core::SwapScan scan{at_.v.data(), z, at_.schur.data(), model_.jump.data(), ratio, model_.lambda1, 1 / u, price};
  for (Index k = core::first_swap(scan, 0, n); k < n; k = core::first_swap(scan, k + 1, n)) {
    const double a = std::abs(at_.v[k] + ratio * z[k]) - model_.lambda1, s = at_.schur[k] + square(z[k]) / u;
    if (at_.slot[k] >= 0 || locked_out_[k] != 0 || a <= 0 || spanned(k, s)) continue;
    const Move move{price + model_.jump[k] - 0.5 * a * a / s, i, k};
    if (move.change >= best.change || rejected(move)) continue;
    best = move;
    scan.d = price - best.change;
  }
  return best;
}

GramSearch::Move GramSearch::best_swap() const {
  Move best;
  for (Index i = 0; i < static_cast<Index>(at_.support.size()); ++i) {
    if (locked_in_[at_.support[i]] != 0) continue;
    const Move move = swap_for_slot(i);
    if (move.change < best.change) best = move;
  }
  return best;
}

bool GramSearch::rejected(const Move& move) const {
  return std::any_of(rejected_.begin(), rejected_.end(),
                     [&](const Move& r) { return r.in == move.in && r.out == move.out; });
}

/// Whether a move would turn some coefficient's sign, O(|S|).
bool GramSearch::flips(const Move& move) const {
  if (model_.lambda1 == 0) return false;
  const Index m = static_cast<Index>(at_.support.size());
  const Index slot = move.out < 0 ? -1 : at_.slot[move.out];
  const double* row = slot < 0 ? nullptr : at_.U.data() + slot * capacity_;
  const double inverse = slot < 0 ? 0 : 1 / row[slot], ratio = slot < 0 ? 0 : at_.b[slot] * inverse;
  const double z_out = slot < 0 || move.in < 0 ? 0 : at_.Z[slot][move.in];
  double entering = 0;
  if (move.in >= 0) {
    const double v = at_.v[move.in] + z_out * ratio, s = at_.schur[move.in] + square(z_out) * inverse;
    entering = std::copysign((std::abs(v) - model_.lambda1) / s, v);
  }
  for (Index i = 0; i < m; ++i) {
    if (i == slot) continue;
    const double u = slot < 0 ? 0 : row[i];
    const double z = move.in < 0 ? 0 : at_.Z[i][move.in] - z_out * u * inverse;
    if ((at_.b[i] - u * ratio - z * entering) * at_.sign[i] < 0) return true;
  }
  return false;
}

bool GramSearch::try_move(const Move& move) {
  const double before = at_.value;
  const bool risky = flips(move);
  if (risky) copy(at_, saved_);
  if (move.out >= 0) drop(at_.slot[move.out]);
  const bool entered = move.in < 0 || add(move.in);
  if (entered) drop_flipped();
  if (entered && at_.value < before - least_gain * std::abs(before)) {
    rejected_.clear();
    return true;
  }
  if (risky) copy(saved_, at_);
  else if (!entered) add(move.out);  // the exchange stopped half way
  rejected_.push_back(move);
  return false;
}

void GramSearch::improve(core::Stop& stop) {
  rejected_.clear();
  constexpr std::size_t most_rejected = 20;
  const int most_moves = 20 * static_cast<int>(model_.size) + 100;  // only rounding could make it go on for ever
  for (int moves = 0; moves < most_moves && rejected_.size() < most_rejected && !stop.now(); ++moves) {
    const double enough = -least_gain * std::abs(at_.value);
    Move move = best_add();
    if (const Move other = best_drop(); other.change < move.change) move = other;
    if (move.change >= enough) move = best_swap();
    if (move.change >= enough) break;
    try_move(move);
    if (moves % moves_until_rebuild == moves_until_rebuild - 1) start(support());
  }
}

bool GramSearch::spanned(Index j, double schur) const {
  return schur <= least_schur * (model_.gram(j, j) + 2 * model_.lambda2);
}

std::vector<GramSearch::Move> GramSearch::best_moves(std::size_t count) const {
  std::vector<Move> moves;
  for (Index i = 0; i < static_cast<Index>(at_.support.size()); ++i) {
    const Index j = at_.support[i];
    if (locked_in_[j] != 0) continue;
    const double price = 0.5 * square(at_.b[i]) / at_.U[i * capacity_ + i] - model_.jump[j];
    moves.push_back({price, j, -1});
    if (const Move swap = swap_for_slot(i); swap.in >= 0) moves.push_back(swap);
  }
  for (Index k = 0; k < model_.size && unfixed() < limit_; ++k) {
    const double a = std::abs(at_.v[k]) - model_.lambda1;
    if (at_.slot[k] < 0 && a > 0) moves.push_back({model_.jump[k] - 0.5 * a * a / at_.schur[k], -1, k});
  }
  std::sort(moves.begin(), moves.end(), [](const Move& a, const Move& b) { return a.change < b.change; });
  if (moves.size() > count) moves.resize(count);
  return moves;
}

void GramSearch::search(const SearchEffort& effort, core::Stop& stop) {
  improve(stop);
  copy(at_, best_);
  if (effort.forced > 0) force_each(effort.forced, stop);
  std::mt19937_64 rng(effort.seed);
  int idle = 0;
  for (int k = 0; k < effort.kicks && idle < effort.patience && !stop.now(); ++k) {
    const double before = best_.value;
    if (effort.uphill > 0) copy(at_, walk_);
    const State& home = effort.uphill > 0 ? walk_ : best_;
    kick(rng, stop);
    if (at_.value < best_.value - least_gain * std::abs(best_.value)) copy(at_, best_);
    idle = best_.value < before ? 0 : idle + 1;
    // A walk over local optima: a little uphill is allowed, and now and then it starts again from the best.
    if (idle % home_after == home_after - 1) copy(best_, at_);
    else if (at_.value > home.value + effort.uphill * std::abs(best_.value)) copy(home, at_);
  }
  if (stop.now()) copy(best_, at_);
  else start(best_.support);  // rounding of many updates ends here
}

void GramSearch::keep_if_better() {
  if (at_.value < best_.value - least_gain * std::abs(best_.value)) copy(at_, best_);
  else copy(best_, at_);
}

/// Forces members of the support out and candidates in, one at a time, cheapest first, and searches from there.
void GramSearch::force_each(int count, core::Stop& stop) {
  for (int round = 0; round < 50; ++round) {
    const double before = best_.value;
    std::vector<Move> moves;
    for (Index i = 0; i < static_cast<Index>(at_.support.size()); ++i)
      if (const Index j = at_.support[i]; model_.fixed[j] == 0)
        moves.push_back({0.5 * square(at_.b[i]) / at_.U[i * capacity_ + i], j, -1});
    const auto by_change = [](const Move& a, const Move& b) { return a.change < b.change; };
    const auto most = [&](std::size_t size) { return std::min(size, static_cast<std::size_t>(count)); };
    std::sort(moves.begin(), moves.end(), by_change);
    moves.resize(most(moves.size()));
    std::vector<Move> entries;
    for (Index k = 0; k < model_.size; ++k) {
      const double a = std::abs(at_.v[k]) - model_.lambda1;
      if (at_.slot[k] < 0 && a > 0) entries.push_back({-0.5 * a * a / at_.schur[k], -1, k});
    }
    std::sort(entries.begin(), entries.end(), by_change);
    entries.resize(most(entries.size()));
    moves.insert(moves.end(), entries.begin(), entries.end());
    for (const Move& move : moves) {
      if (stop.now()) return;
      const bool out = move.out >= 0;
      const Index j = out ? move.out : move.in;
      if ((at_.slot[j] >= 0) != out) continue;  // an earlier success has done it already
      if (out) drop(at_.slot[j]);
      else if (!add(j)) continue;
      (out ? locked_out_ : locked_in_)[j] = 1;
      drop_flipped();
      shrink_to_limit();
      improve(stop);
      (out ? locked_out_ : locked_in_)[j] = out ? char{0} : model_.fixed[j];
      improve(stop);
      keep_if_better();
    }
    if (!(best_.value < before)) break;
  }
}

/// Drops one to six members at random, keeps them out while the rest settles, then lets them back in.
void GramSearch::kick(std::mt19937_64& rng, core::Stop& stop) {
  std::vector<Index> dropped;
  const auto wanted = 1 + rng() % 6;
  for (std::uint64_t k = 0; k < wanted && !at_.support.empty(); ++k) {
    const auto slot = static_cast<Index>(rng() % at_.support.size());
    const Index j = at_.support[slot];
    if (model_.fixed[j] != 0) continue;
    drop(slot);
    locked_out_[j] = 1;
    dropped.push_back(j);
  }
  drop_flipped();
  improve(stop);
  for (const Index j : dropped) locked_out_[j] = 0;
  improve(stop);
}

void GramSearch::copy(const State& from, State& to) const {
  const auto m = static_cast<Index>(from.support.size());
  to.value = from.value;
  to.support = from.support;
  to.sign = from.sign;
  to.b = from.b;
  to.v = from.v;
  to.schur = from.schur;
  to.slot = from.slot;
  to.U.resize(static_cast<std::size_t>(capacity_ * capacity_));
  std::copy_n(from.U.begin(), m * capacity_, to.U.begin());
  if (to.Z.size() < from.support.size()) to.Z.resize(from.support.size());
  for (Index i = 0; i < m; ++i) to.Z[i] = from.Z[i];
}

}  // namespace ellzero::solve
