// Hierarchies in files: what comes back, and what is refused although its checksums are right.
#include "zwalk/tree/tree_file.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>
#include <sstream>

#include "support/everywhere.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/tree/sealed_stream.hpp"

using namespace test;

namespace {

Tree<float, Cpu> some_tree() {
    return build_tree(Cpu(1), view<3>(make_points<3, float>("clustered", 200, 1)), 3,
                      {.leaf_size = 4, .coarsening = 3, .top_nodes = 2});
}

template <class T>
std::string written(Tree<T, Cpu> const& tree, TreeOptions const& options = {}) {
    std::ostringstream out;
    write_tree(out, tree, 3, {1, 0, 2}, options);
    return out.str();
}

/// What read_tree says about a file, "" if it takes it.
std::string refusal(std::string const& bytes) {
    std::istringstream in(bytes);
    try {
        auto const header = read_tree_header(in);
        (void)read_tree<float>(Cpu(1), in, header, 3);
    } catch (InputError const& error) {
        return error.what();
    }
    return "";
}

/// The refusal of a tree that `spoil` has changed before it was written.
template <class Spoil>
std::string spoilt(Spoil const& spoil) {
    auto tree = some_tree();
    REQUIRE(tree.planes.size() >= 3);
    spoil(tree);
    return refusal(written(tree));
}

}  // namespace

TEST_CASE("tree file: header and arrays come back") {
    auto const tree = some_tree();
    TreeOptions const options{
        .leaf_size = 4, .coarsening = 3, .top_nodes = 2, .volume_ratio = 7, .volume_fraction = .5};
    std::istringstream in(written(tree, options));
    auto const header = read_tree_header(in);
    CHECK(header.item_bytes == 4);
    CHECK(header.dim == 3);
    CHECK(header.size == 200);
    CHECK(header.box == std::vector<double>{1, 0, 2});
    CHECK(header.options.leaf_size == 4);
    CHECK(header.options.coarsening == 3);
    CHECK(header.options.top_nodes == 2);
    CHECK(header.options.volume_ratio == 7);
    CHECK(header.options.volume_fraction == .5);

    std::istringstream usual(written(tree, {}));
    CHECK(read_tree_header(usual).options.coarsening == 8);  // files say what is meant by 0

    auto const again = read_tree<float>(Cpu(1), in, header, 4);  // more columns than the points have
    CHECK(again.input == tree.input);
    for (pos_t i = 0; i < tree.size(); ++i) {
        for (int j = 0; j < 3; ++j) REQUIRE(again.points<3>().at(j, i) == tree.points<3>().at(j, i));
        REQUIRE(again.points<4>().at(3, i) == 0);
    }
    REQUIRE(again.planes.size() == tree.planes.size());
    for (std::size_t p = 0; p < tree.planes.size(); ++p) {
        auto const& a = again.planes[p];
        auto const& b = tree.planes[p];
        auto const boxes = again.plane<3>(p), right = tree.plane<3>(p);
        CHECK(a.first == b.first);
        CHECK(a.child == b.child);
        for (pos_t i = 0; i < a.nodes(); ++i)
            for (int j = 0; j < 3; ++j) {
                REQUIRE(boxes.box_lo(j, i) == right.box_lo(j, i));
                REQUIRE(boxes.box_hi(j, i) == right.box_hi(j, i));
            }
    }
}

