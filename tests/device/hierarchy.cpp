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

using Hierarchy = detail::HierarchyFromDevice<double, HostDevice<>>;

EmstResult<double, HostDevice<>> tree_on(HostDevice<>& device, Forest const& f) {
    EmstResult<double, HostDevice<>> tree;
    tree.edges = copy_to(device, std::span<index_t const>(f.edges));
    tree.lengths = copy_to(device, std::span<double const>(f.lengths));
    return tree;
}

/// @return  whether a buffer more than so many was asked for
bool check_failure(Forest const& f, std::size_t buffers) {
    CAPTURE(buffers);
    std::size_t const least = 3;
    auto const memory = std::make_shared<FailingMemory>();
    HostDevice<> device(memory);
    auto tree = tree_on(device, f);
    Cpu const cpu(2);
    Hierarchy hierarchy(device, f.points, std::move(tree), cpu);
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
        std::size_t buffers = 0;
        while (check_failure(random_forest(301, lengths, true, 3), buffers)) ++buffers;
        CHECK(buffers > 30);
    }
}

TEST_CASE("device hierarchy: no points, and one") {
    for (std::size_t const n : {0, 1}) CHECK(!check_failure({n, {}, {}}, 0));
}

TEST_CASE("device hierarchy: its launches and waits are counted") {
    HostDevice<> device;
    auto const f = random_forest(301, 7, true, 3);
    Cpu const cpu(1);
    Hierarchy hierarchy(device, f.points, tree_on(device, f), cpu);
    Stats stats;
    stats.counts = {{"leaves", 1}, {"device_launches", 2}, {"device_waits", 3}};
    (void)hierarchy.condense(hierarchy.link(), 3);
    detail::renew_device_counts(device, stats);
    CHECK(device.stats().launches > 50);
    CHECK(stats.counts == decltype(stats.counts){{"leaves", 1},
                                                 {"device_launches", device.stats().launches},
                                                 {"device_waits", device.stats().waits}});
}
