// The nearest of the same group, and of others, beside double loops.
#include "authors/group_neighbours.hpp"

#include "authors/clouds.hpp"
#include "zwalk/testing/verify.hpp"

using namespace authors;

namespace {

constexpr int K = 3;

/// Groups of a few points anywhere, or all points of a region, so that there are nodes of one group.
template <int D, class T>
std::vector<Member> members_of(Cloud<D, T> const& cloud, bool by_region) {
    test::Random random(cloud.seed + 100);
    std::vector<Member> members;
    for (auto const& row : cloud.rows) {
        auto const anywhere = std::int32_t(random.below(5));
        auto const region = std::int32_t(std::floor(row[0] * 3)) - 1;
        members.push_back({by_region ? region : anywhere, pos_t(members.size())});
    }
    return members;
}

template <Whose whose, int D, class T>
std::vector<std::array<std::pair<pos_t, T>, K>> by_loop(Cloud<D, T> const& cloud,
                                                        std::vector<Member> const& members) {
    std::vector<std::array<std::pair<pos_t, T>, K>> found;
    for (std::size_t i = 0; i < cloud.size(); ++i) {
        std::vector<std::pair<Key<T>, pos_t>> all(K, {Key<T>{}, no_pos});
        for (std::size_t j = 0; j < cloud.size(); ++j)
            if (i != j && (members[i].group == members[j].group) == (whose == Whose::own))
                all.push_back({cloud.key(i, j), pos_t(j)});
        std::sort(all.begin(), all.end(),
                  [](auto const& a, auto const& b) { return a.first < b.first; });
        auto& best = found.emplace_back();
        for (int m = 0; m < K; ++m)
            best[std::size_t(m)] = {all[std::size_t(m)].second, all[std::size_t(m)].first.d2};
    }
    return found;
}

template <Whose whose, int D, class T>
void check_neighbours() {
    CAPTURE(int(whose));
    for_clouds<D, T>([](auto const& cloud) {
        for (bool by_region : {false, true}) {
            CAPTURE(by_region);
            auto const members = members_of(cloud, by_region);
            auto const expected = by_loop<whose>(cloud, members);
            on_all_places([&](auto& place) {
                auto const tree = make_tree<D>(place, cloud.rows, cloud.options());
                auto neighbours = tree.template array<Neighbours<T, K>>();
                GroupNeighbours<D, T, K, whose> trait;
                trait.neighbours = neighbours.data();
                tree.walk(trait, tree.payload(members));
                auto const found = neighbours.in_input_order();
                int wrong = 0;
                for (std::size_t i = 0; i < found.size(); ++i)
                    for (int m = 0; m < K; ++m)
                        wrong +=
                            std::pair(found[i].row[m], found[i].d2[m]) != expected[i][std::size_t(m)];
                CHECK(wrong == 0);
            });
        }
    });
}

template <Whose whose>
void check_verified() {
    CAPTURE(int(whose));
    using Trait = GroupNeighbours<3, float, K, whose>;
    for (bool by_region : {false, true})
        for (std::vector<double> const& box : {std::vector<double>{}, {1, 0, 1}}) {
            CAPTURE(by_region);
            auto const report = verify(
                Trait{}, Outputs{&Trait::neighbours}, {.box = box, .many = 1500},
                [&](std::size_t row, std::array<float, 3> const& p) {
                    return Member{by_region ? p[0] > .3f : std::int32_t(row * row % 5), pos_t(row)};
                });
            INFO(report.text());
            CHECK(report.ok());
        }
}

}  // namespace

TEST_CASE("authors: the nearest of a point's own group are those of a double loop") {
    check_neighbours<Whose::own, 3, float>();
    check_neighbours<Whose::own, 2, double>();
}

TEST_CASE("authors: the nearest of other groups are those of a double loop") {
    check_neighbours<Whose::others, 3, float>();
    check_neighbours<Whose::others, 2, double>();
}

TEST_CASE("authors: neighbours by group pass verify") {
    check_verified<Whose::own>();
    check_verified<Whose::others>();
}
