// Points in units in which squares, or cubes, are no numbers: ranks find what one process finds, in the same units.
#include <doctest/doctest.h>

#include "ranks/alone.hpp"
#include "ranks/input.hpp"
#include "ranks/masses.hpp"
#include "ranks/ranks.hpp"
#include "ranks/shared_file.hpp"
#include "zwalk/density/density.hpp"
#include "zwalk/emst/emst.hpp"
#include "zwalk/fof/catalogue.hpp"
#include "zwalk/gravity/gravity.hpp"
#include "zwalk/radius/radius.hpp"
#include "zwalk/run/mpi.hpp"
#include "zwalk/run/rank_index.hpp"

using namespace zwalk;
using namespace zwalk::test;

namespace {

template <class T>
std::vector<int> exponents() {
    if (sizeof(T) == 4) return {-100, 70};
    return {-900, 700};
}

template <int D, class T>
Input<D, T> clustered(Comm& comm, int exponent) {
    auto rows = ::test::make_points<D, T>("clustered", 600, 3);
    for (auto& row : rows)
        for (T& x : row) x = std::ldexp(x, exponent);
    return {rows, spread("even", rows.size(), comm.size())};
}

template <class A, class B>
bool same_values(A const& a, B const& b) {
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
}
/// This rank's part of values of all rows.
template <int D, class T, class A, class B>
bool is_own(Comm& comm, Input<D, T> const& input, A const& own, B const& all) {
    std::size_t const width = all.size() / input.rows.size(),
                      begin = input.begin[std::size_t(comm.rank())];
    return own.size() == input.of(comm.rank()).size * width &&
           std::equal(own.begin(), own.end(), all.begin() + std::ptrdiff_t(begin * width));
}

template <int D, class T>
void check_units(Comm& comm, int exponent) {
    CAPTURE(exponent);
    auto const input = clustered<D, T>(comm, exponent);
    auto const own = input.of(comm.rank());
    double const unit = std::ldexp(1., exponent);

    auto const near = knn(own, KnnOptions{.k = 5}, world(), Cpu(1));
    auto const expected = knn(input.all(), {.k = 5}, Cpu(1));
    CHECK(is_own(comm, input, near.distances, expected.distances));
    CHECK(is_own(comm, input, near.indices, expected.indices));
    CHECK(is_own(comm, input, knn_reduce(own, Reduction::radius, {.k = 5}, world(), Cpu(1)).values,
                 knn_reduce(input.all(), Reduction::radius, {.k = 5}, Cpu(1)).values));

    RadiusOptions const within{.radius = .05 * unit};
    CHECK(is_own(comm, input, radius_count(own, within, world(), Cpu(1)).counts,
                 radius_count(input.all(), within, Cpu(1)).counts));
    auto const lists = radius_search(own, within, world(), Cpu(1)).distances;
    auto const all_lists = radius_search(input.all(), within, Cpu(1));
    auto const first = std::ptrdiff_t(all_lists.offsets[input.begin[std::size_t(comm.rank())]]);
    CHECK(std::equal(lists.begin(), lists.end(), all_lists.distances.begin() + first));

    for (int const min_samples : {1, 4}) {
        EmstOptions const o{.min_samples = min_samples};
        auto const tree = emst(own, o, world(), Cpu(1));
        auto const alone = emst(input.all(), o, Cpu(1));
        auto const at = std::ptrdiff_t(tree.first_edge);
        CHECK(std::equal(tree.lengths.begin(), tree.lengths.end(), alone.lengths.begin() + at));
        CHECK(std::equal(tree.edges.begin(), tree.edges.end(), alone.edges.begin() + 2 * at));
        if (min_samples > 1) CHECK(is_own(comm, input, tree.core_distances, alone.core_distances));
    }

    FofOptions const linked{.linking_length = .05 * unit};
    auto const groups = fof(input.all(), linked, Cpu(1));
    auto const catalogue = fof_catalogue(input.all(), groups, {.min_members = 3}, Cpu(1));
    auto const found = fof_with_catalogue(own, linked, {.min_members = 3}, world(), Cpu(1)).catalogue;
    CHECK(found.size == catalogue.size());
    for (auto column :
         {&FofCatalogue::centre_of_mass, &FofCatalogue::radius, &FofCatalogue::inertia_radius}) {
        auto const width = (catalogue.*column).size() / catalogue.size();
        auto const from = (catalogue.*column).begin() + std::ptrdiff_t(found.first_row * width);
        CHECK(std::equal((found.rows.*column).begin(), (found.rows.*column).end(), from));
    }

    SharedFile const file(comm);
    RankIndex<T>(own, {}, world(), Cpu(1)).write(file.path);
    std::ostringstream alone;
    Index<T>(input.all(), {}, Cpu(1)).write(alone);
    CHECK(file.bytes() == alone.str());
    auto const loaded = RankIndex<T>::load(file.path, world(), Cpu(1));
    CHECK(fof(loaded, linked).groups == groups.groups);
}

}  // namespace

