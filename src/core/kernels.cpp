// The kernels of kernels.hpp, compiled once per instruction set (Highway) and dispatched at run time.
#include "core/kernels.hpp"

#include <algorithm>
#include <cmath>

#include "core/rounding.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels.cpp"
#include <hwy/foreach_target.h>
// The macros above must come first.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ellzero::core::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::ScalableTag<double>;
using Vec = hn::Vec<Doubles>;

HWY_INLINE Vec load(Doubles d, const double* x) { return hn::LoadU(d, x); }
HWY_INLINE Vec load(Doubles d, const float* x) { return hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, Doubles>(), x)); }

/// One column over one tile of rows. Its partial sums, four vectors of them, hide the latency of the additions; one
/// column at a time keeps memory reads in one stream, which the hardware fetches ahead better than several.
template <class T>
HWY_INLINE double tile_dot(const T* HWY_RESTRICT x, const double* HWY_RESTRICT v, Index n) {
  constexpr int unroll = 4;
  static_assert(unroll >= dot_lanes);
  const Doubles d;
  const auto lanes = static_cast<Index>(hn::Lanes(d));
  Vec sums[unroll];
  for (auto& sum : sums) sum = hn::Zero(d);
  Index i = 0;
  for (; i + unroll * lanes <= n; i += unroll * lanes)
    for (int k = 0; k < unroll; ++k)
      sums[k] = hn::MulAdd(load(d, x + i + k * lanes), hn::LoadU(d, v + i + k * lanes), sums[k]);
  for (int k = 0; i + lanes <= n; i += lanes, ++k) sums[k] = hn::MulAdd(load(d, x + i), hn::LoadU(d, v + i), sums[k]);
  for (int half = unroll / 2; half > 0; half /= 2)
    for (int k = 0; k < half; ++k) sums[k] = hn::Add(sums[k], sums[k + half]);
  double total = hn::GetLane(hn::SumOfLanes(d, sums[0]));
  for (; i < n; ++i) total += static_cast<double>(x[i]) * v[i];
  return total;
}

/// Long columns are cut into chunks, so that v comes from cache for every column but the first; a chunk into tiles,
/// whose sums bound the rounding error (rounding.hpp).
template <class T>
void column_dots(std::span<const T* const> columns, std::span<const double> v, double* out) {
  constexpr Index chunk = 32 * dot_tile;
  const auto n = static_cast<Index>(v.size());
  std::fill(out, out + columns.size(), 0.0);
  for (Index begin = 0; begin < n; begin += chunk)
    for (std::size_t c = 0; c < columns.size(); ++c)
      for (Index first = begin; first < std::min(n, begin + chunk); first += dot_tile)
        out[c] += tile_dot(columns[c] + first, v.data() + first, std::min(dot_tile, n - first));
}

/// C columns times V vectors over one tile of rows, out[k * stride + c] += x_c' v_k. Every product has partial sums of
/// its own, dot_lanes of them or one vector, in the same order for all C and V.
template <int C, int V, class T>
HWY_INLINE void tile_dots(const T* const* x, const double* const* v, Index first, Index n, double* out, Index stride) {
  const Doubles d;
  constexpr auto lanes = static_cast<Index>(hn::MaxLanes(Doubles()));
  constexpr Index unroll = lanes < dot_lanes ? dot_lanes / lanes : 1;
  Vec sums[C][V][unroll];
  for (auto& of_column : sums)
    for (auto& of_pair : of_column)
      for (auto& sum : of_pair) sum = hn::Zero(d);
  Index i = first;
  for (; i + unroll * lanes <= first + n; i += unroll * lanes)
    for (Index u = 0; u < unroll; ++u)
      for (int c = 0; c < C; ++c) {
        const Vec entry = load(d, x[c] + i + u * lanes);
        for (int k = 0; k < V; ++k)
          sums[c][k][u] = hn::MulAdd(entry, hn::LoadU(d, v[k] + i + u * lanes), sums[c][k][u]);
      }
  for (int c = 0; c < C; ++c)
    for (int k = 0; k < V; ++k) {
      Vec sum = sums[c][k][0];
      for (Index u = 1; u < unroll; ++u) sum = hn::Add(sum, sums[c][k][u]);
      double total = hn::GetLane(hn::SumOfLanes(d, sum));
      for (Index rest = i; rest < first + n; ++rest) total += static_cast<double>(x[c][rest]) * v[k][rest];
      out[k * stride + c] += total;
    }
}

