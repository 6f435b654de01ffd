#include "zwalk/knn/select.hpp"

#include <algorithm>
#include <bit>
#include <boost/sort/pdqsort/pdqsort.hpp>
#include <vector>

#include "select_isa.hpp"
#include "zwalk/knn/key_slot.hpp"

namespace zwalk::inline v0 {
namespace {

/// A key as one integer, so that comparing two takes no branch.
template <class T>
struct WideSlot : KeySlot<T> {};
#if defined(__SIZEOF_INT128__)
template <>
struct WideSlot<double> {
    __extension__ using type = unsigned __int128;
    static type pack(Key<double> key) {
        return type(std::bit_cast<std::uint64_t>(key.d2)) << 32 | key.pos;
    }
    static Key<double> unpack(type slot) {
        return {std::bit_cast<double>(std::uint64_t(slot >> 32)), pos_t(slot)};
    }
};
#endif

template <class T>
using Slots = std::vector<typename WideSlot<T>::type>;

/// n keys side by side, in memory of this thread.
template <class T>
Slots<T>& gather(T const* d2, pos_t const* position, pos_t n) {
    thread_local Slots<T> slots;
    slots.resize(n);
    for (pos_t i = 0; i < n; ++i) slots[i] = WideSlot<T>::pack({d2[i], position[i]});
    return slots;
}
template <class T>
void scatter(Slots<T> const& slots, pos_t n, T* d2, pos_t* position) {
    for (pos_t i = 0; i < n; ++i) {
        Key<T> const key = WideSlot<T>::unpack(slots[i]);
        d2[i] = key.d2;
        position[i] = key.pos;
    }
}

/// Puts the elements below `pivot` first, and returns the end of them. No branch depends on them.
template <class S>
S* partition_below(S* begin, S* end, S pivot) {
    S* middle = begin;
    for (S* i = begin; i < end; ++i) {
        S const value = *i;
        *i = *middle;
        *middle = value;
        middle += value < pivot;
    }
    return middle;
}

/// std::nth_element for distinct keys: half its time, since it never guesses a branch wrong. A few
/// rounds with a pivot near the place that is asked for; then, also if the pivots were bad, the library.
template <class S>
void select_smallest(S* begin, S* end, S* nth) {
    constexpr std::ptrdiff_t few = 64;
    for (int rounds = 24; rounds > 0 && end - begin > few; --rounds) {
        S sample[9];
        std::ptrdiff_t const step = (end - begin) / 9;
        for (int i = 0; i < 9; ++i) sample[i] = begin[i * step + step / 2];
        std::sort(sample, sample + 9);
        S const pivot = sample[std::clamp<std::ptrdiff_t>((nth - begin) * 9 / (end - begin), 1, 7)];
        S* const middle = partition_below(begin, end, pivot);
        (nth < middle ? end : begin) = middle;
    }
    std::nth_element(begin, nth, end);
}

template <class T>
void choose_any(T* d2, pos_t* position, pos_t, pos_t n, pos_t k) {
    auto& slots = gather(d2, position, n);
    select_smallest(slots.data(), slots.data() + n, slots.data() + (k - 1));
    scatter<T>(slots, k, d2, position);
}
template <class T>
void finish_any(T* d2, pos_t* position, pos_t, pos_t n, pos_t k) {
    auto& slots = gather(d2, position, n);
    if (n > k) select_smallest(slots.data(), slots.data() + n, slots.data() + (k - 1));
    n = std::min(n, k);
    boost::sort::pdqsort_branchless(slots.begin(), slots.begin() + n);
    scatter<T>(slots, n, d2, position);
}

}  // namespace

template <class T>
Selector<T> make_selector([[maybe_unused]] Isa isa, pos_t k) {
    Selector<T> s{};
#if ZWALK_ISA_DISPATCH
    if (isa == Isa::avx512) s = avx512_selector(T(), k);
    if (isa == Isa::avx2) s = avx2_selector(T(), k);
#endif
    // Selecting costs some 3 n steps, so that a buffer of 2 k is worth it.
    if (!s.choose) s = {choose_any<T>, finish_any<T>, std::max<pos_t>(32, k)};
    return s;
}

template Selector<float> make_selector(Isa, pos_t);
template Selector<double> make_selector(Isa, pos_t);

}  // namespace zwalk::inline v0
