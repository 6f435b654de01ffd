#include "zwalk/core/columns.hpp"

#include <doctest/doctest.h>

#include <array>
#include <vector>

using namespace zwalk;

namespace {
struct One {
    std::array<float, 3> velocity;
};
struct Many {
    double mass;
    std::array<float, 3> velocity;
    std::int64_t id;
    bool flag;
    friend bool operator==(Many const&, Many const&) = default;
};
struct Inner {
    int a;
    short b;
};
struct Nested {
    Inner inner;
    float c;
};
struct Partial {
    static constexpr std::size_t required_columns = 1;
    int needed;
    double weight;
    std::uint8_t mark;
    friend bool operator==(Partial const&, Partial const&) = default;
};
}  // namespace

TEST_CASE("columns: split, permute and put together again") {
    std::vector<Many> rows;
    for (int i = 0; i < 50; ++i) rows.push_back({i * .5, {{float(i), 0, 1}}, -i, i % 3 == 0});
    Columns<Many> const plain(rows);
    std::vector<pos_t> order;
    for (pos_t i = 0; i < 30; ++i) order.push_back((i * 7) % 50);
    Columns<Many> const permuted(rows, order);
    CHECK(plain.size() == 50);
    CHECK(permuted.size() == 30);
    for (std::size_t i = 0; i < 50; ++i) CHECK(plain[i] == rows[i]);
    for (std::size_t i = 0; i < 30; ++i) CHECK(permuted[i] == rows[order[i]]);
    CHECK(plain.view().column<2>()[4] == -4);  // one array per field
}

TEST_CASE("columns: one field, nested aggregates, none at all") {
    std::vector<One> const ones{{{{1, 2, 3}}}, {{{4, 5, 6}}}};
    CHECK(Columns<One>(ones)[1].velocity[2] == 6);
    std::vector<Nested> const nested{{{1, 2}, 3}};
    CHECK(Columns<Nested>(nested)[0].inner.b == 2);
    std::vector<Empty> const empty(4);
    CHECK(Columns<Empty>(empty).view()[3] == Empty{});
}

TEST_CASE("columns: those that need not be there") {
    std::vector<int> const needed{4, 5};
    std::vector<std::uint8_t> const mark{6, 7};
    ColumnsView<Partial> view{{{needed.data()}, {nullptr}, {mark.data()}}};
    CHECK(view[1] == Partial{5, 0, 7});
    std::vector<double> const weight{.5, .25};
    view.column<1>() = weight.data();
    view.column<2>() = nullptr;
    CHECK(view[0] == Partial{4, .5, 0});
}
