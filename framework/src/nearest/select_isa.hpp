// Selectors of the instruction sets; compiled apart, called only where the CPU has them. The first
// argument only names the type.
#pragma once
#include "zwalk/nearest/detail/select.hpp"

namespace zwalk { inline namespace v0 {

Selector<float> avx2_selector(float, pos_t k);
Selector<double> avx2_selector(double, pos_t k);
Selector<float> avx512_selector(float, pos_t k);
Selector<double> avx512_selector(double, pos_t k);

/// Selector::choose by a function that returns what it leaves.
template <auto choose, class T>
void choose_by(T* d2, pos_t* position, pos_t chosen, pos_t n, pos_t k, Chosen<T>& left) {
    left = choose(d2, position, chosen, n, k);
}

/// By full keys, on any CPU.
Chosen<float> choose_exactly(float* d2, pos_t* position, pos_t n, pos_t k);
Chosen<double> choose_exactly(double* d2, pos_t* position, pos_t n, pos_t k);

}}  // namespace zwalk::v0
