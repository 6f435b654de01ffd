// Friends-of-friends on a GPU against CPU threads, bit by bit.
#include "zwalk/fof/fof.hpp"

#include "cuda/context.hpp"
#include "cuda/large.hpp"
#include "fof/brute.hpp"
#include "knn/check.hpp"

using namespace test;

namespace {

template <int D, class T>
bool same_groups(Rows<D, T> const& rows, FofOptions const& o, Cuda const& cuda = on_gpu()) {
    auto const cpu = fof(view<D>(rows), o);
    auto const gpu = fof(view<D>(rows), o, cuda);
    auto const equal = [](auto const& a, auto const& b) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end());
    };
    return equal(gpu.labels, cpu.labels) && equal(gpu.root, cpu.root) && gpu.z_order == cpu.z_order &&
           gpu.groups == cpu.groups;
}

}  // namespace

TEST_CASE("GPU FoF: every kind of points") {
    for (auto const& kind : kinds()) {
        CAPTURE(kind);
        auto const rows = make_points<3, float>(kind, std::min<std::size_t>(large(), 5000), 1);
        for (double b : lengths_for<3>(rows, 1)) {
            CAPTURE(b);
            CHECK(same_groups<3, float>(rows, {.linking_length = b}));
        }
    }
}

TEST_CASE("GPU FoF: larger sets, double, periodic, orders, budgets, memory; chains, copies, one group") {
    auto const rows = make_points<3, float>("clustered", large(), 3);
    double const b = .2 * mean_spacing(view<3>(rows));
    CHECK(same_groups<3, float>(rows, {.linking_length = b}));
    CHECK(same_groups<3, float>(rows, {.linking_length = 5 * b, .order = Order::z}));
    CHECK(same_groups<3, float>(rows, {.linking_length = b}, on_gpu(nullptr, 1 << 20)));
    CHECK(same_groups<3, float>(rows, {.linking_length = b}, {.memory = cuda_plain_memory()}));
    auto const inside = in_box<3, double>("uniform", large() / 2, 1, 4);
    for (double fraction : {.2, .9, 2., 50.}) {
        CAPTURE(fraction);
        double const length = fraction * mean_spacing(view<3>(inside), {1});
        CHECK(same_groups<3, double>(inside, {.linking_length = length, .box = {1, 0, 1}}));
    }
    CHECK(same_groups<2, float>(make_points<2, float>("normal", large(), 6), {.linking_length = .001}));
    CHECK(same_groups<3, float>(make_points<3, float>("equal", large(), 7), {.linking_length = 0}));
    Rows<3, float> chain(large());
    Random r(2);
    for (std::size_t i = 0; i < chain.size(); ++i) chain[i] = {float(i), 0, 0};
    for (std::size_t i = chain.size(); i > 1; --i) std::swap(chain[i - 1], chain[r.below(i)]);
    CHECK(same_groups<3, float>(chain, {.linking_length = 1}));
}

TEST_CASE("GPU FoF: few points, the same again and again") {
    for (std::size_t n : {0, 1, 2, 48, 49, 65})
        CHECK(same_groups<3, float>(make_points<3, float>("uniform", n, 1), {.linking_length = .2}));
    auto const rows = make_points<3, float>("uniform", std::min<std::size_t>(large(), 20000), 8);
    double const b = .9 * mean_spacing(view<3>(rows), {1});  // percolating: many links at once
    for (int times = 0; times < 10; ++times)
        CHECK(same_groups<3, float>(rows, {.linking_length = b, .box = {1}}));
}

TEST_CASE("GPU FoF: refusals") {
    auto rows = make_points<3, float>("uniform", 10, 1);
    CHECK_THROWS_AS((void)fof(view<3>(rows), {.linking_length = -1}, Cuda{}), InputError);
    CHECK_THROWS_AS((void)fof(view<3>(rows), {}, Cuda{.device = 99}), InputError);
    CHECK_THROWS_AS((void)fof(view<3>(rows), {.box = {.1}}, Cuda{}), InputError);
    CHECK_THROWS_AS((void)fof(Points<float>(rows[0].data(), 2, 13), {}, Cuda{}), InputError);
    rows[3][1] = infinity<float>;
    CHECK_THROWS_AS((void)fof(view<3>(rows), {}, Cuda{}), InputError);
}
