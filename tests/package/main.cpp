// A user's first program, compiled against the installed package: judges coefficients and checks the bound.
#include <cmath>
#include <cstdio>
#include <ellzero/ellzero.hpp>
#include <vector>

int main() {
  const std::vector<double> X = {
      0, 1,  2, 3, 4,  5,  // y is about 1 + 2 times this feature
      1, 0,  1, 0, 1,  0,  // and has nothing to do with these two
      2, -1, 0, 1, -2, 1,
  };
  const std::vector<double> y = {1.1, 2.9, 5.0, 7.1, 8.9, 11.0};
  const ellzero::Dataset data{ellzero::column_major(X.data(), 6, 3), y};

  ellzero::Settings settings;
  settings.lambda0 = 0.5;
  settings.lambda2 = 0.01;
  const std::vector<double> coefficients = {1.95, 0, 0};
  const ellzero::Evaluation found = ellzero::evaluate(data, settings, coefficients);

  std::printf("ellzero %s: objective %.6f, lower bound %.6f, intercept %.6f\n", ellzero::version, found.objective,
              found.lower_bound, found.intercept);
  const bool valid = std::isfinite(found.objective) && found.lower_bound > 0 && found.lower_bound <= found.objective &&
                     found.gap >= 0 && std::abs(found.intercept - 1) < 0.2;
  if (!valid) std::puts("expected 0 < lower bound <= objective and an intercept near 1");
  return valid ? 0 : 1;
}