TEST_CASE("tree file: trees that no walk could stand are refused") {
    using Spoilt = Tree<float, Cpu>;
    CHECK(spoilt([](Spoilt&) {}) == "");
    std::string const partition = "the tree file is corrupted: a plane is no partition";
    CHECK(spoilt([](Spoilt& t) { t.planes[0].first[1] = t.planes[0].first[2]; }) == partition);
    CHECK(spoilt([](Spoilt& t) { t.planes[0].first[0] = 1; }) == partition);
    CHECK(spoilt([](Spoilt& t) { t.planes[0].first.back() = 1000; }) == partition);
    CHECK(spoilt([](Spoilt& t) { t.planes[1].child[1] = 1 << 30; }) == partition);
    CHECK(spoilt([](Spoilt& t) { --t.planes[2].child.back(); }) == partition);
    CHECK(spoilt([](Spoilt& t) {
              auto& child = t.planes[1].child;
              std::size_t i = 0;
              while (child[i + 1] - child[i] < 2) ++i;
              --child[i + 1];
          }) == "the tree file is corrupted: planes are not nested");
    std::string const rows = "the tree file is corrupted: rows are no permutation";
    CHECK(spoilt([](Spoilt& t) { t.input[5] = 200; }) == rows);
    CHECK(spoilt([](Spoilt& t) { t.input[5] = t.input[6]; }) == rows);
    CHECK(spoilt([](Spoilt& t) { t.x[7] = std::nanf(""); }) ==
          "the tree file is corrupted: coordinates are not finite");
    CHECK(spoilt([](Spoilt& t) {
              while (t.planes.size() < 40) {
                  auto const& top = t.planes.back();
                  Cpu const cpu(1);
                  Plane<float, Cpu> same;
                  same.first = copy_to(cpu, top.first);
                  same.child = Buffer<pos_t>(top.first.size());
                  std::iota(same.child.begin(), same.child.end(), pos_t(0));
                  t.planes.push_back(std::move(same));
              }
          }) == "the tree file is corrupted: impossible sizes");
    CHECK(spoilt([](Spoilt& t) { t.planes.clear(); }) == "the tree file is corrupted: impossible sizes");
    CHECK(refusal(written(some_tree(), {.coarsening = 1})) != "");
    CHECK(refusal(written(some_tree(), {.volume_ratio = std::nan("")})) != "");
}

TEST_CASE("tree file: wrong beginnings") {
    std::string const whole = written(some_tree());
    auto const with = [&](std::size_t at, char c) {
        std::string changed = whole;
        changed[at] = c;
        return refusal(changed);
    };
    CHECK(with(0, 'Z').find("no tree file") != std::string::npos);
    CHECK(with(8, 2).find("version 2") != std::string::npos);
    CHECK(with(12, 1).find("byte order") != std::string::npos);
    CHECK(with(16, 5) == "the tree file is corrupted: impossible sizes");
    CHECK(with(30, 1) == "the tree file is corrupted: impossible sizes");
    CHECK(with(50, 1) == "the tree file is corrupted: wrong checksum");
    CHECK(refusal("") == "the tree file is truncated");
    CHECK(refusal(whole.substr(0, 12)) == "the tree file is truncated");
}

TEST_CASE("tree file: sizes are compared with the file before memory is allocated") {
    std::istringstream in(written(some_tree()));
    auto header = read_tree_header(in);
    header.size = max_points;  // 25 GB of coordinates
    CHECK_THROWS_WITH_AS((void)read_tree<float>(Cpu(1), in, header, 3),
                         doctest::Contains("bytes are there"), InputError);
}

TEST_CASE("tree file: streams that fail") {
    std::ostringstream out;
    out.setstate(std::ios::badbit);
    CHECK_THROWS_AS(write_tree(out, some_tree(), 3, {}, {}), Error);
    std::istringstream wrong(written(some_tree()));
    auto const header = read_tree_header(wrong);
    CHECK_THROWS_WITH_AS((void)read_tree<double>(Cpu(1), wrong, header, 3),
                         doctest::Contains("float32 coordinates, not float64"), InputError);
}

TEST_CASE("tree file: what is unsealed has no checksums, and is no file") {
    std::stringstream bare;
    bare << unsealed;
    write_tree(bare, some_tree(), 3, {1, 0, 2}, {});
    CHECK(bare.str().size() == written(some_tree()).size());
    CHECK(refusal(bare.str()) == "the tree file is corrupted: wrong checksum");
    auto const header = read_tree_header(bare);
    CHECK(header.checksum == 0);
    CHECK(read_tree<float>(Cpu(1), bare, header, 3).input == some_tree().input);
}
