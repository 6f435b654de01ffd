// Choosing the k smallest keys of a buffer: the inner operation of kNN on CPUs.
#pragma once
#include "zwalk/core/key.hpp"
#include "zwalk/exec/isa.hpp"

namespace zwalk { inline namespace v0 {

/// What a choice leaves: the first `count` keys of the buffer, from k to k + k / 8 of them, among them
/// the k smallest; at least k of all keys are <= `worst`, and nothing behind it was kept.
template <class T>
struct Chosen {
    pos_t count;
    Key<T> worst;
};

/// How a buffer of n keys (d2[i], position[i]) is brought down to the k smallest. Picked once per walk
/// by instruction set and k: sorting networks in vector registers for small k, a threshold for larger
/// ones.
template <class T>
struct Selector {
    /// Keeps the k smallest of n keys, n >= k. The first `chosen` keys were left there by the last call
    /// (0: there was none). Up to `padding` elements behind the n-th, and keys that aren't kept, are
    /// overwritten. (What it leaves isn't returned: kernels of clang call nothing by its address that returns a struct, see
    /// exec/isa.hpp.)
    void (*choose)(T* d2, pos_t* position, pos_t chosen, pos_t n, pos_t k, Chosen<T>& left);
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

}}  // namespace zwalk::v0
