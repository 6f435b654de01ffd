// Triangles beside a triple loop.
#include "authors/triangles.hpp"

#include "authors/clouds.hpp"
#include "zwalk/testing/verify.hpp"

using namespace authors;

namespace {

template <int D, class T>
std::vector<size_type> by_loop(Cloud<D, T> const& cloud, T radius2) {
    std::vector<std::vector<bool>> near(cloud.size(), std::vector<bool>(cloud.size()));
    for (std::size_t i = 0; i < cloud.size(); ++i)
        for (std::size_t j = 0; j < cloud.size(); ++j) near[i][j] = cloud.distance2(i, j) <= radius2;
    std::vector<size_type> triangles(cloud.size());
    auto const& z = cloud.position;
    for (std::size_t i = 0; i < cloud.size(); ++i)
        for (std::size_t j = 0; j < cloud.size(); ++j)
            for (std::size_t k = 0; near[i][j] && z[i] < z[j] && k < j; ++k)
                triangles[i] += near[i][k] && near[j][k] && z[i] < z[k];
    return triangles;
}

template <int D, class T>
void check_triangles(T radius) {
    for_clouds<D, T>([&](auto const& cloud) {
        auto const expected = by_loop(cloud, radius * radius);
        std::array<T, D> box{};
        for (std::size_t a = 0; a < D && !cloud.box.empty(); ++a) box[a] = T(cloud.box[a]);
        auto const space = Periodic<D, T>::of(box);
        on_all_places([&](auto& place) {
            auto const tree = make_tree<D>(place, cloud.rows, cloud.options());
            CHECK(triangles(tree, space, radius) == expected);
        });
    });
}

}  // namespace

TEST_CASE("authors: triangles are those of a triple loop") {
    check_triangles<3, float>(.15f);
    check_triangles<2, double>(1.);  // a side of many triangles on a lattice
}

TEST_CASE("authors: triangles pass verify") {
    for (float const length : {0.f, 2.f}) {
        std::vector<double> const box{double(length), 0, double(length)};
        auto const report = verify<3, float>(
            [&](auto const& tree) {
                return triangles(tree, Periodic<3, float>::of({length, 0, length}), .3f);
            },
            {.box = length > 0 ? box : std::vector<double>{}, .many = 0});
        INFO(report.text());
        CHECK(report.ok());
    }
}
