// Queries that descend on a device, a group of lanes each: brute force's bits, and those of the walk.
#include "device/run.hpp"
#include "zwalk/exec/host_device.hpp"

using namespace test;

namespace {

/// Queries that are among the points, equal to some of them, and far away.
template <int D, class T>
Rows<D, T> queries_for(Rows<D, T> const& rows, double far = 1e3) {
    auto queries = make_points<D, T>("uniform", 12, 99);
    for (std::size_t i = 0; i < rows.size(); i += rows.size() / 8 + 1) queries.push_back(rows[i]);
    for (int sign : {-1, 1}) {
        std::array<T, D> away{};
        away.fill(T(sign * far));
        queries.push_back(away);
        away[0] = T(.5);
        queries.push_back(away);
    }
    return queries;
}

/// Several planes of few points.
TreeOptions const deep{.leaf_size = 6, .coarsening = 3, .top_nodes = 4};

/// Descents against brute force: squared distances and positions, nothing behind the last source.
template <int D, class T, bool checked = false, class Space>
void check_descents(Space const& space, std::vector<double> const& box, Rows<D, T> const& rows,
                    Rows<D, T> const& queries, std::initializer_list<index_t> ks,
                    TreeOptions const& options = {}) {
    HostDevice<checked> device;
    auto const sources = build_tree(device, on_device<D, T>(rows), D, options);
    auto const targets = detail::unsorted_columns(device, on_device<D, T>(queries), D);
    std::vector<pos_t> const z(sources.input.data(), sources.input.data() + sources.size());
    for (index_t const k : ks) {
        auto const columns = std::size_t(k);
        std::vector<index_t> indices(queries.size() * columns, -7);
        std::vector<T> distances(queries.size() * columns, T(-7));
        NearestRows<T> out{columns, indices.data(), distances.data()};
        out.squared = true;
        detail::descend_all<D>(device, space, targets, sources, {.k = k}, out);
        bool right = true;
        for (std::size_t i = 0; i < queries.size(); ++i) {
            auto const keys = brute_knn(view<D>(rows), z, queries[i].data(), columns, box);
            for (std::size_t j = 0; j < columns; ++j) {
                bool const found = j < keys.size();
                right = right && indices[i * columns + j] == (found ? index_t(keys[j].pos) : -1) &&
                        distances[i * columns + j] == (found ? keys[j].d2 : infinity<T>);
            }
        }
        CAPTURE(k);
        CAPTURE(rows.size());
        CHECK(right);
    }
    CHECK(device.run.races == 0);
}

struct Nothing {
    template <class Target, class Found>
    void operator()(Target const&, Found const&) const {}
};

bool descended(Stats const& stats) {
    for (auto const& phase : stats.seconds)
        if (phase.first == "descent") return true;
    return false;
}

}  // namespace

TEST_CASE("device descents: every kind of points, near, equal and far queries") {
    for (auto const& kind : kinds()) {
        CAPTURE(kind);
        for (std::size_t n : {0, 1, 2, 47, 48, 49, 700}) {
            auto const rows = make_points<3, float>(kind, n, 1);
            for (auto const& options : {TreeOptions{}, deep})
                check_descents<3, float>(Open<3, float>{}, {}, rows, queries_for<3, float>(rows),
                                         {1, 4, 16, 33, 64, 256}, options);
        }
        auto const plane = make_points<2, double>(kind, 500, 2);
        check_descents<2, double>(Open<2, double>{}, {}, plane, queries_for<2, double>(plane),
                                  {1, 16, 100}, deep);
    }
}

TEST_CASE("device descents: one dimension, and eight") {
    for (std::string const kind : {"uniform", "clustered", "sites40", "heavy", "huge"}) {
        CAPTURE(kind);
        auto const line = make_points<1, double>(kind, 900, 3);
        check_descents<1, double>(Open<1, double>{}, {}, line, queries_for<1, double>(line), {1, 16, 64},
                                  deep);
        auto const many = make_points<8, float>(kind, 900, 4);
        check_descents<8, float>(Open<8, float>{}, {}, many, queries_for<8, float>(many), {1, 16, 64},
                                 deep);
        auto const more = make_points<8, double>(kind, 300, 5);
        check_descents<8, double>(Open<8, double>{}, {}, more, queries_for<8, double>(more), {4, 33},
                                  deep);
    }
}

TEST_CASE("device descents: periodic, on all axes and on one") {
    for (std::string const kind : {"uniform", "clustered", "sites40", "equal"}) {
        CAPTURE(kind);
        auto const rows = in_box<3, float>(kind, 800, 1, 6),
                   queries = in_box<3, float>("uniform", 30, 1, 7);
        check_descents<3, float>(Periodic<3, float>{{1, 1, 1}}, {1, 1, 1}, rows, queries, {1, 16, 40},
                                 deep);
        check_descents<3, float>(Periodic<3, float>{{1, infinity<float>, 1}}, {1, 0, 1}, rows, queries,
                                 {1, 16, 40});
    }
}

