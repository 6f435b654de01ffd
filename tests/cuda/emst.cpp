// Spanning trees on a GPU against CPU threads, bit by bit.
#include "zwalk/emst/emst.hpp"

#include "cuda/context.hpp"
#include "cuda/large.hpp"
#include "knn/check.hpp"

using namespace test;

namespace {

template <class A>
bool equal(A const& a, A const& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

template <int D, class T>
bool same_tree(Rows<D, T> const& rows, EmstOptions const& o = {}, Cuda const& cuda = on_gpu()) {
    auto const cpu = emst(view<D>(rows), o);
    auto const gpu = emst(view<D>(rows), o, cuda);
    return equal(gpu.edges, cpu.edges) && equal(gpu.lengths, cpu.lengths) &&
           equal(gpu.core_distances, cpu.core_distances);
}

}  // namespace

TEST_CASE("GPU EMST: every kind of points") {
    for (auto const& kind : kinds())
        for (int m : {1, 2, 16}) {
            CAPTURE(kind);
            CAPTURE(m);
            auto const rows = make_points<3, float>(kind, std::min<std::size_t>(large(), 5000), 1);
            CHECK(same_tree<3, float>(rows, {.min_samples = m}));
        }
}

TEST_CASE("GPU EMST: larger sets, double, periodic, budgets, memory, many neighbours") {
    auto const rows = make_points<3, float>("clustered", large(), 3);
    for (int m : {1, 16, 40}) CHECK(same_tree<3, float>(rows, {.min_samples = m}));
    CHECK(same_tree<3, float>(rows, {}, on_gpu(nullptr, 1 << 20)));
    CHECK(same_tree<3, float>(rows, {}, {.memory = cuda_plain_memory()}));
    auto const inside = in_box<3, double>("uniform", large() / 2, 1, 4);
    for (int m : {1, 5}) CHECK(same_tree<3, double>(inside, {.min_samples = m, .box = {1, 0, 1}}));
    CHECK(same_tree<2, float>(make_points<2, float>("normal", large(), 6)));
    CHECK(same_tree<3, float>(make_points<3, float>("equal", large(), 7)));
}

TEST_CASE("GPU EMST: many neighbours of doubles at few distances") {
    for (auto const* kind : {"sites40", "lattice24", "line"}) {
        CAPTURE(kind);
        auto const rows = make_points<3, double>(kind, std::min<std::size_t>(large(), 3000), 1);
        CHECK(same_tree<3, double>(rows, {.min_samples = int(std::min<std::size_t>(300, rows.size()))}));
    }
}

TEST_CASE("GPU EMST: few points, the same again and again") {
    for (std::size_t n : {0, 1, 2, 9, 48, 49, 65})
        CHECK(same_tree<3, float>(make_points<3, float>("uniform", n, 1)));
    auto const rows = make_points<3, float>("clustered", std::min<std::size_t>(large(), 20000), 8);
    for (int times = 0; times < 10; ++times) CHECK(same_tree<3, float>(rows));
}

TEST_CASE("GPU EMST: refusals") {
    auto rows = make_points<3, float>("uniform", 10, 1);
    CHECK_THROWS_AS((void)emst(view<3>(rows), {.min_samples = 0}, Cuda{}), InputError);
    CHECK(same_tree<3, float>(rows, {.min_samples = 11}));
    CHECK_THROWS_AS((void)emst(view<3>(rows), {}, Cuda{.device = 99}), InputError);
    CHECK_THROWS_AS((void)emst(view<3>(rows), {.box = {.1}}, Cuda{}), InputError);
    CHECK_THROWS_AS((void)emst(Points<float>(rows[0].data(), 2, 13), {}, Cuda{}), InputError);
    rows[3][1] = infinity<float>;
    CHECK_THROWS_AS((void)emst(view<3>(rows), {}, Cuda{}), InputError);
}