/// V vectors and all columns over one tile of rows, C columns at a time.
template <int C, int V, class T>
HWY_INLINE void tile_rows(std::span<const T* const> columns, const double* const* v, Index first, Index n,
                          double* out) {
  const auto count = static_cast<Index>(columns.size());
  Index c = 0;
  for (; c + C <= count; c += C) tile_dots<C, V>(&columns[c], v, first, n, out + c, count);
  for (; c < count; ++c) tile_dots<1, V>(&columns[c], v, first, n, out + c, count);
}

template <class T>
void dot_matrix(std::span<const T* const> columns, std::span<const double* const> v, Index n, double* out) {
  constexpr std::size_t together =
      4;  // with two columns: eight sums hide the latency of additions, in any register file
  std::fill(out, out + columns.size() * v.size(), 0.0);
  for (Index first = 0; first < n; first += dot_tile) {
    const Index rows = std::min(dot_tile, n - first);
    std::size_t k = 0;
    for (; k + together <= v.size(); k += together)
      tile_rows<2, together>(columns, &v[k], first, rows, out + k * columns.size());
    for (; k < v.size(); ++k) tile_rows<8, 1>(columns, &v[k], first, rows, out + k * columns.size());
  }
}

template <class T>
double centred_square_sum(const T* HWY_RESTRICT x, const double* HWY_RESTRICT w, Index n, double mean) {
  const Doubles d;
  const auto lanes = static_cast<Index>(hn::Lanes(d));
  const Vec centre = hn::Set(d, mean);
  Vec sums[4] = {hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
  Index i = 0;
  for (; i + 4 * lanes <= n; i += 4 * lanes)
    for (int k = 0; k < 4; ++k) {
      const Vec distance = hn::Sub(load(d, x + i + k * lanes), centre);
      sums[k] = hn::MulAdd(hn::Mul(hn::LoadU(d, w + i + k * lanes), distance), distance, sums[k]);
    }
  double total = hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(sums[0], sums[1]), hn::Add(sums[2], sums[3]))));
  for (; i < n; ++i) {
    const double distance = static_cast<double>(x[i]) - mean;
    total += w[i] * distance * distance;
  }
  return total;
}

template <class T>
void axpy(double c, const T* HWY_RESTRICT x, double* HWY_RESTRICT y, Index n) {
  const Doubles d;
  const auto lanes = static_cast<Index>(hn::Lanes(d));
  const Vec factor = hn::Set(d, c);
  Index i = 0;
  for (; i + 2 * lanes <= n; i += 2 * lanes) {
    hn::StoreU(hn::MulAdd(factor, load(d, x + i), hn::LoadU(d, y + i)), d, y + i);
    hn::StoreU(hn::MulAdd(factor, load(d, x + i + lanes), hn::LoadU(d, y + i + lanes)), d, y + i + lanes);
  }
  for (; i < n; ++i) y[i] += c * static_cast<double>(x[i]);
}

void axpy_product(double c, const double* HWY_RESTRICT x, const double* HWY_RESTRICT v, double* HWY_RESTRICT y,
                  Index n) {
  const Doubles d;
  const auto lanes = static_cast<Index>(hn::Lanes(d));
  const Vec factor = hn::Set(d, c);
  Index i = 0;
  for (; i + lanes <= n; i += lanes)
    hn::StoreU(hn::MulAdd(hn::Mul(factor, hn::LoadU(d, v + i)), hn::LoadU(d, x + i), hn::LoadU(d, y + i)), d, y + i);
  for (; i < n; ++i) y[i] += c * v[i] * x[i];
}

HWY_INLINE bool swap_at(const SwapScan& scan, Index k) {
  const double a = std::abs(scan.v[k] + scan.r * scan.z[k]) - scan.l;
  return a > 0 && a * a > 2 * (scan.s[k] + scan.z[k] * scan.z[k] * scan.q) * (scan.c[k] + scan.d);
}