TEST_CASE_TEMPLATE("units on ranks: what one process finds", T, float, double) {
    Comm comm(world());
    for (int const exponent : exponents<T>()) check_units<3, T>(comm, exponent);
}

TEST_CASE("units on ranks: one density that is lost, alone on its rank, refuses nothing") {
    Comm comm(world());
    auto rows = ::test::make_points<3, float>("uniform", 200, 5);
    rows.push_back({1e15f, 0, 0});  // 2e-44 points per volume
    auto begin = spread("even", 200, comm.size());
    if (comm.size() > 1) begin[begin.size() - 2] = 200;
    begin.back() = 201;
    Input<3, float> const input{rows, begin};
    for (auto const what : {Reduction::density, Reduction::sph}) {
        auto const all = knn_reduce(input.all(), what, {.k = 5}, Cpu(1)).values;
        CHECK(all[200] == 0);
        CHECK(is_own(comm, input,
                     knn_reduce(input.of(comm.rank()), what, {.k = 5}, world(), Cpu(1)).values, all));
    }
}

TEST_CASE("units on ranks: forces, and refusals on all ranks") {
    Comm comm(world());
    auto input = clustered<3, double>(comm, 400);
    auto const own = input.of(comm.rank());
    auto const beyond = clustered<3, double>(comm, 700);
    CHECK(thrown_by([&] {
              (void)gravity(beyond.of(comm.rank()), {.expansion_order = 4}, world());
          }).find("accelerations leave the range of double precision") != std::string::npos);
    std::vector<double> heavy(own.size, std::ldexp(1., 800));
    auto const r = all_of(comm, gravity(own, {.masses = heavy, .expansion_order = 4}, world(), Cpu(1)));
    auto const near = clustered<3, double>(comm, 0);
    auto const usual =
        all_of(comm, gravity(near.of(comm.rank()), {.expansion_order = 4}, world(), Cpu(1)));
    CHECK(same_values(r.accelerations, usual.accelerations));
    bool scaled = r.potentials.size() == usual.potentials.size();
    for (std::size_t i = 0; i < r.potentials.size() && scaled; ++i)
        scaled = r.potentials[i] == std::ldexp(usual.potentials[i], 400);
    CHECK(scaled);

    MpiRanks place(world(), Cpu(1));
    CHECK(thrown_by([&] { (void)make_tree<3>(place, beyond.of(comm.rank())); }).find("a trait sees") !=
          std::string::npos);
    RankIndex<double> const index(near.of(comm.rank()), {}, world(), Cpu(1));
    CHECK(thrown_by([&] {
              (void)knn(index, beyond.of(comm.rank()), {.k = 1});
          }).find("squares of distances") != std::string::npos);
    double const most = std::numeric_limits<double>::max();
    ::test::Rows<1, double> const apart{{comm.rank() == 0 ? -most : most}};
    if (comm.size() > 1)
        CHECK(thrown_by([&] {
                  (void)fof(Points<double>(apart), {.linking_length = 1}, world());
              }).find("distances leave the range") != std::string::npos);
}
