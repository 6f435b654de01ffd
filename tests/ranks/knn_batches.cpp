// Nearest neighbours on ranks, batch by batch: those that one process with all points finds, bit for bit, on threads and devices.
#include <doctest/doctest.h>

#include <algorithm>
#include <type_traits>
#include <utility>
#include <vector>

#include "knn/src/rank_batches.hpp"
#include "ranks/alone.hpp"
#include "ranks/failing.hpp"
#include "ranks/input.hpp"
#include "ranks/on_devices.hpp"
#include "ranks/ranks.hpp"
#include "ranks/spreads.hpp"
#include "support/count_of.hpp"
#include "zwalk/run/rank_calls.hpp"
#include "zwalk/run/rank_index.hpp"

using namespace zwalk;
using namespace zwalk::test;

namespace {

constexpr std::uint64_t plenty = ~std::uint64_t(0);

/// All batches of a call, one behind the other.
template <class T>
struct Collected {
    std::vector<index_t> indices;
    std::vector<T> distances;
    std::size_t rows = 0;
    std::uint64_t seen = 0, batches = 0;
    bool in_order = true;

    void operator()(KnnBatch<T>& batch) {
        in_order = in_order && batch.first == rows && (seen == 0 || batch.batches == batches) &&
                   batch.indices.size() == batch.rows * batch.columns &&
                   batch.distances.size() == batch.indices.size();
        rows += batch.rows;
        in_order = in_order && rows <= batch.rows_of_rank;
        batches = batch.batches;
        ++seen;
        indices.insert(indices.end(), batch.indices.begin(), batch.indices.end());
        distances.insert(distances.end(), batch.distances.begin(), batch.distances.end());
    }
    [[nodiscard]] bool complete(KnnResult<T, Mpi> const& r) const {
        return in_order && seen == batches && rows == r.rows;
    }
    void put_into(KnnResult<T, Mpi>& r) const {
        r.indices = Buffer<index_t>(indices.size());
        r.distances = Buffer<T>(distances.size());
        std::copy(indices.begin(), indices.end(), r.indices.begin());
        std::copy(distances.begin(), distances.end(), r.distances.begin());
    }
};

/// find(take) -> a KnnResult, as one result. @return in `batches` how many there were; 0: something was wrong with them
template <class T, class Find>
KnnResult<T, Mpi> put_together(std::uint64_t& batches, Find const& find) {
    Collected<T> all;
    TakeKnnBatch<T> const take = [&](KnnBatch<T>& batch) { all(batch); };
    auto r = find(take);
    batches = all.complete(r) ? all.batches : 0;
    all.put_into(r);
    return r;
}

/// @param bytes  of results on a rank
template <class P, int D, class T>
bool same_batches_as_alone(Comm& comm, Input<D, T> const& sources,
                           std::type_identity_t<Input<D, T>> const* queries, KnnOptions const& o,
                           std::uint64_t bytes, bool several) {
    bool right = true;
    bool const same = same_neighbours(
        comm, sources, queries, o, o.tree,
        [&](Points<T> own, Points<T> const* asking, KnnOptions const& asked) {
            P place;
            std::uint64_t batches = 0;
            auto r = put_together<T>(batches, [&](TakeKnnBatch<T> const& take) {
                return detail::run_on_ranks<detail::KnnBatchesAlgorithm>(
                    comm, Cpu(1), rank_place_of<T>(place), detail::RankInput<T>(own), asking,
                    {asked, bytes, &take});
            });
            right = right && batches > 0 && (batches > 1) == several &&
                    comm.reduce_all(batches, [](auto a, auto b) { return std::max(a, b); }) == batches;
            return r;
        });
    return same && right;
}

}  // namespace

TEST_CASE("kNN in batches on ranks: every kind of points and spread") {
    Comm comm(world());
    for_inputs<3, float>(comm, {0, 1, 25, 200}, 7, [&](auto const& input, std::size_t turn) {
        std::size_t const n = input.rows.size();
        index_t const ks[]{1, 7, 16, index_t(n + 3)};
        KnnOptions const o{.k = ks[turn % 4], .exclude_self = turn % 3 > 0};
        auto const result = n * std::size_t(o.k) * 12;
        std::uint64_t const bytes = n > 50 ? result / (2 + turn % 5) / std::size_t(comm.size()) : 1;
        CAPTURE(n);
        CAPTURE(bytes);
        bool const several = n > 1;
        if (turn % 2) CHECK(same_batches_as_alone<Cpu>(comm, input, nullptr, o, bytes, several));
        else CHECK(same_batches_as_alone<HostDevice<>>(comm, input, nullptr, o, bytes, several));
    });
}

