// DualAst: Algorithm 1 of the paper without its primal steps, on all features.
//
// repeat: 1. alpha <- Proj_F(alpha + omega_t super-gradient)                                                     (3.6)
//         2. beta <- link(alpha)                                                                                 (3.5)
//         3. gap = P(beta) - D(alpha)
// until the gap is below xi, or has changed by less than zeta over two rounds. One product with all features a round.
#pragma once

#include "paper/dual_iterate.hpp"
#include "paper/outcome.hpp"
#include "paper/primal_iterate.hpp"
#include "paper/stopping_rule.hpp"
#include "paper/trace.hpp"

namespace ellzero::paper {

template <class L>
Outcome dual_ascent(const problem::Problem<L>& problem, const Rules& rules, core::Stop& stop);

}  // namespace ellzero::paper
