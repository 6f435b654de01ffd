// Checked walks: the results of plain ones, and a sentence for each mistake.
#include "zwalk/walk/checked.hpp"

#include <doctest/doctest.h>

#include "support/everywhere.hpp"
#include "testing/mistakes.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/run/cpu.hpp"
#include "zwalk/run/host_device.hpp"

using namespace test;

namespace {

/// What InputError says, "" if nothing.
template <class F>
std::string refusal(F const& f) {
    try {
        f();
    } catch (InputError const& error) {
        return error.what();
    }
    return "";
}
#define CHECK_SAYS(f, words)                          \
    do {                                              \
        std::string const sentence = refusal(f);      \
        CAPTURE(sentence);                            \
        CHECK(sentence.find(words) != sentence.npos); \
    } while (false)

template <class P>
std::vector<size_type> counts_on(P& place, Rows<3, float> const& rows, Counting trait) {
    auto const tree = make_tree<3>(place, rows, {.tree = {.leaf_size = 5}});
    auto counts = tree.template array<size_type>();
    trait.count = counts.data();
    tree.walk(trait);
    return counts.in_input_order();
}

template <class P>
std::vector<index_t> friends_on(P& place, Rows<3, float> const& rows, Friends::Mistake mistake) {
    Friends trait;
    trait.mistake = mistake;
    return make_tree<3>(place, rows).walk(trait).labels;
}

template <class P>
std::vector<float> lightest_on(P& place, Rows<3, float> const& rows, Lightest::Mistake mistake) {
    auto const tree = make_tree<3>(place, rows, {.tree = {.leaf_size = 5, .top_nodes = 4}});
    std::vector<Weight> weights(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) weights[i].w = float(i % 10) / 10;
    auto lightest = tree.array(8.f);
    Lightest trait;
    trait.mistake = mistake;
    trait.lightest = lightest.data();
    tree.walk(trait, tree.payload(weights));
    return lightest.in_input_order();
}

auto const rows = make_points<3, float>("clustered", 400, 5);

/// A trait on a tree below the front door.
template <class I, class Space = Open<3, float>>
void walk_below(I const& trait, Tree<float, Cpu> const& tree, WalkInputs<I> const& inputs = {},
                Space const& space = {}, Tree<float, Cpu> const* sources = nullptr) {
    Checked<Cpu> place(2);
    walk(place, trait, space, tree, sources ? *sources : tree, inputs);
}

}  // namespace

TEST_CASE("checked walks: decisions that would be wrong on ranks") {
    Checked<Cpu> place(2);
    auto const tree = make_tree<3>(place, rows, {.tree = {.leaf_size = 1}});
    auto const others = tree.targets(make_points<3, float>("clustered", 200, 6));
    auto nearest = others.array<float>();
    NearEnough near;
    near.enough = .01f;
    near.nearest2 = nearest.data();
    CHECK(refusal([&] { others.walk_against(tree, near); }) == "");
    near.mistake = NearEnough::reach_is_an_answer;
    CHECK_SAYS([&] { others.walk_against(tree, near); },
               "decide() discards what is within reach because of the reach");
    auto weight = tree.array<float>();
    auto const weights = tree.payload(std::vector<Weight>(rows.size()));
    Behind behind;
    behind.weight = weight.data();
    CHECK(refusal([&] { tree.walk(behind, weights); }) == "");
    behind.mistake = Behind::compares_nodes;
    CHECK_SAYS([&] { tree.walk(behind, weights); },
               "decide() compares the position of a target with that of a source");
}

TEST_CASE("checked walks: the results of plain ones, on threads and on a device") {
    Cpu cpu(2);
    Checked<Cpu> threads(2);
    Checked<HostDevice<true>> device;
    Counting trait;
    trait.radius2 = .01f;
    CHECK(counts_on(threads, rows, trait) == counts_on(cpu, rows, trait));
    CHECK(counts_on(device, rows, trait) == counts_on(cpu, rows, trait));
    CHECK(friends_on(threads, rows, Friends::none) == friends_on(cpu, rows, Friends::none));
    CHECK(friends_on(device, rows, Friends::none) == friends_on(cpu, rows, Friends::none));
    CHECK(lightest_on(threads, rows, Lightest::none) == lightest_on(cpu, rows, Lightest::none));
    CHECK(lightest_on(device, rows, Lightest::none) == lightest_on(cpu, rows, Lightest::none));
    Rows<3, float> const none;
    CHECK(counts_on(threads, none, trait).empty());
    CHECK(friends_on(device, none, Friends::none).empty());
}

