#include "zwalk/zorder/records.hpp"

#include <tbb/parallel_sort.h>

#include <algorithm>
#include <array>
#include <bit>
#include <boost/sort/pdqsort/pdqsort.hpp>
#include <utility>

#include "zwalk/core/buffer.hpp"
#include "zwalk/exec/cpu.hpp"

namespace zwalk::inline v0 {
namespace {

constexpr auto by_key = [](KeyRecord const& a, KeyRecord const& b) { return a.key < b.key; };

// On one thread pdqsort_branchless needs 25 ns per record for 1e6 records, 0.4 of std::sort and of
// tbb::parallel_sort or block_indirect_sort on one thread, and less than these on two. So several
// threads deal the records out to buckets first, and each bucket is sorted by it.
constexpr std::size_t serial_limit = 1 << 15;
constexpr std::size_t max_buckets = 256;
constexpr std::size_t samples_per_bucket = 32;
constexpr std::size_t chunk = 1 << 14;
// In place, tbb::parallel_sort has to make up for the factor of 2.5 first.
constexpr std::size_t in_place_serial_threads = 2;

/// Keys that separate the buckets: bucket b holds the keys in [splitter b-1, splitter b).
std::vector<std::uint64_t> pick_splitters(std::span<KeyRecord const> records, std::size_t buckets) {
    std::size_t const n = buckets * samples_per_bucket, stride = records.size() / n;
    std::vector<std::uint64_t> sample(n), splitters;
    for (std::size_t i = 0; i < n; ++i) sample[i] = records[i * stride].key;
    boost::sort::pdqsort_branchless(sample.begin(), sample.end());
    for (std::size_t b = 1; b < buckets; ++b) splitters.push_back(sample[b * samples_per_bucket]);
    return splitters;
}

/// Number of splitters that are <= key, found without branches (their number + 1 is a power of 2).
std::size_t bucket_of(std::vector<std::uint64_t> const& splitters, std::uint64_t key) {
    std::uint64_t const* base = splitters.data();
    for (std::size_t half = (splitters.size() + 1) / 2; half > 0; half /= 2)
        base += std::size_t(key >= base[half - 1]) * half;
    return std::size_t(base - splitters.data());
}

/// Sorts by buckets: count per chunk and bucket, scan, deal out to `copy`, sort there, copy back.
void bucket_sort(std::span<KeyRecord> records, std::size_t buckets) {
    std::size_t const n = records.size(), chunks = (n + chunk - 1) / chunk;
    auto const splitters = pick_splitters(records, buckets);
    Buffer<std::uint8_t> bucket(n);
    std::vector<std::array<pos_t, max_buckets>> place(chunks);
    parallel_for(chunks, 1, [&](std::size_t c, std::size_t last) {
        for (; c < last; ++c) {
            place[c].fill(0);
            for (std::size_t i = c * chunk; i < std::min(n, (c + 1) * chunk); ++i) {
                bucket[i] = std::uint8_t(bucket_of(splitters, records[i].key));
                ++place[c][bucket[i]];
            }
        }
    });
    std::vector<pos_t> start(buckets + 1, 0);
    pos_t sum = 0;
    for (std::size_t b = 0; b < buckets; ++b) {
        for (auto& p : place) sum += std::exchange(p[b], sum);
        start[b + 1] = sum;
    }
    Buffer<KeyRecord> copy(n);
    parallel_for(chunks, 1, [&](std::size_t c, std::size_t last) {
        for (; c < last; ++c)
            for (std::size_t i = c * chunk; i < std::min(n, (c + 1) * chunk); ++i)
                copy[place[c][bucket[i]]++] = records[i];
    });
    parallel_for(buckets, 1, [&](std::size_t b, std::size_t last) {
        for (; b < last; ++b) {
            KeyRecord *const first = copy.data() + start[b], *const end =
                                                                 copy.data() + start[b + 1];
            boost::sort::pdqsort_branchless(first, end, by_key);
            std::copy(first, end, records.data() + start[b]);
        }
    });
}

}  // namespace

void sort_by_key(std::span<KeyRecord> records, bool in_place) {
    auto const threads = std::size_t(tbb::this_task_arena::max_concurrency());
    std::size_t const serial_threads = in_place ? in_place_serial_threads : 1;
    if (threads <= serial_threads || records.size() < serial_limit)
        boost::sort::pdqsort_branchless(records.begin(), records.end(), by_key);
    else if (in_place)
        tbb::parallel_sort(records.begin(), records.end(), by_key);
    else
        bucket_sort(records, std::min(max_buckets, std::bit_ceil(8 * threads)));
}

void sort_by_row(std::span<KeyRecord> records, bool in_place) {
    for (KeyRecord& r : records) r.key = r.row;
    sort_by_key(records, in_place);
}

std::vector<KeyRun> equal_key_runs(std::span<KeyRecord const> records) {
    std::vector<KeyRun> runs;
    for (std::size_t i = 0, n = records.size(); i + 1 < n;) {
        std::size_t end = i + 1;
        while (end < n && records[end].key == records[i].key) ++end;
        if (end - i > 1) runs.push_back({pos_t(i), pos_t(end)});
        i = end;
    }
    return runs;
}

}  // namespace zwalk::inline v0
