// Choosing the k smallest keys of a buffer: the inner operation of kNN on CPUs.
#pragma once
#include "zwalk/core/key.hpp"
#include "zwalk/exec/isa.hpp"

namespace zwalk::inline v0 {

/// How a buffer of n keys (d2[i], position[i]) is brought down to the k smallest. Chosen once per walk by
/// instruction set and k: sorting networks in vector registers for small k, selection for large ones.
template <class T>
struct Selector {
    /// Moves the k smallest of n keys, n >= k, to the front, the largest of them to place k - 1. The first
    /// `chosen` keys were left there by the last call. Up to `padding` elements behind the n-th, and the
    /// keys that aren't chosen, are overwritten.
    void (*choose)(T* d2, pos_t* position, pos_t chosen, pos_t n, pos_t k);
    /// Sorts the min(n, k) smallest of n keys to the front.
    void (*finish)(T* d2, pos_t* position, pos_t chosen, pos_t n, pos_t k);
    /// So many new keys are worth a call of `choose`.
    pos_t slack;
    static constexpr pos_t padding = 128;
};

/// The fastest way for this k.
template <class T>
Selector<T> make_selector(Isa isa, pos_t k);

extern template Selector<float> make_selector(Isa, pos_t);
extern template Selector<double> make_selector(Isa, pos_t);

}  // namespace zwalk::inline v0
