// knn_visit, beside what knn() returns.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "knn/check.hpp"
#include "zwalk/knn/write_rows.hpp"

using namespace test;

namespace {

template <class T>
bool same_as_knn(Points<T> sources, Points<T> const* queries, KnnOptions const& o,
                 Cpu const& cpu = Cpu()) {
    auto const expected = queries ? knn(sources, *queries, o, cpu) : knn(sources, o, cpu);
    return visits(expected, [&](Seen<T> const& visitor) {
        if (queries) (void)knn_visit(sources, *queries, visitor, o, cpu);
        else (void)knn_visit(sources, visitor, o, cpu);
    });
}

}  // namespace

TEST_CASE("knn_visit: every row once, with the neighbours of knn") {
    for (auto const& kind : kinds())
        for (index_t k : {1, 7, 16, 40, 200}) {
            CAPTURE(kind);
            CAPTURE(k);
            auto const rows = make_points<3, float>(kind, 500, 1);
            auto const queries = make_points<3, float>("uniform", 100, 2);
            Points<float> const targets = view<3>(queries);
            CHECK(same_as_knn<float>(view<3>(rows), nullptr, {.k = k, .exclude_self = k == 7}, Cpu(3)));
            CHECK(same_as_knn<float>(view<3>(rows), &targets, {.k = k}));
            CHECK(same_as_knn<float>(view<3>(rows), &targets, {.k = k, .order = Order::z}));
        }
    auto const sources = make_points<3, float>("clustered", 30000, 1);
    auto const many = make_points<3, float>("uniform", 20000, 2);  // three batches
    Points<float> const targets = view<3>(many);
    for (Order order : {Order::input, Order::z})
        CHECK(same_as_knn<float>(view<3>(sources), &targets, {.k = 5, .order = order}, Cpu(0, 1)));
    for (std::size_t n : {0, 1, 5}) {
        auto const rows = make_points<2, double>("uniform", n, 1);
        CHECK(same_as_knn<double>(view<2>(rows), nullptr, {.k = 6, .exclude_self = true}));
    }
}

TEST_CASE_TEMPLATE("WriteRows: what knn returns, with indices of 32 or 64 bits", I, std::uint32_t,
                   std::int32_t, index_t) {
    for (index_t k : {1, 16, 40}) {
        CAPTURE(k);
        auto const rows = make_points<3, float>("clustered", 30, 1);
        auto const all = knn(view<3>(rows), KnnOptions{.k = k, .exclude_self = true});
        std::vector<float> distances(std::size_t(30 * k), -1.f);
        std::vector<I> indices(distances.size(), I(77));
        (void)knn_visit(view<3>(rows), WriteRows<float, I>{distances.data(), indices.data(), k},
                        {.k = k, .exclude_self = true});
        CHECK(std::equal(distances.begin(), distances.end(), all.distances.begin()));
        CHECK(std::equal(indices.begin(), indices.end(), all.indices.begin(),
                         [](I mine, index_t theirs) { return mine == I(theirs); }));
    }
}

TEST_CASE("knn_visit: errors come before any call, and what a visitor throws comes through") {
    auto const rows = make_points<3, float>("uniform", 5000, 1);
    std::atomic<int> calls = 0;
    auto const count = [&](index_t, Neighbours<float> const&) { ++calls; };
    CHECK_THROWS_AS((void)knn_visit(view<3>(rows), count, {.k = 0}), InputError);
    CHECK(calls == 0);
    auto const thrower = [](index_t row, Neighbours<float> const&) {
        if (row == 77) throw std::runtime_error("row 77");
    };
    CHECK_THROWS_WITH_AS((void)knn_visit(view<3>(rows), thrower, {}, Cpu(2)), "row 77",
                         std::runtime_error);
}
