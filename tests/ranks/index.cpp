// An index on ranks: calls with it find what calls with the points find, and its file is that of one process.
#include <doctest/doctest.h>

#include <sstream>

#include "pairs/brute.hpp"
#include "ranks/input.hpp"
#include "ranks/ranks.hpp"
#include "ranks/shared_file.hpp"
#include "ranks/spreads.hpp"
#include "traits/radius_count.hpp"
#include "zwalk/dbscan/dbscan.hpp"
#include "zwalk/density/density.hpp"
#include "zwalk/emst/emst.hpp"
#include "zwalk/fof/fof_mpi.hpp"
#include "zwalk/hdbscan/hdbscan.hpp"
#include "zwalk/knn/knn.hpp"
#include "zwalk/pairs/pairs.hpp"
#include "zwalk/radius/radius.hpp"
#include "zwalk/ranks/import.hpp"
#include "zwalk/ranks/points.hpp"
#include "zwalk/ranks/rank_tree_file.hpp"
#include "zwalk/run/mpi.hpp"
#include "zwalk/run/rank_index.hpp"

using namespace zwalk;
using namespace zwalk::test;

namespace {

template <class A, class B>
bool same(A const& a, B const& b) {
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
}

/// The file of one process.
template <int D, class T>
std::string file_of(Input<D, T> const& input, IndexOptions const& o) {
    std::ostringstream out;
    Index<T>(input.all(), o, Cpu(1)).write(out);
    return std::move(out).str();
}

/// That the file of these ranks, written in pieces of so many bytes, is that of one process; and what ranks read from it.
template <int D, class T>
void check_file(Comm& comm, Input<D, T> const& input, TreeOptions const& options, std::uint64_t piece) {
    Cpu const cpu(2);
    SharedFile const file(comm);
    auto const own = make_rank_tree(cpu, z_sort(comm, cpu, input.of(comm.rank())), D, options);
    write_tree(comm, cpu, own.points, own.tree, {}, options, file.path, piece);
    CHECK(file.bytes() == file_of(input, {.tree = options}));

    TreeHeader header;
    auto const read = read_tree<T>(comm, file.path, header, piece);
    auto const whole = Index<T>(input.all(), {.tree = options}, cpu);
    auto const order = whole.z_order();
    auto const at = read.ranks.positions_before(comm.rank());
    bool right = read.dim == D && header.dim == D && header.size == input.rows.size() &&
                 read.ranks.size() == input.rows.size() &&
                 read.rows.size() == D * (read.ranks.positions_before(comm.rank() + 1) - at);
    for (std::size_t i = 0; i < read.input_index.size() && right; ++i) {
        auto const row = order[at + i];
        right = read.input_index[i] == index_t(row);
        for (std::size_t j = 0; j < D; ++j) right = right && read.rows[i * D + j] == input.rows[row][j];
    }
    CHECK(right);
    // The way home: each rank gets the rows that it passes.
    Buffer<index_t> rows(read.travel.row.size());
    home(comm, cpu, read.travel, std::span<index_t const>(read.input_index), std::span<index_t>(rows));
    for (std::size_t i = 0; i < rows.size(); ++i)
        CHECK(rows[i] == index_t(read.ranks.rows_before(comm.rank()) + i));
}

constexpr TreeOptions tiny_nodes{.leaf_size = 6, .coarsening = 3, .top_nodes = 4};

}  // namespace

TEST_CASE("index on ranks: its file is that of one process, byte for byte") {
    Comm comm(world());
    std::uint64_t const pieces[]{1, 8, 100, tree_file_piece};
    for_inputs<3, float>(comm, {0, 1, 2, 7, 300}, 0, [&](auto const& input, std::size_t turn) {
        check_file(comm, input, turn % 3 ? tiny_nodes : TreeOptions{}, pieces[turn % 4]);
    });
    for_inputs<2, double>(comm, {333}, 1, [&](auto const& input, std::size_t turn) {
        check_file(comm, input, tiny_nodes, pieces[turn % 4]);
    });
    for_inputs<1, float>(comm, {201}, 2, [&](auto const& input, std::size_t turn) {
        check_file(comm, input, TreeOptions{}, pieces[turn % 4]);
    });
}

TEST_CASE("index on ranks: runs of equal points that go through many ranks") {
    Comm comm(world());
    for (std::size_t const n : {1000, 3000}) {
        Input<3, float> input{{}, spread("uneven", n, comm.size())};
        for (std::size_t i = 0; i < n; ++i)
            input.rows.push_back(i % 7 == 0 ? std::array<float, 3>{float(i), -0.f, 1}
                                            : std::array<float, 3>{-1, 0.f, 1});
        check_file(comm, input, tiny_nodes, 64);
    }
}

