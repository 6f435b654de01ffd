// Friends-of-friends as common/run.hpp wants an algorithm; the driver is in driver.hpp.
#pragma once
#include "../../common/run.hpp"
#include "zwalk/fof/device_memory.hpp"
#include "zwalk/fof/fof_cuda.hpp"

namespace zwalk::inline v0::detail {

struct FofAlgorithm {
    using Options = FofOptions;
    template <class T, class P>
    using Result = FofResult<P>;
    static constexpr char const* name = "friends-of-friends";

    template <class T>
    static void check(FofOptions const& options, std::size_t points);
    static std::uint64_t device_bytes(double n, int columns, std::size_t item_bytes,
                                      FofOptions const& o) {
        return device_fof_memory(n, columns, item_bytes, o.tree);
    }
    template <int D, class T, class P>
    static FofResult<P> run(P& place, RunInput<T, P> const& input, FofOptions const& options);
};

}  // namespace zwalk::inline v0::detail
