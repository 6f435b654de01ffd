// The nearest denser point: on all groups and trees, and on sources that were put together from parts.
#include "support/parts.hpp"

#include "knn/check.hpp"

#include "zwalk/peaks/trait.hpp"
#include "zwalk/testing/verify.hpp"

using namespace test;

namespace {

/// Some radius of each row, of few different ones.
float radius_of(pos_t row) { return float(row * 7919 % 61); }

template <class Space>
void check_trait(Rows<3, float> const& rows, Space const& space) {
    check_parts<3, float>(rows, [&](auto const& walker, auto const& tree, TargetNodes targets,
                                    pos_t begin, pos_t end) {
        // By coordinates, since rows of the input differ between the trees.
        std::vector<Standing<float>> standings;
        for (pos_t i = 0; i < tree.size(); ++i) {
            auto const x = tree.template points<3>().point(i);
            pos_t const row = pos_t(std::find_if(rows.begin(), rows.end(),
                                                 [&](auto const& r) {
                                                     return r[0] == x[0] && r[1] == x[1] && r[2] == x[2];
                                                 }) -
                                    rows.begin());
            standings.push_back({radius_of(row), index_t(row)});
        }
        Columns<Standing<float>> const payload{std::span<Standing<float> const>(standings)};
        std::vector<pos_t> denser(end - begin);
        std::vector<float> distance2(end - begin);
        NearestDenser<3, float> trait;
        trait.denser = denser.data();
        trait.distance2 = distance2.data();
        WalkInputs<NearestDenser<3, float>> inputs{payload.view(), payload.view()};
        inputs.targets = targets;
        walker(trait, space, tree, tree, inputs);
        std::vector<std::pair<index_t, float>> found;
        for (std::size_t i = 0; i < denser.size(); ++i)
            found.emplace_back(denser[i] == no_pos ? -1 : standings[denser[i]].row, distance2[i]);
        return found;
    });
}

}  // namespace

TEST_CASE("parts: nearest denser points, open and periodic") {
    for (auto const* kind : {"uniform", "clustered"}) {
        CAPTURE(kind);
        check_trait(make_points<3, float>(kind, 300, 1), Open<3, float>{});
        check_trait(in_box<3, float>(kind, 300, 1, 2), Periodic<3, float>::of({1, 0, 1}));
    }
}

TEST_CASE("nearest denser points pass verify") {
    for (std::vector<double> const& box : {std::vector<double>{}, {1, 0, 1}}) {
        auto const report = verify<3, float>(
            [](auto const& tree) {
                std::vector<Standing<float>> standings;  // no two are equal
                for (pos_t row = 0; row < tree.size(); ++row)
                    standings.push_back({radius_of(row), index_t(row)});
                auto denser = tree.template array<pos_t>();
                auto distance2 = tree.template array<float>();
                NearestDenser<3, float> trait;
                trait.denser = denser.data();
                trait.distance2 = distance2.data();
                tree.walk(trait, tree.payload(standings));
                return std::pair(tree.rows_at(denser), distance2.in_input_order());
            },
            {.box = box, .many = 1500});
        INFO(report.text());
        CHECK(report.ok());
    }
}