TEST_CASE("index on ranks: a user's trait walks over it") {
    MpiRanks place(world(), Cpu(2));
    for_inputs<3, float>(place.comm(), {0, 1, 300}, 0, [&](auto const& input, std::size_t) {
        Points<float> const own = input.of(place.rank());
        RankIndex<float> const index(own, {.tree = tiny_nodes}, world(), Cpu(2));
        auto const counts = [](auto const& tree) {
            auto count = tree.template array<size_type>();
            examples::RadiusCount<3, float> trait;
            trait.radius2 = .03f;
            trait.count = count.data();
            tree.walk(trait);
            return count.in_input_order();
        };
        auto const expected = counts(make_tree<3>(place, own, {.tree = tiny_nodes}));
        auto const tree = make_tree<3>(place, index);
        for (int turn = 0; turn < 2; ++turn) CHECK(counts(tree) == expected);
        CHECK_THROWS_WITH_AS((make_tree<2>(place, index)), doctest::Contains("D must be 3"), InputError);
    });
}

TEST_CASE("index on ranks: every algorithm finds what it finds with the points, again and again") {
    Comm comm(world());
    for (std::vector<double> const& box : {std::vector<double>{}, {1}}) {
        Input<3, float> const input{::test::make_points<3, float>("uniform", 700, 11),
                                    spread("uneven", 700, comm.size())};
        auto const queries = ::test::make_points<3, float>("uniform", 100, 12);
        auto const asking = rows_of(queries, spread("even", 100, comm.size()), comm.rank());
        Points<float> const own = input.of(comm.rank());
        Cpu const cpu(2);
        Mpi const mpi = world();
        RankIndex<float> const index(own, {.box = box}, mpi, cpu);
        CHECK(index.size() == 700);
        CHECK(index.rows() == own.size);
        CHECK(index.dim() == 3);
        CHECK(index.box() == (box.empty() ? box : std::vector<double>(3, 1)));

        for (int turn = 0; turn < 2; ++turn)
            for (auto const order : {Order::input, Order::z}) {
                KnnOptions const k{.k = 5, .order = order};
                auto with_box = k;
                with_box.box = box;
                auto const a = knn(index, k);
                auto const b = knn(own, with_box, mpi, cpu);
                CHECK(same(a.indices, b.indices));
                CHECK(same(a.distances, b.distances));
                CHECK(same(a.row_order, b.row_order));
                auto const c = knn(index, asking, k);
                auto const d = knn(own, asking, with_box, mpi, cpu);
                CHECK(same(c.indices, d.indices));
                CHECK(same(c.row_order, d.row_order));
                CHECK(same(c.source_order, d.source_order));
                auto const e = fof(index, {.linking_length = .06, .order = order});
                auto const f = fof(own, {.linking_length = .06, .box = box, .order = order}, mpi, cpu);
                CHECK(e.groups == f.groups);
                CHECK(same(e.labels, f.labels));
                CHECK(same(e.z_order, f.z_order));
                auto const g = dbscan(index, {.epsilon = .1, .min_samples = 5, .order = order});
                auto const h =
                    dbscan(own, {.epsilon = .1, .min_samples = 5, .box = box, .order = order}, mpi, cpu);
                CHECK(same(g.labels, h.labels));
                CHECK(same(g.core, h.core));
                auto const i = radius_search(index, {.radius = .1, .order = order});
                auto const j = radius_search(own, {.radius = .1, .box = box, .order = order}, mpi, cpu);
                CHECK(same(i.offsets, j.offsets));
                CHECK(same(i.indices, j.indices));
                CHECK(same(i.row_order, j.row_order));
                auto const n = radius_count(index, asking, {.radius = .1, .order = order});
                auto const m =
                    radius_count(own, asking, {.radius = .1, .box = box, .order = order}, mpi, cpu);
                CHECK(same(n.counts, m.counts));
            }
        auto const values = knn_reduce(index, Reduction::density, {.k = 6});
        auto const expected = knn_reduce(own, Reduction::density, {.k = 6, .box = box}, mpi, cpu);
        CHECK(same(values.values, expected.values));
        for (int const min_samples : {1, 4}) {
            auto const a = emst(index, {.min_samples = min_samples});
            auto const b = emst(own, {.min_samples = min_samples, .box = box}, mpi, cpu);
            CHECK(same(a.edges, b.edges));
            CHECK(same(a.lengths, b.lengths));
            CHECK(same(a.core_distances, b.core_distances));
        }
        auto const weights = ::test::some_weights(own.size, unsigned(comm.rank()));
        auto const seen = ::test::some_weights(asking.size, unsigned(comm.rank()) + 100);
        for (bool const weighted : {false, true}) {
            PairOptions o{.edges = {0, .01, .05, .1, .4}};
            if (weighted) o.weights = weights;
            PairOptions with_box = o;
            with_box.box = box;
            auto const a = pair_counts(index, o);
            auto const b = pair_counts(own, with_box, mpi, cpu);
            CHECK(a.counts == b.counts);
            CHECK(a.weighted == b.weighted);
            if (weighted) o.second_weights = with_box.second_weights = seen;
            auto const c = pair_counts(index, asking, o);
            auto const d = pair_counts(own, asking, with_box, mpi, cpu);
            CHECK(c.counts == d.counts);
            CHECK(c.weighted == d.weighted);
        }
        auto const clusters = hdbscan(index, {.min_cluster_size = 5});
        auto const others = hdbscan(own, {.min_cluster_size = 5, .box = box}, mpi, cpu);
        CHECK(clusters.clusters == others.clusters);
        CHECK(same(clusters.labels, others.labels));
    }
}

