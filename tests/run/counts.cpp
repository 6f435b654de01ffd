// What several walks over one tree have done together.
#include "zwalk/run/counts.hpp"

#include <doctest/doctest.h>

using namespace zwalk;

namespace {

using Counts = std::vector<std::pair<std::string, std::uint64_t>>;

}  // namespace

TEST_CASE("counts: of walks sums, of peaks and the tree the largest; new ones come last") {
    Counts counts;
    detail::add_walk(counts, {{"node_entries", 10},
                              {"peak_list_bytes", 7},
                              {"leaves", 50},
                              {"planes", 3},
                              {"plane_1_descended", 4},
                              {"device_peak_bytes", 90}});
    detail::add_walk(counts, {{"leaf_entries", 6},
                              {"node_entries", 5},
                              {"peak_list_bytes", 8},
                              {"leaves", 50},
                              {"planes", 3},
                              {"plane_1_descended", 1},
                              {"device_peak_bytes", 20}});
    CHECK(counts == Counts{{"node_entries", 15},
                           {"peak_list_bytes", 8},
                           {"leaves", 50},
                           {"planes", 3},
                           {"plane_1_descended", 5},
                           {"device_peak_bytes", 90},
                           {"leaf_entries", 6}});
}
