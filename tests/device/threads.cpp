// Kernels by many threads at once, as a GPU runs them: what they share must not depend on who comes first. The
// thread sanitizer (preset tsan) also finds what they share without atomics.
#include "device/run.hpp"
#include "support/on_threads.hpp"
#include "zwalk/exec/host_device.hpp"

using namespace test;

namespace {

/// A HostDevice whose kernels are run by threads that take elements and groups in turn.
class ThreadedDevice : public HostDevice<> {
  public:
    static constexpr pos_t threads = 5;

    template <class F>
    void for_each(std::size_t n, F const& f) {
        on_threads(threads, [&](pos_t t) {
            for (std::size_t i = t; i < n; i += threads) f(i);
        });
    }
    template <class Kernel>
    void launch(pos_t groups, Kernel const& kernel, pos_t most_slots = no_pos) {
        pos_t const slots = Kernel::persistent ? std::min(threads, most_slots) : threads;
        on_threads(slots, [&](pos_t t) {  // a thread is a slot
            for (pos_t i = t; i < groups; i += slots) kernel(CpuGroup<Kernel::width>{}, i, t);
        });
    }
    template <class Kernel>
    [[nodiscard]] pos_t slots() const {
        return threads;
    }
};

}  // namespace

namespace zwalk { inline namespace v0 { namespace detail {
template <class T>
struct DimsFor<T, ThreadedDevice> {
    using type = TestDims<T>;
};
ZWALK_WALK(Fof, 3, float, ThreadedDevice)
}}}  // namespace zwalk::v0::detail

TEST_CASE("device, threads: spanning trees") {
    for (auto const* kind : {"uniform", "clustered", "sites40", "line", "lattice24"})
        for (int m : {1, 2, 16, 40}) {
            auto const rows = make_points<3, float>(kind, 3000, 17);
            EmstOptions const o{.min_samples = m};
            auto const expected = emst(view<3>(rows), o);
            for (int times = 0; times < 3; ++times) {
                CAPTURE(kind);
                CAPTURE(m);
                ThreadedDevice device;
                auto const r = device_emst<3, 3, float>(device, rows, o);
                CHECK(same(r.edges, expected.edges));
                CHECK(same(r.lengths, expected.lengths));
                CHECK(same(r.core_distances, expected.core_distances));
            }
        }
}

TEST_CASE("device, threads: friends-of-friends") {
    for (auto const* kind : {"uniform", "clustered", "sites40", "line"}) {
        auto const rows = make_points<3, float>(kind, 3000, 18);
        for (double b : {0., .01, .06, .2}) {
            FofOptions const o{.linking_length = b};
            auto const expected = fof(view<3>(rows), o);
            for (int times = 0; times < 3; ++times) {
                CAPTURE(kind);
                CAPTURE(b);
                ThreadedDevice device;
                auto const r = device_fof<3, 3, float>(device, rows, o);
                CHECK(same(r.labels, expected.labels));
                CHECK(same(r.root, expected.root));
            }
        }
    }
}
