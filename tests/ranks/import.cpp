// Walks of traits on ranks, with what they need of each other brought in: what one process with all points finds, bit for bit.
#include "zwalk/ranks/import.hpp"

#include <doctest/doctest.h>

#include <cstdio>

#include "ranks/compared.hpp"
#include "traits/nearest_brighter.hpp"
#include "traits/radius_count.hpp"
#include "zorder/morton.hpp"
#include "zwalk/nearest/trait.hpp"
#include "zwalk/walk/walk.hpp"

using namespace zwalk;
using namespace zwalk::test;
using namespace zwalk::examples;

namespace {

/// The neighbours of all targets: k keys each, with rows in the place of positions.
template <int D, class T>
struct KeepRows {
    Key<T>* keys;
    pos_t k;
    void operator()(auto const& target, auto const& found) const {
        for (int i = 0; i < int(found.size()); ++i)
            keys[target.index * k + pos_t(i)] = {found.d2(i), found.position(i)};
    }
};
template <int D, class T, class Space>
bool same_neighbours(Comm& comm, Space const& space, Input<D, T> const& input, pos_t k,
                     bool exclude_self) {
    using Trait = Nearest<D, T, KeepRows<D, T>>;
    pos_t const attained = std::max<pos_t>(1, std::min<pos_t>(k, pos_t(input.rows.size())));
    Trait trait(attained);
    trait.exclude_self = exclude_self;
    auto const none = [](std::size_t) { return Empty{}; };
    using Row = std::vector<std::pair<T, index_t>>;
    auto const r = on_ranks_and_alone<Trait>(
        comm, space, input, trait, none,
        [&](auto const& tree, auto const& inputs, pos_t n, auto const& row) {
            std::vector<Key<T>> keys(std::size_t(n) * attained);
            Trait own = trait;
            own.output = {keys.data(), attained};
            walk(Cpu(2), own, space, tree, tree, inputs);
            std::vector<Row> rows(n);
            for (std::size_t i = 0; i < keys.size(); ++i)
                rows[i / attained].push_back(
                    {keys[i].d2, keys[i].pos == no_pos ? index_t(-1) : row(keys[i].pos)});
            return rows;
        });
    return r.found == r.expected;
}
}  // namespace

TEST_CASE("walks on ranks: nearest neighbours") {
    Comm comm(world());
    for_inputs<3, float>(comm, {0, 1, 7, 300}, 0, [&](auto const& input, std::size_t) {
        for (pos_t k : {1, 9})
            for (bool exclude_self : {false, true})
                CHECK(same_neighbours(comm, Open<3, float>{}, input, k, exclude_self));
    });
    for_inputs<2, double>(comm, {200}, 0, [&](auto const& input, std::size_t) {
        CHECK(same_neighbours(comm, Open<2, double>{}, input, 33, false));
    });
}

TEST_CASE("walks on ranks: nearest neighbours in periodic space") {
    Comm comm(world());
    for (double open : {1., double(infinity<float>)}) {
        Periodic<2, float> const space{{1, float(open)}};
        Input<2, float> const input{::test::make_points<2, float>("uniform", 500, 3),
                                    spread("uneven", 500, comm.size())};
        for (pos_t k : {1, 12}) CHECK(same_neighbours(comm, space, input, k, true));
    }
}

TEST_CASE("walks on ranks: a payload and its summary") {
    Comm comm(world());
    for_inputs<3, float>(comm, {400}, 0, [&](auto const& input, std::size_t) {
        auto const light = [](std::size_t row) { return Star{float(row * 7919 % 101)}; };
        Open<3, float> const space;
        auto const r = on_ranks_and_alone<NearestBrighter>(
            comm, space, input, NearestBrighter{}, light,
            [&](auto const& tree, auto const& inputs, pos_t n, auto const& row) {
                std::vector<pos_t> brighter(n);
                NearestBrighter own;
                own.brighter = brighter.data();
                walk(Cpu(1), own, space, tree, tree, inputs);
                std::vector<index_t> rows;
                for (pos_t i : brighter) rows.push_back(i == no_pos ? -1 : row(i));
                return rows;
            });
        CHECK(r.found == r.expected);
    });
}

TEST_CASE("walks on ranks: what ranks have been given isn't sent again") {
    Comm comm(world());
    Cpu const cpu(1);
    // Without what each step says of itself: a number for each other rank, at most.
    auto const sent = [&] {
        std::uint64_t bytes = 0;
        for (StepStats const& step : comm.stats())
            if (std::string(step.name) == "import")
                bytes += step.bytes -
                         sizeof(std::uint64_t) * std::uint64_t(comm.size() - 1) * step.collectives;
        return bytes;
    };
    for_inputs<3, float>(comm, {1, 600}, 0, [&](auto const& input, std::size_t) {
        auto const own = make_rank_tree(cpu, z_sort(comm, cpu, input.of(comm.rank())), 3, small_nodes);
        KeptSources<float> kept;
        std::uint64_t anew_bytes = 0, again_bytes = 0;
        for (int const light :
             {7919, 104729, 7919, 31}) {  // all want other sources, and know something else of them
            std::vector<Star> stars;
            for (auto const row : own.points.input_index) stars.push_back({float(row * light % 101)});
            Columns<Star> const payload{std::span<Star const>(stars)};
            auto const before = sent();
            auto const anew =
                import_sources(comm, cpu, NearestBrighter{}, Open<3, float>{}, own, payload.view());
            auto const between = sent();
            auto const again = import_sources(comm, cpu, NearestBrighter{}, Open<3, float>{}, own,
                                              payload.view(), &kept);
            anew_bytes += between - before;
            again_bytes += sent() - between;
            CHECK(again.input_index == anew.input_index);
            CHECK(again.position == anew.position);
            CHECK(again.from == anew.from);
            CHECK(again.asking == anew.asking);
            bool same = again.tree.size() == anew.tree.size();
            for (pos_t i = 0; same && i < anew.tree.size(); ++i)
                same = again.tree.template points<3>().point(i) ==
                           anew.tree.template points<3>().point(i) &&
                       again.payload[i].light == anew.payload[i].light;
            CHECK(same);
        }
        auto const all_again = comm.reduce_all(again_bytes, std::plus<>()),
                   all_anew = comm.reduce_all(anew_bytes, std::plus<>());
        if (comm.size() > 1 && input.rows.size() > 1) CHECK(all_again < all_anew);
        CHECK(kept.size() <= input.rows.size());
    });
}

