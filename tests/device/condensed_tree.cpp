// Condensed trees as a GPU makes them, on the CPU: the same bits as condense().
#include "hdbscan/same_condensed.hpp"
#include "hdbscan/shapes.hpp"
#include "hdbscan/src/from_device.hpp"
#include "support/sanitized.hpp"
#include "zwalk/exec/host_device.hpp"

using namespace test;

namespace {

void check_condensed(Forest const& f, std::size_t least) {
    CAPTURE(least);
    auto const z = f.linkage();
    auto const expected = condense(z, least);
    HostDevice<> device;
    auto const t =
        detail::condense_on(device, pos_t(f.points), copy_to(device, z.merges), least, Cpu(2));
    if (f.points >= 1000) CHECK(device.stats().peak_bytes <= detail::device_hierarchy_bytes * f.points);
    check_same(t, expected);
}
void check_sizes(Forest const& f) {
    for (std::size_t const least : {2, 3, 9, 1000}) check_condensed(f, least);
}

}  // namespace

TEST_CASE("device condensed tree: hierarchies of all shapes and sizes, with ties and without") {
    for (std::size_t n = 2; n < 30; ++n) for_shapes(n, check_sizes);
    for (std::size_t const n : {63, 64, 65, 66, 400, 1500}) for_shapes(n, check_sizes);
}

TEST_CASE("device condensed tree: random hierarchies") { for_forests(150, 2, 1, check_sizes); }

TEST_CASE("device condensed tree: no points, and one") {
    for (std::size_t const n : {0, 1}) check_condensed({n, {}, {}}, 2);
}

TEST_CASE("device condensed tree: as many points as threads of the CPU share") {
    for_shapes(sanitized ? 3000 : 70000, [](Forest const& f) {
        for (std::size_t const least : {2, 30}) check_condensed(f, least);
    });
}