Index first_swap(const SwapScan& scan, Index from, Index to) {
  const Doubles d;
  const auto lanes = static_cast<Index>(hn::Lanes(d));
  const Vec r = hn::Set(d, scan.r), l = hn::Set(d, scan.l), q = hn::Set(d, scan.q), extra = hn::Set(d, scan.d);
  Index k = from;
  for (; k + lanes <= to; k += lanes) {
    const Vec z = hn::LoadU(d, scan.z + k);
    const Vec a = hn::Max(hn::Sub(hn::Abs(hn::MulAdd(r, z, hn::LoadU(d, scan.v + k))), l), hn::Zero(d));
    const Vec s = hn::MulAdd(hn::Mul(z, z), q, hn::LoadU(d, scan.s + k));
    const Vec price = hn::Mul(hn::Add(s, s), hn::Add(hn::LoadU(d, scan.c + k), extra));
    if (!hn::AllFalse(d, hn::Gt(hn::Mul(a, a), price))) break;
  }
  for (; k < to; ++k)
    if (swap_at(scan, k)) return k;
  return to;
}

// Highway's dispatch tables want plain functions, one per type.
void column_dots_double(std::span<const double* const> x, std::span<const double> v, double* out) {
  column_dots(x, v, out);
}
void column_dots_float(std::span<const float* const> x, std::span<const double> v, double* out) {
  column_dots(x, v, out);
}
void dot_matrix_double(std::span<const double* const> x, std::span<const double* const> v, Index n, double* out) {
  dot_matrix(x, v, n, out);
}
void dot_matrix_float(std::span<const float* const> x, std::span<const double* const> v, Index n, double* out) {
  dot_matrix(x, v, n, out);
}
double square_sum_double(const double* x, const double* w, Index n, double mean) {
  return centred_square_sum(x, w, n, mean);
}
double square_sum_float(const float* x, const double* w, Index n, double mean) {
  return centred_square_sum(x, w, n, mean);
}
void axpy_double(double c, const double* x, double* y, Index n) { axpy(c, x, y, n); }
void axpy_float(double c, const float* x, double* y, Index n) { axpy(c, x, y, n); }
const char* target_name() { return hwy::TargetName(HWY_TARGET); }

}  // namespace ellzero::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ellzero::core {
HWY_EXPORT(column_dots_double);
HWY_EXPORT(column_dots_float);
HWY_EXPORT(dot_matrix_double);
HWY_EXPORT(dot_matrix_float);
HWY_EXPORT(square_sum_double);
HWY_EXPORT(square_sum_float);
HWY_EXPORT(axpy_double);
HWY_EXPORT(axpy_float);
HWY_EXPORT(axpy_product);
HWY_EXPORT(first_swap);
HWY_EXPORT(target_name);

template <>
void column_dots(std::span<const double* const> columns, std::span<const double> v, double* out) {
  HWY_DYNAMIC_DISPATCH(column_dots_double)(columns, v, out);
}
template <>
void column_dots(std::span<const float* const> columns, std::span<const double> v, double* out) {
  HWY_DYNAMIC_DISPATCH(column_dots_float)(columns, v, out);
}
template <>
void dot_matrix(std::span<const double* const> columns, std::span<const double* const> v, Index n, double* out) {
  HWY_DYNAMIC_DISPATCH(dot_matrix_double)(columns, v, n, out);
}
template <>
void dot_matrix(std::span<const float* const> columns, std::span<const double* const> v, Index n, double* out) {
  HWY_DYNAMIC_DISPATCH(dot_matrix_float)(columns, v, n, out);
}
template <>
double centred_square_sum(const double* x, std::span<const double> w, double mean) {
  return HWY_DYNAMIC_DISPATCH(square_sum_double)(x, w.data(), static_cast<Index>(w.size()), mean);
}
template <>
double centred_square_sum(const float* x, std::span<const double> w, double mean) {
  return HWY_DYNAMIC_DISPATCH(square_sum_float)(x, w.data(), static_cast<Index>(w.size()), mean);
}
template <>
void axpy(double c, const double* x, std::span<double> y) {
  HWY_DYNAMIC_DISPATCH(axpy_double)(c, x, y.data(), static_cast<Index>(y.size()));
}
template <>
void axpy(double c, const float* x, std::span<double> y) {
  HWY_DYNAMIC_DISPATCH(axpy_float)(c, x, y.data(), static_cast<Index>(y.size()));
}
void axpy_product(double c, const double* x, std::span<const double> v, std::span<double> y) {
  HWY_DYNAMIC_DISPATCH(axpy_product)(c, x, v.data(), y.data(), static_cast<Index>(y.size()));
}
Index first_swap(const SwapScan& scan, Index from, Index to) {
  return HWY_DYNAMIC_DISPATCH(first_swap)(scan, from, to);
}
const char* instruction_set() { return HWY_DYNAMIC_DISPATCH(target_name)(); }

}  // namespace ellzero::core
#endif