TEST_CASE("walks on ranks: points ask for their neighbours, and for few points more") {
    Comm comm(world());
    Cpu const cpu(1);
    constexpr pos_t k = 8;
    for (std::string const kind : {"uniform", "clustered", "clumps"})
        for (auto const& [spread_by, period] : {std::pair{"even", infinity<float>}, {"uneven", 20.f}}) {
            CAPTURE(kind);
            Input<3, float> const input{::test::make_points<3, float>(kind, 3000, 5),
                                        spread(spread_by, 3000, comm.size())};
            Periodic<3, float> const space{{period, infinity<float>, period}};
            auto const own = make_rank_tree(cpu, z_sort(comm, cpu, input.of(comm.rank())), 3);
            auto const all = import_sources(comm, cpu, Nearest<3, float, NoOutput>(k), space, own);
            auto const at = [](auto const& x) { return Vec<3, float>{x[0], x[1], x[2]}; };
            std::vector<char> brought(input.rows.size()), needed(input.rows.size());
            for (index_t const row : all.input_index) brought[std::size_t(row)] = 1;
            for (index_t const row : own.points.input_index) {
                std::vector<float> d2;
                for (auto const& x : input.rows)
                    d2.push_back(distance2(space, at(input.rows[std::size_t(row)]), at(x)));
                auto sorted = d2;
                std::nth_element(sorted.begin(), sorted.begin() + (k - 1), sorted.end());
                for (std::size_t i = 0; i < d2.size(); ++i) needed[i] |= d2[i] < sorted[k - 1];
            }
            for (index_t const row : own.points.input_index)
                brought[std::size_t(row)] = needed[std::size_t(row)] = 0;
            std::size_t missing = 0;
            for (std::size_t i = 0; i < needed.size(); ++i) missing += needed[i] && !brought[i];
            CHECK(missing == 0);
            // Points that others are as near as, of which the first count, come along.
            if (kind == "clumps") continue;
            auto const ones = [](auto const& of) { return std::count(of.begin(), of.end(), 1); };
            CHECK(ones(brought) <= 4 * ones(needed));  // leaves that ask for leaves: most of all
        }
}

TEST_CASE("walks on ranks: more points than there is memory or numbers for") {
    auto const said = [](std::uint64_t imported, std::uint64_t own, double bytes, int ranks) {
        return thrown_by([&] { detail::check_imported(imported, own, bytes, 8'000'000'000, ranks); });
    };
    CHECK(said(5, 5, 8e9, 1) == "nothing");
    CHECK(said(max_points - 5, 5, 0, 4) == "nothing");
    CHECK(said(max_points - 5, 6, 0, 4).starts_with("InputError: a rank has 6 points and needs"));
    CHECK(said(700, 50, 2.1e9, 4) ==
          "Error: a rank has 50 points and needs 700 of other ranks, which takes 2.1 GB of memory; 8 GB "
          "are "
          "free for 4 ranks on its machine: use fewer ranks on a machine, or more machines");
}

TEST_CASE("walks on ranks: what a rank needs of others is near its own points") {
    Comm comm(world());
    if (comm.size() == 1) return;
    Cpu const cpu(1);
    Input<3, float> const input{::test::make_points<3, float>("uniform", 40000, 8),
                                spread("even", 40000, comm.size())};
    auto const own = make_rank_tree(cpu, z_sort(comm, cpu, input.of(comm.rank())), 3);
    RadiusCount<3, float> trait;
    trait.radius2 = 1e-4f;
    auto const all = import_sources(comm, cpu, trait, Open<3, float>{}, own);
    // Layers of leaves of a fifth of the cube's side at most, on up to six faces.
    CHECK(all.tree.size() - own.tree.size() < 2 * own.tree.size());
    CHECK(all.tree.size() > own.tree.size());
    for (pos_t i = 0; i < all.tree.size(); ++i) {
        bool const is_own = i >= all.first && i < all.first + own.tree.size();
        REQUIRE((own.points.ranks.rank_of_row(std::uint64_t(all.input_index[i])) >= 0));
        if (is_own) REQUIRE(all.input_index[i] == own.points.input_index[i - all.first]);
    }
    for (StepStats const& step : comm.stats())
        if (std::string(step.name) == "import") CHECK(step.collectives < 30);
}
