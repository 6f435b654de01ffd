// A Device (zwalk/exec/device.hpp) whose kernels run as on a GPU: CudaGroup's own code, on blocks of fibers.
#pragma once
#include "device/dims.hpp"
#include "zwalk/exec/detail/cuda_kernels.cuh"
#include "zwalk/exec/host_device.hpp"

namespace test {

/// Memory and primitives are those of a HostDevice.
class WarpDevice : public zwalk::HostDevice<> {
    using pos_t = zwalk::pos_t;

  public:
    pos_t resident_blocks = 2;  ///< of a persistent kernel

    explicit WarpDevice(std::uint64_t seed = 1) : machine_(seed) {}

    template <class F>
    void for_each(std::size_t n, F const& f) {
        if (n == 0) return;
        machine_.launch(zwalk::detail::element_blocks(n), zwalk::detail::element_threads,
                        [&] { zwalk::detail::run_elements<F>(f, n); });
    }
    template <class Kernel>
    void launch(pos_t groups, Kernel const& kernel, pos_t most_slots = zwalk::no_pos) {
        if (groups == 0) return;
        pos_t used = groups;
        if constexpr (Kernel::persistent) used = std::min({groups, slots<Kernel>(), most_slots});
        machine_.launch(zwalk::detail::group_blocks<Kernel>(used), zwalk::block_threads<Kernel::width>,
                        [&] { zwalk::detail::run_groups<Kernel>(kernel, groups, used); });
    }
    template <class Kernel>
    [[nodiscard]] pos_t slots() const {
        return resident_blocks * zwalk::CudaGroup<Kernel::width>::per_block;
    }

  private:
    warp::Machine machine_;
};

}  // namespace test

namespace zwalk { inline namespace v0 { namespace detail {
template <class T>
struct DimsFor<T, test::WarpDevice> {
    using type = TestDims<T>;
};
}}}  // namespace zwalk::v0::detail
