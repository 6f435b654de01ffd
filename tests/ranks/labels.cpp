// Groups of ranks joined: chains of points that were cut anywhere, of which ranks know the ends of their neighbours on both
// sides.
#include "zwalk/ranks/labels.hpp"

#include <doctest/doctest.h>

#include <numeric>

#include "ranks/ranks.hpp"
#include "ranks/spreads.hpp"

using namespace zwalk;
using namespace zwalk::test;

namespace {

/// Points 0, 1, ... on a line, each linked to the one before but for the multiples of `chain`; this rank knows its own, and as
/// many of other ranks on either side as there are, up to `reach`.
struct Chains {
    std::uint64_t chain, first, begin, end, known_end;
    std::vector<std::uint64_t> from;
    Buffer<pos_t> position, root;

    Chains(std::vector<std::uint64_t> const& begins, int rank, std::uint64_t chain_length,
           std::uint64_t reach)
        : chain(chain_length), begin(begins[std::size_t(rank)]), end(begins[std::size_t(rank) + 1]) {
        std::uint64_t const all = begins.back();
        first = begin - std::min(begin, reach);
        known_end = begin == end ? first : std::min(all, end + reach);
        if (begin == end) first = known_end = begin;
        for (std::uint64_t const b : begins) from.push_back(std::clamp(b, first, known_end) - first);
        position = Buffer<pos_t>(known_end - first);
        root = Buffer<pos_t>(known_end - first);
        for (std::uint64_t i = first; i < known_end; ++i) {
            std::size_t r = 0;
            while (i >= begins[r + 1]) ++r;
            position[i - first] = pos_t(i - begins[r]);
            root[i - first] = pos_t(std::max(i - i % chain, first) - first);
        }
    }
};

}  // namespace

TEST_CASE("labels of ranks: groups that reach points of lower and of higher ranks") {
    Comm comm(world());
    for (std::size_t const n : {0, 1, 40, 500})
        for (auto const& how : spreads())
            for (std::uint64_t const chain : {1, 7, 1000})
                for (std::uint64_t const reach : {1, 30}) {
                    auto const rows = spread(how, n, comm.size());
                    std::vector<std::uint64_t> const begin(rows.begin(), rows.end());
                    CAPTURE(n);
                    CAPTURE(how);
                    CAPTURE(chain);
                    Chains here(begin, comm.rank(), chain, reach);
                    std::uint64_t const own = here.end - here.begin;
                    Buffer<index_t> input_index(own);  // in descending order
                    for (std::uint64_t i = 0; i < own; ++i)
                        input_index[i] = index_t(n - 1 - here.begin - i);
                    Ranks const ranks(begin, begin);
                    auto const groups =
                        join_groups(comm, Cpu(1), std::move(here.root),
                                    {pos_t(here.begin - here.first), here.from, here.position}, ranks);
                    auto const found = label_groups(comm, Cpu(1), groups, input_index, ranks);
                    CHECK(found.groups == (n + chain - 1) / chain);
                    bool same = found.labels.size() == own;
                    for (std::uint64_t i = here.begin; i < here.end && same; ++i) {
                        std::uint64_t const last = std::min<std::uint64_t>(n, i - i % chain + chain) - 1;
                        same = found.labels[i - here.begin] == index_t(n - 1 - last);
                    }
                    CHECK(same);
                }
}
