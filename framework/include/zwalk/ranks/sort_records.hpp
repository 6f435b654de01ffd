// Records of all ranks into one ascending order: each rank gets a contiguous range of it.
#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include "zwalk/core/buffer.hpp"
#include "zwalk/core/parallel_sort.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/ranks/comm.hpp"

namespace zwalk { inline namespace v0 {

/// Sorts records of which no two are equal, and of which this rank has those; in parts of about equal size. Ranks have
/// ranges of the ascending order, in their order. Sample sort, as that of points (ranks/sort.hpp): with N records in all
/// and S = 64 P^2 samples, no more than a quarter of N, no rank gets more than N / P + (P + 2) N / S of them.
/// Each record travels once; O(n log n + S log S). Collective.
template <class R>
[[nodiscard]] Buffer<R> sort_records(Comm& comm, Cpu const& cpu, Buffer<R>&& own) {
    auto const ranks = std::size_t(comm.size());
    auto const sort = [&](Buffer<R>& records) {
        cpu.run([&] { parallel_sort(records.begin(), records.end(), std::less<>()); });
    };
    std::uint64_t const all = comm.offsets(own.size()).back();
    auto const samples = comm.attempt([&] {
        sort(own);
        std::uint64_t const most =
            std::max<std::uint64_t>(1, std::min<std::uint64_t>(64 * ranks * ranks, all / 4));
        std::uint64_t const spacing = std::max<std::uint64_t>(1, all / most);
        std::vector<R> some;
        for (std::uint64_t i = spacing / 2; i < own.size(); i += spacing) some.push_back(own[i]);
        return some;
    });
    auto splitters = comm.gather_all(std::span<R const>(samples)).records;
    Parts<R> out;
    comm.attempt([&] {
        sort(splitters);
        out.begin.assign(ranks + 1, 0);
        for (std::size_t r = 1; r < ranks && !splitters.empty(); ++r)
            out.begin[r] = std::uint64_t(
                std::lower_bound(own.begin(), own.end(), splitters[splitters.size() * r / ranks]) -
                own.begin());
        out.begin[ranks] = own.size();
        out.records = std::move(own);
    });
    auto in = comm.exchange(out).records;
    out = {};
    comm.agree([&] { sort(in); });
    return in;
}

}}  // namespace zwalk::v0
