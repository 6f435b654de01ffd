// Calls that fail on one rank, at whatever point: all ranks throw, and the next call is as good as ever.
#pragma once
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "ranks/input.hpp"
#include "ranks/limit.hpp"
#include "ranks/ranks.hpp"

namespace zwalk::test {

/// About how often each call fails on each rank that does: with few ranks, at each allocation of most calls. More ranks than
/// cores take long for a call, and fail where few do.
inline std::uint64_t attempts(Comm const& comm) {
    return (comm.size() < 5 ? 240 : 80) / std::uint64_t(comm.size());
}

/// Calls f(), which is collective, again and again, while the first rank, then the last one, has success with What ever more
/// times, and then no more. All ranks throw `thrown` each time, until that is enough; and then f() returns the same as ever.
template <class What, class F>
void check_failures(Comm& comm, std::string const& thrown, F const& f) {
    auto const expected = f();
    auto const seed = comm.broadcast(comm.rank() == 0 ? test_seed() : 0);
    CAPTURE(seed);
    for (int rank = 0; rank < comm.size(); rank += std::max(1, comm.size() - 1)) {
        CAPTURE(rank);
        bool const is_mine = comm.rank() == rank;
        auto const all = [&] {
            Limit<What> const unlimited(Limit<What>::never);
            (void)f();
            return comm.broadcast(unlimited.tried(), rank);
        }();
        CHECK(all > 0);
        std::uint64_t const step = all / attempts(comm) + 1;
        bool failed = true;
        for (std::uint64_t most = seed % step; failed; most += step) {
            CAPTURE(most);
            std::string heard;
            {
                Limit<What> const limit(is_mine ? most : Limit<What>::never);
                heard = thrown_by([&] { (void)f(); });
                failed = limit.failed();
            }
            failed = comm.broadcast(failed, rank);
            CHECK(heard == (failed ? thrown : "nothing"));
        }
        CHECK(f() == expected);
    }
}

template <class F>
void check_memory(Comm& comm, F const& f) {
    check_failures<Memory>(comm, "bad_alloc", f);
}

/// Enough points for arrays that aren't few words, on any number of ranks.
inline Input<3, float> points_for(Comm const& comm, char const* kind, std::size_t per_rank,
                                  std::uint64_t seed) {
    std::size_t const n = per_rank * std::size_t(comm.size());
    return {::test::make_points<3, float>(kind, n, seed), spread("even", n, comm.size())};
}

}  // namespace zwalk::test
