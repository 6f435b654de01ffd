// The kernel density of examples/traits: its error stays within what is guaranteed, and uses it.
#include "traits/kernel_density.hpp"

#include "authors/clouds.hpp"
#include "zwalk/testing/verify.hpp"

using namespace authors;

namespace {

/// The same decisions; what is summed up is by how much each accepted source may be off.
template <int D, class T>
struct ErrorBound : examples::KernelDensity<D, T> {
    using Base = examples::KernelDensity<D, T>;
    using typename Base::Node, typename Base::Point, typename Base::Target;
    ZWALK_HD void absorb(examples::Budget& own, Node const& t, Node const& s, Range<T> d) const {
        double const bound = own.sum + double(s.count) * this->off_by(d);
        Base::absorb(own, t, s, d);
        own.sum = bound;
    }
    ZWALK_HD void visit(double&, Target const&, Point const&, T) const {}
};

template <template <int, class> class Trait, int D, class T, class P>
std::vector<double> sums_of(PointTree<D, T, P> const& tree, double length, double error) {
    auto sums = tree.template array<double>();
    Trait<D, T> trait{};
    trait.scale = -.5 / (length * length);
    trait.error = error;
    trait.sources = double(tree.size());
    trait.sum = sums.data();
    tree.walk(trait);
    return sums.in_input_order();
}

template <int D, class T>
std::vector<double> by_loop(Cloud<D, T> const& cloud, double length) {
    std::vector<double> sums(cloud.size());
    for (std::size_t i = 0; i < cloud.size(); ++i)
        for (std::size_t j = 0; j < cloud.size(); ++j)
            sums[i] += std::exp(-.5 / (length * length) * double(cloud.distance2(i, j)));
    return sums;
}

/// The largest error for a target, and the largest bound of one, as shares of what is guaranteed.
struct Spent {
    double error, bound;
};
template <int D, class T>
Spent spent_on(auto& place, Cloud<D, T> const& cloud, std::vector<double> const& expected, double length,
               double error) {
    auto const tree = make_tree<D>(place, cloud.rows, cloud.options());
    auto const found = sums_of<examples::KernelDensity>(tree, length, error);
    auto const bound = sums_of<ErrorBound>(tree, length, error);
    Spent spent{};
    double const all = error * double(cloud.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        spent.error = std::max(spent.error, std::abs(found[i] - expected[i]) / all);
        spent.bound = std::max(spent.bound, bound[i] / all);
    }
    return spent;
}

template <int D, class T>
void check_errors() {
    for_clouds<D, T>([](auto const& cloud) {
        auto const expected = by_loop(cloud, .15);
        on_all_places([&](auto& place) {
            for (double error : {1e-4, .01, .05, .2, .5}) {
                CAPTURE(error);
                Spent const spent = spent_on(place, cloud, expected, .15, error);
                CHECK(spent.error <= 1);
                CHECK(spent.bound <= 1 + 1e-12);
            }
        });
    });
}

}  // namespace

TEST_CASE("authors: kernel densities are as exact as is guaranteed") {
    check_errors<3, float>();
    check_errors<2, double>();
}

TEST_CASE("authors: kernel densities use a good part of the error allowed") {
    for (std::string const kind : {"uniform", "clustered"})
        for (std::uint64_t seed : {1, 2}) {
            CAPTURE(kind);
            CAPTURE(seed);
            Cloud<2, double> const cloud{test::make_points<2, double>(kind, 4000, seed)};
            Cpu place(2);
            Spent const spent = spent_on(place, cloud, by_loop(cloud, .05), .05, .01);
            CHECK(spent.error > .1);  // of uniform points .05 if each source is allowed `error` alone
            CHECK(spent.error <= 1);
            CHECK(spent.bound <= 1 + 1e-12);
        }
}

TEST_CASE("authors: kernel densities pass verify") {
    for (double error : {.001, .05})
        for (std::vector<double> const& box : {std::vector<double>{}, {1, 0, 1}}) {
            auto const report = verify<3, float>(
                [&](auto const& tree) {
                    auto means = sums_of<examples::KernelDensity>(tree, .15, error);
                    for (double& mean : means) mean /= double(tree.size());
                    return means;
                },
                {.box = box, .absolute_tolerance = error, .many = 1500});
            INFO(report.text());
            CHECK(report.ok());
        }
}