TEST_CASE("checked walks: mistakes of hooks are refused, on threads and on a device") {
    Checked<Cpu> threads(2);
    Checked<HostDevice<true>> device;
    auto const on = [&](auto& place) {
        CHECK_SAYS([&] { friends_on(place, rows, Friends::links_beyond); }, "there are 400 points");
        CHECK_SAYS([&] { lightest_on(place, rows, Lightest::metric_widens); }, "metric() widens");
        CHECK_SAYS([&] { lightest_on(place, rows, Lightest::metric_inside_out); },
                   "metric() returns lo2");
        auto const tree = make_tree<3>(place, rows);
        auto counts = tree.template array<size_type>();
        NoService unheard;
        unheard.count = counts.data();
        CHECK_SAYS([&] { tree.walk(unheard); }, "nothing takes it");
        auto brighter = tree.template array<pos_t>();
        for (auto const mistake : {Brighter::reach_nan, Brighter::horizon_nan}) {
            Brighter trait{};
            trait.brighter = brighter.data();
            trait.mistake = mistake;
            std::vector<examples::Star> stars(rows.size());
            for (std::size_t i = 0; i < stars.size(); ++i) stars[i].light = float(i % 50);
            auto const small = make_tree<3>(place, rows, {.tree = {.leaf_size = 1}});
            CHECK_SAYS([&] { small.walk(trait, small.payload(stars)); }, mistake == Brighter::reach_nan
                                                                             ? "reach_end() returns NaN"
                                                                             : "horizon() returns NaN");
        }
    };
    on(threads);
    on(device);
}

TEST_CASE("checked walks: inputs are refused") {
    Cpu const cpu(2);
    auto const tree = build_tree(cpu, view<3>(rows), 3);
    std::vector<size_type> counts(rows.size());
    Counting counting;
    counting.radius2 = .01f;
    counting.count = counts.data();

    CHECK_SAYS([&] { walk_below(NoService{}, build_tree(cpu, view<3>(rows), 4)); }, "has 4 columns");
    CHECK_SAYS([&] { walk_below(Brighter{}, tree); }, "the payload of the targets has no column 0");
    CHECK_SAYS([&] { walk_below(Pairs{}, tree); }, "WalkInputs::total is null");
    CHECK_SAYS([&] { walk_below(Friends{}, tree); }, "WalkInputs::links is null");
    std::vector<pos_t> links(rows.size());
    CHECK_SAYS([&] { walk_below(Friends{}, tree, {.links = links.data()}); }, "links[1] is 0");
    links.assign(links.size(), 399);
    CHECK_SAYS([&] { walk_below(Friends{}, tree, {.links = links.data(), .grouped = true}); },
               "smaller position");
    auto const copy = build_tree(cpu, view<3>(rows), 3);
    Pairs::Total total;
    CHECK_SAYS([&] { walk_below(Pairs{}, tree, {.total = &total}, Open<3, float>{}, &copy); },
               "meets one tree alone");

    auto const in = [&](Periodic<3, float> const& space) {
        return [=, &tree] { walk_below(counting, tree, {}, space); };
    };
    CHECK(refusal(in(Periodic<3, float>::of({2, 0, 2}))) == "");
    CHECK_SAYS(in(Periodic<3, float>{{2}}), "length 0 on axis 1");
    CHECK_SAYS(in(Periodic<3, float>{{.1f, 2, 2}}), "more than the box length 0.1");
    auto bad = rows;
    bad[7][1] = not_a_number<float>;
    CHECK_SAYS([&] { walk_below(counting, build_tree(cpu, view<3>(bad), 3)); },
               "targets: row 7, column 1 is nan");
}
