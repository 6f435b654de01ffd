// Density peaks beside a double loop.
#include "authors/density_peaks.hpp"

#include "authors/clouds.hpp"
#include "zwalk/testing/verify.hpp"

using namespace authors;

namespace {

constexpr std::size_t k = 4;

template <int D, class T>
std::pair<std::vector<index_t>, std::vector<T>> by_loop(Cloud<D, T> const& cloud) {
    std::size_t const n = cloud.size();
    std::vector<T> radius2(n);
    for (std::size_t i = 0; i < n; ++i) {
        std::vector<T> d2(n);
        for (std::size_t j = 0; j < n; ++j) d2[j] = cloud.distance2(i, j);
        std::sort(d2.begin(), d2.end());
        radius2[i] = d2[std::min(k, n) - 1];
    }
    std::vector<index_t> row(n, -1);
    std::vector<T> d2(n, infinity<T>);
    for (std::size_t i = 0; i < n; ++i) {
        Key<T> best;
        for (std::size_t j = 0; j < n; ++j) {
            bool const is_denser =
                std::pair(radius2[j], cloud.position[j]) < std::pair(radius2[i], cloud.position[i]);
            if (!is_denser || !(cloud.key(i, j) < best)) continue;
            best = cloud.key(i, j);
            row[i] = index_t(j);
        }
        d2[i] = best.d2;
    }
    return {row, d2};
}

template <int D, class T>
void check_peaks() {
    for_clouds<D, T>([](auto const& cloud) {
        auto const expected = by_loop(cloud);
        on_all_places([&](auto& place) {
            auto const found = density_peaks(make_tree<D>(place, cloud.rows, cloud.options()), int(k));
            CHECK(found.first == expected.first);
            CHECK(found.second == expected.second);
        });
    });
}

}  // namespace

TEST_CASE("authors: density peaks are those of a double loop") {
    check_peaks<3, float>();
    check_peaks<2, double>();
}

TEST_CASE("authors: density peaks pass verify") {
    for (std::vector<double> const& box : {std::vector<double>{}, {1, 0, 1}}) {
        using Peaks = DensityPeaks<3, float>;
        auto const report = verify(Peaks{}, Outputs{&Peaks::denser}, {.box = box, .many = 1500});
        INFO(report.text());
        CHECK(report.ok());
    }
}
