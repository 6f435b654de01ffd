// kNN on a GPU against CPU threads, bit by bit.
#include "zwalk/knn/knn.hpp"

#include <sstream>

#include "cuda/context.hpp"
#include "cuda/large.hpp"
#include "knn/check.hpp"
#include "support/near_ties.hpp"
#include "support/ways.hpp"
#include "zwalk/density/density.hpp"

using namespace test;

namespace {

template <int D, class T>
void check_knn(Rows<D, T> const& rows, Rows<D, T> const* queries, KnnOptions const& o,
               Cuda const& cuda = on_gpu()) {
    auto const cpu = queries ? knn(view<D>(rows), view<D>(*queries), o) : knn(view<D>(rows), o);
    for (bool descents : {false, true}) {
        if (descents && !queries) continue;
        AskedDescents const way(descents);
        auto const gpu =
            queries ? knn(view<D>(rows), view<D>(*queries), o, cuda) : knn(view<D>(rows), o, cuda);
        CHECK(same_bits(gpu, cpu));
        CHECK(gpu.row_order == cpu.row_order);
        CHECK(gpu.source_order == cpu.source_order);
    }
}

}  // namespace

TEST_CASE("GPU kNN: every kind of points") {
    for (auto const& kind : kinds()) {
        CAPTURE(kind);
        auto const rows = make_points<3, float>(kind, std::min<std::size_t>(large(), 5000), 1);
        auto const queries = make_points<3, float>("uniform", 700, 2);
        for (index_t k : {1, 16, 17, 33, 257}) {
            CAPTURE(k);
            check_knn<3, float>(rows, nullptr, {.k = k, .exclude_self = k == 16});
            check_knn<3, float>(rows, &queries, {.k = k});
        }
    }
}

TEST_CASE("GPU kNN: larger sets, double, periodic, orders, budgets, memory") {
    auto const rows = make_points<3, float>("clustered", large(), 3);
    check_knn<3, float>(rows, nullptr, {.k = 16});
    check_knn<3, float>(rows, nullptr, {.k = 100, .order = Order::z});
    check_knn<3, float>(rows, nullptr, {.k = 8}, on_gpu(nullptr, 1 << 20));
    check_knn<3, float>(rows, nullptr, {.k = 8}, {.memory = cuda_plain_memory()});
    check_knn<3, double>(in_box<3, double>("uniform", large() / 2, 1, 4), nullptr,
                         {.k = 20, .box = {1, 0, 1}});
    check_knn<2, double>(in_box<2, double>("clustered", large() / 2, 1, 5), nullptr,
                         {.k = 40, .box = {1}});
    check_knn<2, float>(make_points<2, float>("normal", large(), 6), nullptr, {.k = 4});
    check_knn<1, float>(make_points<1, float>("normal", 1000, 6), nullptr, {.k = 4});
}

TEST_CASE_TEMPLATE("GPU kNN: neighbours at nearly the same distance, or exactly", T, float, double) {
    std::size_t const n = std::min<std::size_t>(large(), 3000);
    for (double const noise : {0., 1e-7, 1e-4}) {
        CAPTURE(noise);
        auto const rows = near_ties<T>(n, noise, 3);
        for (index_t k : {6, 8, 16, 25, 32}) check_knn<3, T>(rows, nullptr, {.k = k});
    }
    for (auto const* kind : {"grid", "equal", "sites40", "lattice24", "zeros", "huge", "subnormal"}) {
        CAPTURE(kind);
        auto const rows = make_points<3, T>(kind, n, 1);
        for (index_t k : {8, 15, 32}) check_knn<3, T>(rows, nullptr, {.k = k, .exclude_self = k == 15});
    }
}

TEST_CASE("GPU kNN: many neighbours of doubles at few distances") {
    // Where nvcc loses a count, neighbours are lost here first.
    for (auto const* kind : {"lattice24", "sites40", "line"}) {
        CAPTURE(kind);
        auto const rows = make_points<3, double>(kind, std::min<std::size_t>(large(), 3000), 1);
        for (index_t k : {200, 300, 400}) check_knn<3, double>(rows, nullptr, {.k = k});
    }
}

TEST_CASE("GPU kNN: few points") {
    for (std::size_t n : {0, 1, 2, 48, 49, 65})
        for (std::size_t m : {0, 1, 100})
            for (index_t k : {1, 16, 70}) {
                auto const rows = make_points<3, float>("uniform", n, 1);
                auto const queries = make_points<3, float>("normal", m, 2);
                check_knn<3, float>(rows, &queries, {.k = k});
            }
}

TEST_CASE(
    "GPU kNN: leaves of about as many points as a group has lanes, or of more than a tile holds; many "
    "children") {
    for (pos_t leaf : {32, 33, 250})
        for (std::size_t n : {31, 32, 33, 65, 400}) {
            CAPTURE(leaf);
            CAPTURE(n);
            auto const rows = make_points<3, float>("uniform", n, 5);
            for (index_t k : {4, 40})
                check_knn<3, float>(rows, nullptr, {.k = k, .tree = {.leaf_size = leaf}});
        }
    auto const rows = make_points<3, float>("uniform", 600, 9),
               queries = make_points<3, float>("normal", 9, 10);
    for (TreeOptions const& tree : {TreeOptions{.leaf_size = 5, .coarsening = 200, .top_nodes = 1},
                                    TreeOptions{.leaf_size = 6, .coarsening = 3, .top_nodes = 4}})
        for (index_t k : {4, 20, 300}) {
            check_knn<3, float>(rows, nullptr, {.k = k, .tree = tree});
            check_knn<3, float>(rows, &queries, {.k = k, .tree = tree});
        }
}