TEST_CASE("kNN in batches on ranks: queries, anywhere; one batch") {
    Comm comm(world());
    for (auto const* kind : {"uniform", "sites40"})
        for (std::size_t const m : {1, 90}) {
            CAPTURE(kind);
            CAPTURE(m);
            Input<2, double> const sources{::test::make_points<2, double>(kind, 300, 3),
                                           spread("uneven", 300, comm.size())};
            Input<2, double> const queries{::test::make_points<2, double>("normal", m, 4),
                                           spread("one each", m, comm.size())};
            KnnOptions const o{.k = 5};
            CHECK(same_batches_as_alone<Cpu>(comm, sources, &queries, o, plenty, false));
            CHECK(same_batches_as_alone<Cpu>(comm, sources, &queries, o, 500, m > 1));
            CHECK(same_batches_as_alone<HostDevice<>>(comm, sources, &queries, o, 500, m > 1));
        }
}

TEST_CASE("kNN in batches on ranks: as few as results allow; periodic; an index, which stays") {
    Comm comm(world());
    auto const input = points_for(comm, "uniform", 1000, 5);
    auto const own = input.of(comm.rank());
    RankIndex<float> const index(own, {.box = {1}}, world(), Cpu(1));
    for (auto const order : {Order::input, Order::z}) {
        KnnOptions const o{.k = 8, .order = order};
        auto const expected = knn(index, o);
        std::uint64_t const results = 1000 * 8 * 12 * (order == Order::input ? 2 : 1);
        for (std::uint64_t const wanted : {1, 2, 3}) {
            std::uint64_t batches = 0;
            auto const found = put_together<float>(batches, [&](TakeKnnBatch<float> const& take) {
                return knn_in_batches(index, o, (results + wanted - 1) / wanted, take);
            });
            CHECK(batches == wanted);
            CHECK(found.indices == expected.indices);
            CHECK(found.distances == expected.distances);
            CHECK(found.row_order == expected.row_order);
            // Walks over one tree: it has no more planes for that, and its lists are those of all walks.
            CHECK(::test::count_of(found.stats, "planes") == ::test::count_of(expected.stats, "planes"));
            CHECK(::test::count_of(found.stats, "leaves") == ::test::count_of(expected.stats, "leaves"));
        }
    }
    // The rank with least memory decides.
    std::uint64_t batches = 0;
    auto const found = put_together<float>(batches, [&](TakeKnnBatch<float> const& take) {
        return knn_in_batches(index, own, {.k = 8}, comm.rank() == 0 ? 40000 : plenty, take);
    });
    CHECK(batches == 5);
    CHECK(found.indices == knn(index, own, {.k = 8}).indices);
}

TEST_CASE("kNN in batches on ranks: what fails on one of them in the middle fails on all") {
    Comm comm(world());
    auto const input = points_for(comm, "uniform", 300, 5);
    auto const own = input.of(comm.rank());
    auto const find = [&](TakeKnnBatch<float> const& take, std::uint64_t bytes) {
        return knn_in_batches(own, {.k = 8, .exclude_self = true}, bytes, take, world(), Cpu(1));
    };
    int taken = 0;
    TakeKnnBatch<float> const throws = [&](KnnBatch<float>&) {
        if (++taken == 2 && comm.rank() == comm.size() - 1) throw Error("the disk is full");
    };
    CHECK(thrown_by([&] { (void)find(throws, 30000); }) == "Error: the disk is full");
    CHECK(taken == 2);
    CHECK(thrown_by([&] {
              (void)knn_in_batches(own, {.k = 0}, 1, throws, world());
          }).starts_with("InputError: k must be"));
    check_memory(comm, [&] {
        Collected<float> all;
        (void)find([&](KnnBatch<float>& batch) { all(batch); }, 30000);
        return std::move(all.indices);
    });
}
