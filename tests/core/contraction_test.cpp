// With the project's own flags a product and a sum stay two roundings, also where one instruction could do both.
#include <gtest/gtest.h>

#include <cmath>

namespace ellzero::core {
namespace {

#if defined(__x86_64__)
__attribute__((target("fma")))
#endif
double
product_less(double a, double b, double c) {
  return a * b - c;
}

bool has_fused_instruction() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("fma") != 0;
#else
  return true;
#endif
}

TEST(Contraction, a_product_is_rounded_before_it_is_used) {
  if (!has_fused_instruction()) GTEST_SKIP() << "this processor has no fused multiply-add";
  volatile double a = 1 + 0x1p-30;  // a * a = 1 + 2^-29 + 2^-60, whose last part is lost in a double
  const double rounded = 1 + 0x1p-29;
  EXPECT_EQ(std::fma(a, a, -rounded), 0x1p-60);
  EXPECT_EQ(product_less(a, a, rounded), 0);
}

}  // namespace
}  // namespace ellzero::core