TEST_CASE("GPU kNN: larger sets of sources, few queries") {
    auto const rows = make_points<3, float>("clustered", large(), 12);
    auto const queries = make_points<3, float>("uniform", large() / 10, 13);
    for (index_t k : {1, 16, 33, 256})
        for (Order order : {Order::input, Order::z})
            check_knn<3, float>(rows, &queries, {.k = k, .order = order});
    auto const boxed = in_box<2, double>("uniform", 100, 1, 14);
    check_knn<2, double>(in_box<2, double>("clustered", large() / 2, 1, 15), &boxed,
                         {.k = 20, .box = {1, 0}});
}

TEST_CASE("GPU index: queries again and again") {
    auto const rows = make_points<3, float>("clustered", large() / 4, 7);
    CudaIndex<float> const index(view<3>(rows), {}, on_gpu());
    CHECK(index.size() == rows.size());
    for (std::uint64_t seed : {1, 2}) {
        auto const queries = make_points<3, float>("uniform", 1000, seed);
        CHECK(same_bits(knn(index, queries, {.k = 9}), knn(view<3>(rows), view<3>(queries), {.k = 9})));
    }
    CHECK(same_bits(knn(index, {.k = 5, .exclude_self = true}),
                    knn(view<3>(rows), {.k = 5, .exclude_self = true})));
}

TEST_CASE("GPU index: in files that CPUs read, and the other way round") {
    auto const rows = in_box<3, float>("clustered", large() / 20, 1, 8);
    auto const queries = in_box<3, float>("uniform", 500, 1, 9);
    IndexOptions const o{.box = {1}};
    std::stringstream from_cpu, from_gpu;
    Index<float>(view<3>(rows), o).write(from_cpu);
    CudaIndex<float>(view<3>(rows), o, on_gpu()).write(from_gpu);
    auto const gpu = CudaIndex<float>::read(from_cpu, on_gpu());
    auto const cpu = Index<float>::read(from_gpu);
    CHECK(gpu.size() == rows.size());
    CHECK(gpu.dim() == 3);
    CHECK(gpu.box() == cpu.box());
    auto const expected = knn(view<3>(rows), view<3>(queries), {.k = 9, .box = {1}});
    CHECK(same_bits(knn(gpu, queries, {.k = 9}), expected));
    CHECK(same_bits(knn(cpu, queries, {.k = 9}), expected));
}

TEST_CASE("GPU reductions: the bits of CPUs, run by run") {
    auto const rows = make_points<3, float>("clustered", large() / 4, 10);
    auto const queries = make_points<3, float>("uniform", 1000, 11);
    CudaIndex<float> const index(view<3>(rows), {}, on_gpu());
    for (std::uint64_t budget : {0, 1000000})
        for (index_t k : {16, 40}) {
            KnnOptions const o{.k = k};
            Cuda const gpu = on_gpu(nullptr, budget);
            std::vector<float> expected(rows.size());
            auto const equal = [&](KnnReduced<float> const& r) {
                return std::equal(r.values.begin(), r.values.end(), expected.begin(), expected.end());
            };
            (void)knn_visit(view<3>(rows), KthDistance<float>{expected.data(), k}, o);
            CHECK(equal(knn_reduce(view<3>(rows), Reduction::radius, o, gpu)));
            (void)knn_visit(view<3>(rows), BallDensity<float>{expected.data(), 3}, o);
            CHECK(equal(knn_reduce(view<3>(rows), Reduction::density, o, gpu)));
            (void)knn_visit(view<3>(rows), SphDensity<float>{expected.data(), 3}, o);
            CHECK(equal(knn_reduce(view<3>(rows), Reduction::sph, o, gpu)));
            CHECK(equal(knn_reduce(index, Reduction::sph, o)));
            expected.resize(queries.size());
            (void)knn_visit(view<3>(rows), view<3>(queries), BallDensity<float>{expected.data(), 3}, o);
            CHECK(equal(knn_reduce(view<3>(rows), view<3>(queries), Reduction::density, o, gpu)));
            CHECK(equal(knn_reduce(index, queries, Reduction::density, o)));
        }
}

TEST_CASE("GPU kNN: refusals") {
    auto rows = make_points<3, float>("uniform", 10, 1);
    CHECK_THROWS_AS((void)knn(view<3>(rows), {.k = 0}, Cuda{}), InputError);
    CHECK_THROWS_AS((void)knn(view<3>(rows), {}, Cuda{.device = 99}), InputError);
    CHECK_THROWS_AS((void)knn(view<3>(rows), {.box = {.1}}, Cuda{}), InputError);
    CHECK_THROWS_AS((void)knn(Points<float>(rows[0].data(), 2, 13), {}, Cuda{}), InputError);
    rows[3][1] = infinity<float>;
    CHECK_THROWS_AS((void)knn(view<3>(rows), {}, Cuda{}), InputError);
}
