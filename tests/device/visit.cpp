// knn_visit as a GPU runs it, on the CPU: the neighbours of knn(), the reductions of CPUs bit by bit.
#include "density/src/device_reduce.hpp"
#include "device/run.hpp"
#include "zwalk/density/reduce.hpp"
#include "zwalk/exec/host_device.hpp"
#include "zwalk/nearest/device_visit.hpp"

using namespace test;

namespace {

/// Visits by kernels of C dimensions; returns how many chunks there were.
template <int C, int D, class T, class F>
int device_visit(Rows<D, T> const& rows, Rows<D, T> const* queries, KnnOptions const& o, F const& f,
                 std::uint64_t budget = 0) {
    HostDevice<> device;
    device.budget = budget;
    auto const points = prepared<C, D, T>(device, rows, o.box, o.tree);
    DevicePoints<T> const targets = on_device<D, T>(queries ? *queries : rows);
    int chunks = 0;
    (void)device_knn<C>(device, points, queries ? &targets : nullptr, o,
                        [&](HostDevice<>& there, detail::NeighbourChunk<T> const& chunk) {
                            ++chunks;
                            detail::visit_rows(there, chunk, f);
                        });
    return chunks;
}

/// Keeps everything, and how often each row was seen.
template <class T>
struct Keep {
    KnnResult<T>* seen;
    int* calls;
    template <class Found>
    void operator()(index_t row, Found const& n) const {
        ++calls[row];
        for (int i = 0; i < int(seen->columns); ++i) {
            std::size_t const at = std::size_t(row) * seen->columns + std::size_t(i);
            seen->indices[at] = i < n.size() ? n.index(i) : -1;
            seen->distances[at] = i < n.size() ? std::sqrt(n.distance2(i)) : infinity<T>;
        }
        bool const right = n.size() == 0
                               ? n.radius2() == infinity<T>
                               : n.radius2() == n.distance2(n.size() - 1) && n.index(n.size() - 1) >= 0;
        if (!right) calls[row] = -1000;
    }
};

/// @return how many chunks there were; -1: other neighbours than knn() finds
template <int C, int D, class T>
int same_as_knn(Rows<D, T> const& rows, Rows<D, T> const* queries, KnnOptions const& o,
                std::uint64_t budget = 0) {
    auto const expected = queries ? knn(view<D>(rows), view<D>(*queries), o) : knn(view<D>(rows), o);
    KnnResult<T> seen;
    seen.rows = expected.rows;
    seen.columns = expected.columns;
    seen.indices = Buffer<index_t>(expected.indices.size());
    seen.distances = Buffer<T>(expected.distances.size());
    std::vector<int> calls(expected.rows + 1);
    int const chunks = device_visit<C, D, T>(rows, queries, o, Keep<T>{&seen, calls.data()}, budget);
    for (std::size_t i = 0; i < expected.rows; ++i)
        if (calls[i] != 1) return -1;
    return same_bits(seen, expected) ? chunks : -1;
}

template <class T>
bool equal(std::vector<T> const& a, std::vector<T> const& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

template <int C, int D, class T>
void check_reductions(Rows<D, T> const& rows, index_t k) {
    std::size_t const n = rows.size();
    std::vector<T> mass(n);
    for (std::size_t i = 0; i < n; ++i) mass[i] = T(1 + i % 5);
    KnnOptions const o{.k = k};
    std::vector<T> cpu(n), gpu(n);
    HostDevice<> device;
    auto const points = prepared<C, D, T>(device, rows, {}, {});
    auto const check = [&](Reduction what, auto const& f) {
        (void)knn_visit(view<D>(rows), f, o);
        (void)device_knn<C>(device, points, nullptr, o,
                            [&](HostDevice<>& there, detail::NeighbourChunk<T> const& chunk) {
                                detail::device_reduce(there, chunk, what, D, o.k, gpu.data());
                            });
        CHECK(equal(gpu, cpu));
    };
    check(Reduction::radius, KthDistance<T>{cpu.data(), k});
    check(Reduction::density, BallDensity<T>{cpu.data(), D});
    if (D > 3) return;
    check(Reduction::sph, SphDensity<T>{cpu.data(), D});
    (void)knn_visit(view<D>(rows), SphDensity<T>{cpu.data(), D, mass.data()}, o);
    device_visit<C, D, T>(rows, nullptr, o, SphDensity<T>{gpu.data(), D, mass.data()});
    CHECK(equal(gpu, cpu));
}

}  // namespace

TEST_CASE("device visit: every row once, with the neighbours of knn") {
    for (auto const& kind : plain_kinds())
        for (index_t k : {1, 16, 33}) {
            CAPTURE(kind);
            CAPTURE(k);
            auto const rows = make_points<3, float>(kind, 400, 1);
            auto const queries = make_points<3, float>("uniform", 90, 2);
            CHECK(same_as_knn<3, 3, float>(rows, nullptr, {.k = k, .exclude_self = k == 16}) == 1);
            CHECK(same_as_knn<3, 3, float>(rows, &queries, {.k = k}) == 1);
            CHECK(same_as_knn<3, 3, float>(rows, &queries, {.k = k, .order = Order::z}) == 1);
            CHECK(same_as_knn<3, 3, float>(rows, nullptr, {.k = k, .within = .05}) == 1);
        }
    auto const rows = in_box<2, double>("clustered", 500, 1, 3);
    CHECK(same_as_knn<3, 2, double>(rows, nullptr, {.k = 20, .box = {1}}) == 1);
}

TEST_CASE("device visit: chunk by chunk under a budget, of whole leaves") {
    auto const rows = make_points<3, float>("uniform", 3000, 4);
    for (std::uint64_t budget : {1, 20000, 200000}) {
        CAPTURE(budget);
        CHECK(same_as_knn<3, 3, float>(rows, nullptr, {.k = 10}, budget) > 3);
        CHECK(same_as_knn<3, 3, float>(rows, nullptr, {.k = 40, .tree = {.leaf_size = 500}}, budget) >
              1);
    }
}

TEST_CASE("device visit: few points, more neighbours than points") {
    for (std::size_t n : {0, 1, 2, 49})
        for (index_t k : {1, 40, 70}) {
            CAPTURE(n);
            CAPTURE(k);
            auto const rows = make_points<3, float>("uniform", n, 1);
            CHECK(same_as_knn<3, 3, float>(rows, nullptr, {.k = k, .exclude_self = true}) >= 0);
            for (std::size_t m : {0, 1, 60}) {
                auto const queries = make_points<3, float>("normal", m, 2);
                CHECK(same_as_knn<3, 3, float>(rows, &queries, {.k = k}) >= 0);
            }
        }
}

TEST_CASE("device visit: reductions give the bits of CPUs") {
    for (auto const* kind : {"uniform", "clustered", "sites40", "equal"}) {
        CAPTURE(kind);
        check_reductions<3, 3, float>(make_points<3, float>(kind, 1500, 5), 24);
        check_reductions<3, 2, double>(make_points<2, double>(kind, 1500, 5), 40);
        check_reductions<3, 1, double>(make_points<1, double>(kind, 500, 5), 7);
        check_reductions<4, 4, float>(make_points<4, float>(kind, 500, 5), 7);
    }
    check_reductions<3, 3, double>(make_points<3, double>("uniform", 5, 5), 9);  // fewer than k
}
