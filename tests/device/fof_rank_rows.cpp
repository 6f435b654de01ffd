// Rows of the groups of an MPI rank as a GPU makes them, on the CPU: those of threads, bit for bit.
#include <doctest/doctest.h>

#include <map>
#include <memory>
#include <utility>

#include "device/failing_memory.hpp"
#include "fof/rank_rows.hpp"
#include "knn/check.hpp"
#include "zwalk/run/detail/device_preparation.hpp"

using namespace test;

namespace {

template <int D, class T>
void check_all(char const* kind, std::size_t n, double length, std::vector<double> const& box) {
    CAPTURE(kind);
    CAPTURE(n);
    for (bool const beside : {false, true}) {
        CAPTURE(beside);
        RankPart<D, T> const part(in_box<D, T>(kind, n, 1, n), length, box, beside, n);
        HostDevice<> device;
        for (std::size_t const least : {0, 1, 2, 20}) CHECK(part.same_there(device, least));
        CHECK(device.bytes_in_use() == 0);
    }
}

}  // namespace

TEST_CASE("device rows of a rank: labels of more than 32 bits, in group order") {
    for (auto const* kind : {"uniform", "clustered", "sites40", "equal"})
        for (double const length : {0., .02, .3, 10.}) {
            CAPTURE(length);
            check_all<3, float>(kind, 500, length, {});
            check_all<3, double>(kind, 300, length < 1 ? length : .5, {1, 0, 1});
            check_all<2, float>(kind, 300, length < 1 ? length : .5, {1});
            check_all<5, double>(kind, 200, length, {});
        }
    for (std::size_t const n : {0, 1, 2, 64, 65}) check_all<3, float>("uniform", n, .3, {});
}

TEST_CASE("device rows of a rank: none where memory is short") {
    RankPart<3, float> const part(in_box<3, float>("clustered", 1000, 1, 3), .02, {1}, true, 3);
    // Launches: none where there isn't enough to begin with; group order, flags and groups where there is none for these; all.
    std::uint64_t const least = part.least_memory<HostDevice<>>(), most = std::uint64_t(1) << 32;
    for (auto const& [size, launches] : std::map<std::uint64_t, std::uint64_t>{
             {0, 0}, {least - 1, 0}, {least, 5}, {3 * least / 2, 5}, {most, 15}}) {
        CAPTURE(size);
        HostDevice<> device;
        device.memory_size = size;
        CHECK(part.there(device, 1).has_value() == (size == most));
        CHECK(device.stats().launches == launches);
        CHECK(device.bytes_in_use() == 0);
        CHECK(device.stats().peak_bytes <= size);
    }
    std::uint64_t made = 0;
    for (std::uint64_t left = 0; made == 0 && left < 100; ++left) {
        CAPTURE(left);
        auto const memory = std::make_shared<FailingMemory>();
        memory->left = left;
        memory->as_standard = left % 2;
        HostDevice<> device(memory);
        if (auto rows = part.there(device, 2)) {
            CHECK(part.same(std::move(*rows), 2));
            made = left;
        }
        CHECK(device.bytes_in_use() == 0);
    }
    CHECK(made > 20);
}
