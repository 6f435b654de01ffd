// Hierarchies of trees on a device that hasn't the memory for them.
#include <new>

#include "hdbscan/same_condensed.hpp"
#include "hdbscan/shapes.hpp"
#include "hdbscan/src/from_device.hpp"
#include "knn/check.hpp"
#include "zwalk/exec/host_device.hpp"

using namespace test;

namespace {

/// Memory that one buffer doesn't fit into.
class FailingMemory final : public DeviceMemory {
  public:
    void fail_after(std::size_t buffers) { left_ = buffers, is_driver_ = buffers % 2 == 0; }
    [[nodiscard]] bool has_failed() const { return has_failed_; }

    void* allocate(std::size_t bytes, void* stream) override {
        if (left_-- > 0) return memory_.allocate(bytes, stream);
        left_ = never;
        has_failed_ = true;
        if (is_driver_) throw DeviceMemoryError("no memory");
        throw std::bad_alloc();
    }
    void deallocate(void* memory, std::size_t bytes, void* stream) noexcept override {
        memory_.deallocate(memory, bytes, stream);
    }

  private:
    static constexpr std::size_t never = SIZE_MAX;
    HostMemory memory_;
    std::size_t left_ = never;
    bool is_driver_ = false, has_failed_ = false;
};

/// @tparam Home  where the tree is
template <class Home = HostDevice<>>
using Hierarchy = detail::HierarchyFromDevice<double, HostDevice<>, Home>;

template <class Home>
EmstResult<double, Home> tree_on(Home& home, Forest const& f) {
    EmstResult<double, Home> tree;
    tree.edges = copy_to(home, std::span<index_t const>(f.edges));
    tree.lengths = copy_to(home, std::span<double const>(f.lengths));
    return tree;
}

/// @return  whether a buffer more than so many was asked for
template <class Home>
bool check_failure(Forest const& f, std::size_t buffers) {
    CAPTURE(buffers);
    std::size_t const least = 3;
    auto const memory = std::make_shared<FailingMemory>();
    HostDevice<> device(memory);
    Cpu cpu(2);
    auto tree = [&] {
        if constexpr (is_device<Home>) return tree_on(device, f);
        else return tree_on(cpu, f);
    }();
    Hierarchy<Home> hierarchy(device, f.points, std::move(tree), cpu);
    memory->fail_after(buffers);
    auto const linkage = hierarchy.link(), expected = f.linkage();
    CHECK(std::ranges::equal(linkage.table(), expected.table()));
    std::uint64_t const kept = memory->has_failed() ? 0 : linkage.merges.size() * sizeof(Merge);
    CHECK(device.bytes_in_use() == kept);
    check_same(hierarchy.condense(linkage, least), condense(expected, least));
    CHECK(device.bytes_in_use() == kept);
    return memory->has_failed();
}

}  // namespace

TEST_CASE("device hierarchy: threads make what doesn't fit, whichever buffer that is") {
    for (std::size_t const lengths : {0, 7}) {
        auto const f = random_forest(301, lengths, true, 3);
        std::size_t of_there = 0, of_here = 0;
        while (check_failure<HostDevice<>>(f, of_there)) ++of_there;
        while (check_failure<Cpu>(f, of_here)) ++of_here;
        CHECK(of_there > 30);
        CHECK(of_here == of_there + 2);  // for edges and lengths
    }
}

TEST_CASE("device hierarchy: no points, and one") {
    for (std::size_t const n : {0, 1}) {
        CHECK(!check_failure<HostDevice<>>({n, {}, {}}, 0));
        CHECK(!check_failure<Cpu>({n, {}, {}}, 0));
    }
}

TEST_CASE("device hierarchy: its launches and waits are counted") {
    HostDevice<> device;
    auto const f = random_forest(301, 7, true, 3);
    Cpu const cpu(1);
    Hierarchy<> hierarchy(device, f.points, tree_on(device, f), cpu);
    Stats stats;
    stats.counts = {{"leaves", 1}, {"device_launches", 2}, {"device_waits", 3}};
    auto const before = detail::stats_of(device);
    (void)hierarchy.condense(hierarchy.link(), 3);
    auto const now = detail::stats_of(device);
    detail::add_device_counts(before, now, stats);
    CHECK(now.launches > before.launches + 50);
    CHECK(stats.counts == decltype(stats.counts){{"leaves", 1},
                                                 {"device_launches", 2 + now.launches - before.launches},
                                                 {"device_waits", 3 + now.waits - before.waits}});
}