TEST_CASE(
    "device descents: nodes of more children, top planes of more nodes, leaves of more points than "
    "lanes") {
    for (std::string const kind : {"uniform", "graded", "clustered", "equal"}) {
        CAPTURE(kind);
        auto const rows = make_points<3, float>(kind, 1000, 8);
        auto const queries = queries_for<3, float>(rows);
        for (TreeOptions const& options :
             {TreeOptions{.leaf_size = 5, .coarsening = 200, .top_nodes = 1},
              TreeOptions{.leaf_size = 1}, TreeOptions{.leaf_size = 3, .top_nodes = 500},
              TreeOptions{.leaf_size = 300},
              TreeOptions{.leaf_size = 2, .coarsening = 2, .top_nodes = 1}})
            check_descents<3, float>(Open<3, float>{}, {}, rows, queries, {1, 16, 64}, options);
    }
}

TEST_CASE("device descents: no races") {
    for (std::string const kind : {"uniform", "clustered", "equal"}) {
        auto const rows = make_points<3, float>(kind, 1000, 9);
        check_descents<3, float, true>(Open<3, float>{}, {}, rows, queries_for<3, float>(rows),
                                       {1, 33, 200}, deep);
        auto const boxed = in_box<2, double>(kind, 400, 1, 10);
        check_descents<2, double, true>(Periodic<2, double>{{1, infinity<double>}}, {1, 0}, boxed, boxed,
                                        {7, 40}, {.leaf_size = 4, .coarsening = 100, .top_nodes = 1});
    }
}

TEST_CASE("device descents: the bits of the walk, in any order, for rows and visitors") {
    for (std::string const kind : {"uniform", "clustered", "sites40"})
        for (Order order : {Order::input, Order::z})
            for (index_t k : {1, 16, 33, 256, 257}) {
                CAPTURE(kind);
                CAPTURE(k);
                auto const rows = make_points<3, float>(kind, 1500, 11);
                auto const queries = make_points<3, float>(kind, 200, 12);
                auto const expected = knn(view<3>(rows), view<3>(queries), {.k = k, .order = order});
                HostDevice<> device;
                auto const points = prepared<3, 3, float>(device, rows, {}, deep);
                auto const asked = on_device<3, float>(queries);
                for (bool descents : {false, true}) {
                    AskedDescents const way(descents);
                    auto const r = device_knn<3>(device, points, &asked, {.k = k, .order = order});
                    CHECK(equals(r, expected));
                    CHECK(descended(r.stats) == (descents && k <= 256));
                    std::vector<pos_t> seen(queries.size());
                    device.budget = 100000;  // some chunks
                    (void)device_knn<3>(device, points, &asked, {.k = k, .order = order},
                                        [&](HostDevice<>&, detail::NeighbourChunk<float> const& chunk) {
                                            for (pos_t i = chunk.begin; i < chunk.end; ++i) ++seen[i];
                                        });
                    device.budget = 0;
                    CHECK(std::count(seen.begin(), seen.end(), 1) == std::ptrdiff_t(queries.size()));
                }
            }
}

TEST_CASE("device descents: few boxes and leaves, many lanes at work") {
    auto const counts = [&]<int D>(Rows<D, float> const& rows, Rows<D, float> const& queries) {
        HostDevice<> device;
        auto const sources = build_tree(device, on_device<D, float>(rows), D);
        auto const targets = detail::unsorted_columns(device, on_device<D, float>(queries), D);
        detail::CountDescents::Sums sums;
        detail::descend_all<D>(device, Open<D, float>{}, targets, sources, {.k = 16}, Nothing{},
                               detail::CountDescents{&sums});
        sums.rounds /= double(queries.size());
        sums.nodes /= double(queries.size());
        sums.leaves /= double(queries.size());
        sums.blocks /= double(queries.size());
        return sums;
    };
    auto const queries = make_points<3, float>("uniform", 100, 17);
    auto const uniform = counts.operator()<3>(make_points<3, float>("uniform", 50000, 16), queries);
    CHECK(uniform.rounds < 18);
    CHECK(uniform.nodes / uniform.rounds > 12);  // of 32 lanes
    CHECK(uniform.leaves < 10);
    CHECK(uniform.blocks < 15);
    // The first of equal points are the nearest ones.
    auto const equal = counts.operator()<3>(make_points<3, float>("equal", 50000, 16), queries);
    CHECK(equal.leaves < 3);
    CHECK(equal.rounds < 18);
    auto const far = counts.operator()<3>(make_points<3, float>("uniform", 50000, 16),
                                          Rows<3, float>(1, {-100, -100, -100}));
    CHECK(far.leaves < 30);
}

TEST_CASE("device descents: two launches for a small batch, and one wait") {
    auto const rows = make_points<3, float>("uniform", 20000, 13);
    auto const queries = make_points<3, float>("uniform", 1000, 14);
    HostDevice<> device;
    auto const points = prepared<3, 3, float>(device, rows, {}, {});
    auto const asked = on_device<3, float>(queries);
    auto const before = device.stats();
    auto const r = device_knn<3>(device, points, &asked, {.k = 16});
    CHECK(descended(r.stats));
    CHECK(device.stats().launches - before.launches == 2);  // columns, descents
    CHECK(device.stats().waits - before.waits == 1);        // for the end
    // Where there are more than half as many as sources, they are walked.
    for (std::size_t const n : {9000, 15000}) {
        CAPTURE(n);
        auto const many = make_points<3, float>("uniform", n, 15);
        auto const asked_many = on_device<3, float>(many);
        CHECK(descended(device_knn<3>(device, points, &asked_many, {.k = 16}).stats) == (n == 9000));
    }
}
