// Lennard-Jones forces beside a double loop, to a few last bits of what is added up.
#include "authors/lennard_jones.hpp"

#include "authors/clouds.hpp"
#include "zwalk/testing/verify.hpp"

using namespace authors;

namespace {

/// In units of the potential's: most neighbours are at some .1 to .8, where forces are large and of either sign.
constexpr double radius = .8, least_distance = .1;

/// Forces, and the sums of their terms' absolute values.
template <int D, class T>
struct Forces {
    std::vector<std::array<double, D>> force, terms;
};
template <int D, class T>
Forces<D, T> by_loop(Cloud<D, T> const& cloud) {
    Forces<D, T> all;
    for (std::size_t i = 0; i < cloud.size(); ++i) {
        auto &force = all.force.emplace_back(), &terms = all.terms.emplace_back();
        for (std::size_t j = 0; j < cloud.size(); ++j) {
            T const d2 = cloud.distance2(i, j);
            if (d2 == 0 || d2 > T(radius * radius)) continue;
            double const w = lennard_jones(double(d2));
            auto const dx = cloud.displacement(i, j);
            for (std::size_t a = 0; a < D; ++a) {
                force[a] += w * double(dx[a]);
                terms[a] += std::abs(w * double(dx[a]));
            }
        }
    }
    return all;
}

/// Points that are no nearer to each other, so that no term is many decades larger than all others; or the same.
template <int D, class T>
Cloud<D, T> without_close_pairs(Cloud<D, T> cloud) {
    std::vector<std::array<T, D>> kept;
    std::swap(kept, cloud.rows);
    for (auto const& row : kept) {
        bool fits = true;
        cloud.rows.push_back(row);
        for (std::size_t j = 0; fits && j + 1 < cloud.size(); ++j) {
            T const d2 = cloud.distance2(cloud.size() - 1, j);
            fits = d2 == 0 || d2 > T(least_distance * least_distance);
        }
        if (!fits) cloud.rows.pop_back();
    }
    return cloud;
}

template <int D, class T>
void check_forces() {
    for_clouds<D, T>([](auto const& all) {
        auto const cloud = without_close_pairs(all);
        auto const expected = by_loop(cloud);
        on_all_places([&](auto& place) {
            auto const tree = make_tree<D>(place, cloud.rows, cloud.options());
            auto forces = tree.template array<Vec<D, T>>();
            LennardJones<D, T> trait;
            trait.radius2 = T(radius * radius);
            trait.force = forces.data();
            tree.walk(trait);
            auto const found = forces.in_input_order();
            double largest = 0;
            for (std::size_t i = 0; i < found.size(); ++i)
                for (std::size_t a = 0; a < D; ++a) {
                    double const off = std::abs(double(found[i][int(a)]) - expected.force[i][a]);
                    largest = std::max(largest, off > 0 ? off / expected.terms[i][a] : 0);
                }
            CHECK(largest < 100 * double(std::numeric_limits<T>::epsilon()));
        });
    });
}

}  // namespace

TEST_CASE("authors: Lennard-Jones forces are those of a double loop") {
    check_forces<3, float>();
    check_forces<2, double>();
}

TEST_CASE("authors: Lennard-Jones forces pass verify") {
    using Trait = LennardJones<3, double>;
    Trait trait;
    trait.radius2 = radius * radius;
    for (std::vector<double> const& box : {std::vector<double>{}, {2, 0, 2}}) {
        // Terms of close pairs are so large that only kinds without symmetry keep sums of some size.
        auto const report = verify(trait, Outputs{&Trait::force},
                                   {.box = box,
                                    .tolerance = 1e-9,
                                    .kinds = {"uniform", "clustered", "sites40", "equal"},
                                    .many = 0});
        INFO(report.text());
        CHECK(report.ok());
    }
}
