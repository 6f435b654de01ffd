// Lists in order. As a rule they have a few dozen entries.
#include <algorithm>
#include <bit>
#include <boost/sort/pdqsort/pdqsort.hpp>
#include <cstring>

#include "zwalk/exec/sort_few.hpp"
#include "zwalk/walk/cpu_node_step.hpp"

namespace zwalk { inline namespace v0 {

// An entry of floats is a key: of no two of a list it is the same.
void sort_entries(Entry<float>* begin, Entry<float>* end) {
    std::uint64_t keys[few_keys];
    auto const n = std::size_t(end - begin);
    if (n < 2) return;  // there may be no memory
    if (n > few_keys) return boost::sort::pdqsort_branchless(begin, end, EntryOrder<float>{});
    std::memcpy(keys, begin, n * sizeof *begin);
    sort_few({keys, n});
    std::memcpy(begin, keys, n * sizeof *begin);
}

// The upper bits of a double, and below them where its entry lies. What shares these bits is in the order of places then, which the
// insertion mends.
void sort_entries(Entry<double>* begin, Entry<double>* end) {
    std::uint64_t keys[few_keys];
    Entry<double> entries[few_keys];
    auto const n = std::size_t(end - begin);
    if (n < 2) return;  // there may be no memory
    if (n > few_keys) return boost::sort::pdqsort_branchless(begin, end, EntryOrder<double>{});
    for (std::size_t i = 0; i < n; ++i) {
        entries[i] = begin[i];
        keys[i] = (std::bit_cast<std::uint64_t>(begin[i].lo2) & ~std::uint64_t(few_keys - 1)) | i;
    }
    sort_few({keys, n});
    for (std::size_t i = 0; i < n; ++i) {
        Entry<double> const entry = entries[keys[i] % few_keys];
        std::size_t to = i;
        for (; to > 0 && EntryOrder<double>{}(entry, begin[to - 1]); --to) begin[to] = begin[to - 1];
        begin[to] = entry;
    }
}

}}  // namespace zwalk::v0