TEST_CASE("index on ranks: saved by ranks, loaded by one process and by ranks") {
    Comm comm(world());
    Input<3, double> const input{::test::make_points<3, double>("clustered", 900, 3),
                                 spread("none on the first", 900, comm.size())};
    SharedFile const file(comm);
    Mpi const mpi = world();
    RankIndex<double>(input.of(comm.rank()), {.box = {100, 0, 100}}, mpi, Cpu(1)).save(file.path);
    CHECK(file.bytes() == file_of(input, {.box = {100, 0, 100}}));
    auto const index = RankIndex<double>::load(file.path, mpi, Cpu(1));
    CHECK(index.box() == std::vector<double>{100, 0, 100});
    auto const expected = knn(Index<double>::load(file.path, Cpu(1)), {.k = 4});
    auto const found = knn(index, {.k = 4});
    auto const begin = comm.offsets(found.rows);
    CHECK(begin.back() == 900);
    CHECK(found.rows == index.rows());
    auto const at = begin[std::size_t(comm.rank())] * 4;
    CHECK(same(found.indices,
               std::span<index_t const>(expected.indices).subspan(at, found.indices.size())));
    // Once more from these ranks.
    auto const before = file.bytes();
    index.save(file.path);
    CHECK(file.bytes() == before);
}

TEST_CASE("index on ranks: refusals are the same on all") {
    Comm comm(world());
    Input<2, float> const input{::test::make_points<2, float>("uniform", 200, 5),
                                spread("even", 200, comm.size())};
    SharedFile const file(comm);
    Mpi const mpi = world();
    RankIndex const index(input.of(comm.rank()), {.box = {1}}, mpi);
    auto const why = [&](auto const& f) { return thrown_by([&] { (void)f(); }); };
    CHECK(why([&] { return knn(index, {.k = 2, .box = {1}}); }).find("box") != std::string::npos);
    CHECK(
        why([&] { return fof(index, {.linking_length = -1}); }).starts_with("InputError: the linking"));
    CHECK(knn(index, {.k = 2}).columns == 2);  // it is as it was
    CHECK(why([&] { index.save(file.path / "no" / "such"); }).starts_with("Error: cannot write '"));
    auto const load = [&] { return RankIndex<float>::load(file.path, mpi); };
    CHECK(why(load).starts_with("InputError: cannot read '"));

    index.save(file.path);
    std::string const good = file.bytes();
    CHECK(why([&] { return RankIndex<double>::load(file.path, mpi); }).find("not float64") !=
          std::string::npos);
    auto const refusal_of = [&](std::string const& bytes) {
        file.write(bytes);
        return why(load);
    };
    CHECK(refusal_of(good.substr(0, good.size() - 1)).find("truncated") != std::string::npos);
    CHECK(refusal_of(good + "x").find("1 bytes behind its end") != std::string::npos);
    for (std::size_t const at : {std::size_t(120), good.size() / 2, good.size() - 1}) {
        auto bad = good;
        bad[at] = char(bad[at] ^ 1);
        CHECK(refusal_of(bad).find("wrong checksum") != std::string::npos);
    }
    CHECK(refusal_of(good) == "nothing");
}
