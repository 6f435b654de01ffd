// Radius search among all images in a periodic box, over all pairs and shifts.
#include <doctest/doctest.h>

#include <cmath>

#include "knn/check.hpp"
#include "radius/brute.hpp"
#include "zwalk/radius/radius.hpp"

using namespace test;

namespace {

/// Lists of brute_radius(), with an entry for each image.
template <class T>
std::vector<std::vector<Listed<T>>> brute_images(Points<T> sources, Points<T> queries,
                                                 std::vector<double> const& box,
                                                 RadiusOptions const& o) {
    auto const dim = std::size_t(sources.dim);
    constexpr int most = 5;
    std::vector<std::vector<Listed<T>>> lists(queries.size);
    for (std::size_t i = 0; i < queries.size; ++i) {
        T const radius = T(o.radii.empty() ? o.radius : o.radii[i]);
        std::vector<ListedSource<T>> near;
        for (std::size_t s = 0; s < sources.size; ++s) {
            std::vector<int> shift(dim, -most);
            for (bool more = true; more;) {
                std::vector<T> image(dim);
                bool moved = false, is_image = true;
                for (std::size_t j = 0; j < dim; ++j) {
                    moved = moved || shift[j] != 0;
                    is_image = is_image && (shift[j] == 0 || box[j] > 0);
                    image[j] = T(double(sources.data[s * dim + j]) + shift[j] * double(T(box[j])));
                }
                T const d2 = plain_distance2(queries.data + i * dim, image.data(), int(dim), {});
                if (is_image && std::sqrt(d2) <= radius && !(o.exclude_self && !moved && i == s))
                    near.push_back({d2, index_t(s)});
                more = false;
                for (std::size_t j = 0; j < dim && !more; ++j) {
                    more = shift[j] < most;
                    shift[j] = more ? shift[j] + 1 : -most;
                }
            }
        }
        std::sort(near.begin(), near.end());
        for (auto const& source : near) lists[i].push_back({std::sqrt(source.d2), source.row});
    }
    return lists;
}

template <int D, class T>
void check_images(Rows<D, T> const& rows, Rows<D, T> const& queries, std::vector<double> const& box,
                  double radius) {
    CAPTURE(radius);
    RadiusOptions o{.radius = radius, .box = box, .images = true};
    auto const sources = view<D>(rows), asked = view<D>(queries);
    auto const expected = brute_images<T>(sources, asked, box, o);
    CHECK(lists_are(radius_search(sources, asked, o), expected));
    CHECK(counts_are(radius_count(sources, asked, o, Cpu(1)), expected));
    for (bool const exclude_self : {false, true}) {
        o.exclude_self = exclude_self;
        auto const own = brute_images<T>(sources, sources, box, o);
        CHECK(lists_are(radius_search(sources, o), own));
        CHECK(counts_are(radius_count(sources, o), own));
        o.distances = false;
        CHECK(lists_are(radius_search(sources, o), own, false));
        o.distances = true;
    }
    o.exclude_self = false;
    o.radius = 0;
    std::vector<double> radii;
    for (std::size_t i = 0; i < queries.size(); ++i) radii.push_back(radius * double(i % 4) / 3);
    o.radii = radii;
    CHECK(lists_are(radius_search(sources, asked, o), brute_images<T>(sources, asked, box, o)));
}

std::string refusal(RadiusOptions const& o) {
    auto const rows = make_points<2, float>("uniform", 10, 1);
    try {
        (void)radius_search(rows, o);
    } catch (InputError const& e) {
        return e.what();
    }
    return "";
}

}  // namespace

TEST_CASE("radius: images, each an entry of its own") {
    for (auto const* kind : {"uniform", "clustered", "equal", "grid"})
        for (double const radius : {0., .2, .8, 1., 2.3}) {
            CAPTURE(kind);
            check_images<2, float>(in_box<2, float>(kind, 12, 1, 1),
                                   in_box<2, float>("uniform", 9, 1, 2), {1, 1}, radius);
            check_images<2, double>(in_box<2, double>(kind, 9, 1, 3), in_box<2, double>(kind, 9, 1, 4),
                                    {1, 0}, radius);
            check_images<1, double>(in_box<1, double>(kind, 40, 1, 5), in_box<1, double>(kind, 5, 1, 6),
                                    {1}, radius);
        }
    check_images<3, double>(in_box<3, double>("uniform", 4, 1, 7), in_box<3, double>("uniform", 3, 1, 8),
                            {1, 1, 1.5}, 1.4);
    check_images<2, float>({}, in_box<2, float>("uniform", 3, 1, 2), {1, 1}, 1);
    check_images<2, float>(in_box<2, float>("uniform", 3, 1, 2), {}, {1, 1}, 1);
    // The cell of a crystal: a cubic lattice has 6, 12 and 8 neighbours at 1, sqrt 2 and sqrt 3.
    auto const one =
        radius_search(Rows<3, double>{{.25, .5, .1}},
                      {.radius = std::sqrt(3.), .exclude_self = true, .box = {1}, .images = true});
    CHECK(one.found == 26);
    CHECK(one.distances[5] == 1);
    CHECK(one.distances[17] == std::sqrt(2.));
    CHECK(one.indices[25] == 0);
}

TEST_CASE("radius: within half of the box images are the nearest ones") {
    auto const rows = in_box<3, double>("clustered", 2000, 1, 1);
    RadiusOptions o{.radius = .1, .box = {1}};
    auto const nearest = radius_count(rows, o);
    o.images = true;
    auto const found = radius_count(rows, o);
    CHECK(found.found == nearest.found);
}

TEST_CASE("radius: images that aren't there are refused") {
    CHECK(refusal({.radius = 1, .images = true}) ==
          "images are those of a periodic box: give a box, or leave out images");
    CHECK(refusal({.radius = 1, .box = {1}, .images = true, .order = Order::z}) ==
          "images come in the order of the input only");
    for (double const radius : {1e9, 1e30})
        CHECK(refusal({.radius = radius, .box = {1}, .images = true})
                  .find("more than one device can hold") != std::string::npos);
    CHECK(refusal({.radius = 1, .box = {.001}, .images = true}).find("box") != std::string::npos);
    CHECK(refusal({.radius = -1, .box = {1}, .images = true}) ==
          "the radius must be a finite number >= 0, but is -1");
    auto const rows = make_points<2, float>("uniform", 10, 1);
    Index<float> const index(view<2>(rows), {.box = {1}});
    RadiusOptions const o{.radius = 1, .images = true};
    CHECK_THROWS_AS((void)radius_count(index, o), InputError);
    CHECK_THROWS_AS((void)radius_visit(rows, [](index_t, NearestFirst<float> const&) {},
                                       {.radius = 1, .box = {1}, .images = true}),
                    InputError);
}
