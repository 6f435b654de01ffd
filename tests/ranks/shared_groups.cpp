// Groups of which several ranks have parts.
#include "zwalk/ranks/shared_groups.hpp"

#include <doctest/doctest.h>

#include <array>

#include "ranks/ranks.hpp"

using namespace zwalk;
using namespace zwalk::test;

namespace {

struct Fold {
    std::uint64_t sum = 0;
    int first = 0, last = 0;  // ranks

    void join(Fold const& o) {
        CHECK(last < o.first);
        sum += o.sum, last = o.last;
    }
};

}  // namespace

TEST_CASE("shared groups: own parts that are one by way of others") {
    // Positions 10 to 17: groups at 10, 11, 13 and 15, of which 10 and 13 are one with 4, and 15 with 20.
    GroupLink const links[]{{4, 10}, {4, 13}, {15, 20}};
    std::array<pos_t, 8> root{0, 1, 0, 3, 3, 5, 0, 5};
    auto const parts = join_own_parts(GroupNames(links), 10, root);
    REQUIRE(parts.size() == 2);
    CHECK(parts[0].group == 4);
    CHECK(parts[0].root == 0);
    CHECK(parts[1].group == 15);
    CHECK(parts[1].root == 5);
    CHECK(root == std::array<pos_t, 8>{0, 1, 0, 0, 0, 5, 0, 5});
    CHECK(join_own_parts(GroupNames(), 10, root).empty());
    CHECK(join_own_parts(GroupNames(links), 40, root).empty());
}

TEST_CASE("shared groups: folds of parts become those of groups") {
    Comm comm(world());
    // Three points each. Group g begins at the second point of rank g, and all ranks from there on have a part of it.
    int const rank = comm.rank();
    std::vector<std::uint64_t> const begin = comm.offsets(3);
    std::vector<GroupPart> own;
    for (int g = 0; g <= rank; ++g)
        own.push_back({begin[std::size_t(g)] + 1, g == rank ? pos_t(1) : pos_t(g % 3)});
    SharedGroups const shared(comm, Ranks(begin, begin), own);
    std::vector<Fold> folds;
    for (std::size_t g = 0; g < own.size(); ++g)
        folds.push_back({g + 100 * std::uint64_t(rank), rank, rank});
    shared.join(comm, std::span(folds));
    for (std::size_t g = 0; g < folds.size(); ++g) {
        std::uint64_t sum = 0;
        for (int r = int(g); r < comm.size(); ++r) sum += g + 100 * std::uint64_t(r);
        CHECK(folds[g].sum == sum);
        CHECK(folds[g].first == int(g));
        CHECK(folds[g].last == comm.size() - 1);
    }
    SharedGroups const none(comm, Ranks(begin, begin), {});
    none.join(comm, std::span<Fold>());
    CHECK(none.parts().empty());
}
