// kNN by the kernels of a GPU, lane by lane: the same bits as knn().
#include "device/run.hpp"
#include "warp/device.hpp"
#include "warp/expected.hpp"

using namespace test;

namespace {

template <int D, class T>
void check_knn(Rows<D, T> const& rows, Rows<D, T> const* queries, KnnOptions const& o,
               std::uint64_t budget = 0) {
    WarpDevice device(rows.size() + std::uint64_t(o.k));
    device.budget = budget;
    auto const expected = expected_neighbours<D, T>(rows, queries, o.k, o.exclude_self, o.box);
    auto const points = prepared<D, D, T>(device, rows, o.box, o.tree);
    DevicePoints<T> const targets = on_device<D, T>(queries ? *queries : rows);
    CAPTURE(o.k);
    CAPTURE(rows.size());
    for (bool descents : {false, true}) {
        if (descents && !queries) continue;
        CAPTURE(descents);
        Way const way(descents);
        CHECK(equals(device_knn<D>(device, points, queries ? &targets : nullptr, o), expected));
    }
}

}  // namespace

TEST_CASE("warp kNN: every fold, hard kinds of points") {
    for (std::string const kind : {"uniform", "equal", "grid", "clustered", "sites40"}) {
        CAPTURE(kind);
        auto const rows = make_points<3, float>(kind, 500, 1);
        for (index_t k : {1, 4, 8, 16, 30, 300})
            check_knn<3, float>(rows, nullptr, {.k = k, .exclude_self = k == 8});
        auto const fewer = make_points<3, float>(kind, 150, 2);
        for (index_t k : {33, 64, 133, 256})
            check_knn<3, float>(fewer, nullptr, {.k = k, .exclude_self = k == 64});
    }
}

TEST_CASE("warp kNN: a group's fold in long lists") {
    auto const rows = make_points<3, float>("uniform", 3000, 3);
    auto const queries = make_points<3, float>("uniform", 20, 4);
    for (index_t k : {33, 100, 256}) check_knn<3, float>(rows, &queries, {.k = k});
}

TEST_CASE("warp kNN: queries that descend, or walk, whatever their number, on hard kinds of points") {
    for (std::string const kind : {"uniform", "equal", "grid", "clustered", "sites40", "huge"}) {
        CAPTURE(kind);
        auto const rows = make_points<3, float>(kind, 900, 10);
        auto queries = make_points<3, float>("uniform", 5, 11);
        queries.insert(queries.end(), {rows[0], rows[500], {1e3f, .5f, .5f}, {-1e3f, -1e3f, 1e3f}});
        TreeOptions const deep{.leaf_size = 6, .coarsening = 3, .top_nodes = 4};
        for (index_t k : {1, 4, 16, 33, 64, 256})
            check_knn<3, float>(rows, &queries, {.k = k, .tree = k % 2 ? deep : TreeOptions{}});
        check_knn<3, float>(rows, &queries, {.k = 64, .tree = deep});
        // Nodes of several chunks of children.
        check_knn<3, float>(rows, &queries,
                            {.k = 9, .tree = {.leaf_size = 5, .coarsening = 200, .top_nodes = 1}});
        auto const boxed = in_box<2, double>(kind, 500, 1, 12),
                   others = in_box<2, double>("uniform", 9, 1, 13);
        for (index_t k : {1, 16, 40})
            check_knn<2, double>(boxed, &others, {.k = k, .box = {1, 0}, .tree = deep});
    }
    for (std::size_t n : {0, 1, 31, 32, 33, 47, 48, 49, 65}) {
        auto const rows = make_points<3, float>("uniform", n, 14),
                   queries = make_points<3, float>("normal", 7, 15);
        for (index_t k : {4, 40}) check_knn<3, float>(rows, &queries, {.k = k});
    }
}

TEST_CASE("warp kNN: few points, and leaves of as many as a group has lanes, one more, one less") {
    for (std::size_t n : {0, 1, 2, 31, 32, 33, 47, 48, 49, 63, 64, 65})
        for (pos_t leaf : {0, 32, 64, 200})
            for (index_t k : {4, 40}) {
                CAPTURE(leaf);
                auto const rows = make_points<3, float>("uniform", n, 5);
                check_knn<3, float>(rows, nullptr, {.k = k, .tree = {.leaf_size = leaf}});
            }
}

TEST_CASE("warp kNN: leaves of more points, and nodes of more children, than a tile holds") {
    auto const rows = make_points<3, float>("uniform", 600, 9);
    for (index_t k : {4, 20, 40, 300}) {
        check_knn<3, float>(rows, nullptr, {.k = k, .tree = {.leaf_size = 250}});
        check_knn<3, float>(rows, nullptr,
                            {.k = k, .tree = {.leaf_size = 5, .coarsening = 200, .top_nodes = 1}});
    }
}

TEST_CASE("warp kNN: double, queries, periodic, in pieces") {
    for (std::string const kind : {"uniform", "sites40"}) {
        CAPTURE(kind);
        auto const rows = in_box<2, double>(kind, 300, 1, 6),
                   queries = in_box<2, double>("uniform", 60, 1, 7);
        for (auto const& box : {std::vector<double>{}, std::vector<double>{1, 0}})
            for (index_t k : {8, 20, 40, 280}) {
                check_knn<2, double>(rows, &queries, {.k = k, .box = box});
                check_knn<2, double>(
                    rows, nullptr,
                    {.k = k, .box = box, .tree = {.leaf_size = 7, .coarsening = 3, .top_nodes = 5}},
                    5000);
            }
        auto const in_cube = in_box<3, float>(kind, 300, 1, 8);
        for (index_t k : {8, 40}) check_knn<3, float>(in_cube, nullptr, {.k = k, .box = {1}});
    }
}
