// Selectors of the instruction sets; compiled apart, called only where the CPU has them. Without `choose`
// for a k that is too large for them. The first argument only names the type.
#pragma once
#include "zwalk/knn/select.hpp"

namespace zwalk::inline v0 {

Selector<float> avx2_selector(float, pos_t k);
Selector<double> avx2_selector(double, pos_t k);
Selector<float> avx512_selector(float, pos_t k);
Selector<double> avx512_selector(double, pos_t k);

}  // namespace zwalk::inline v0
