#include "zwalk/nearest/detail/select.hpp"

#include <algorithm>
#include <boost/sort/pdqsort/pdqsort.hpp>
#include <vector>

#include "select_isa.hpp"
#include "zwalk/core/key_slot.hpp"

namespace zwalk { inline namespace v0 {
namespace {

template <class T>
using Slots = std::vector<typename KeySlot<T>::type>;

/// n keys side by side, in memory of this thread.
template <class T>
Slots<T>& gather(T const* d2, pos_t const* position, pos_t n) {
    thread_local Slots<T> slots;
    slots.resize(n);
    for (pos_t i = 0; i < n; ++i) slots[i] = KeySlot<T>::pack({d2[i], position[i]});
    return slots;
}
template <class T>
void scatter(Slots<T> const& slots, pos_t n, T* d2, pos_t* position) {
    for (pos_t i = 0; i < n; ++i) {
        Key<T> const key = KeySlot<T>::unpack(slots[i]);
        d2[i] = key.d2;
        position[i] = key.pos;
    }
}

template <class T>
Chosen<T> choose_keys(T* d2, pos_t* position, pos_t n, pos_t k) {
    auto& slots = gather(d2, position, n);
    std::nth_element(slots.begin(), slots.begin() + (k - 1), slots.end());
    scatter<T>(slots, k, d2, position);
    return {k, {d2[k - 1], position[k - 1]}};
}
template <class T>
Chosen<T> choose_anywhere(T* d2, pos_t* position, pos_t, pos_t n, pos_t k) {
    return choose_keys(d2, position, n, k);
}
template <class T>
void finish_anywhere(T* d2, pos_t* position, pos_t, pos_t n, pos_t k) {
    auto& slots = gather(d2, position, n);
    if (n > k) std::nth_element(slots.begin(), slots.begin() + (k - 1), slots.end());
    n = std::min(n, k);
    boost::sort::pdqsort_branchless(slots.begin(), slots.begin() + n);
    scatter<T>(slots, n, d2, position);
}

}  // namespace

Chosen<float> choose_exactly(float* d2, pos_t* position, pos_t n, pos_t k) {
    return choose_keys(d2, position, n, k);
}
Chosen<double> choose_exactly(double* d2, pos_t* position, pos_t n, pos_t k) {
    return choose_keys(d2, position, n, k);
}

template <class T>
Selector<T> make_selector([[maybe_unused]] Isa isa, pos_t k) {
#if ZWALK_X86_KERNELS
    if (isa == Isa::avx512) return avx512_selector(T(), k);
    if (isa == Isa::avx2) return avx2_selector(T(), k);
#endif
    // Selecting costs some 3 n steps, so that a buffer of 2 k is worth it.
    return {choose_by<choose_anywhere<T>>, finish_anywhere<T>, std::max<pos_t>(32, k)};
}

template Selector<float> make_selector(Isa, pos_t);
template Selector<double> make_selector(Isa, pos_t);

}}  // namespace zwalk::v0
