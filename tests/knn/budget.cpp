// The memory budget: it costs time and changes no bit; what is planned for it.
#include "knn/check.hpp"
#include "support/sanitized.hpp"
#include "support/ways.hpp"
#include "zwalk/core/available_memory.hpp"
#include "zwalk/knn/memory.hpp"

using namespace test;

namespace {

template <class T>
bool same(KnnResult<T> const& a, KnnResult<T> const& b) {
    return a.rows == b.rows && a.columns == b.columns && same_bits(a, b) && a.row_order == b.row_order &&
           a.source_order == b.source_order;
}

constexpr std::uint64_t plenty = std::uint64_t(1) << 50;

}  // namespace

TEST_CASE_TEMPLATE("budget: the points among themselves", T, float, double) {
    for (auto const* kind : some({"clustered", "uniform", "sites40", "equal", "heavy"}, 3))
        for (std::size_t n : {0, 1, 7, 3000, int(fewer(40000, 2))}) {
            CAPTURE(kind);
            CAPTURE(n);
            auto const rows = make_points<3, T>(kind, n, 5);
            for (auto order : {Order::input, Order::z})
                for (int threads : {1, 3}) {
                    KnnOptions const o{.k = 5, .exclude_self = n == 7, .order = order};
                    auto const expected = knn(view<3>(rows), o, Cpu(threads, plenty));
                    for (std::uint64_t budget : {0, 1, 1 << 20})
                        CHECK(same(knn(view<3>(rows), o, Cpu(threads, budget)), expected));
                }
        }
}

TEST_CASE_TEMPLATE("budget: queries in batches", T, float, double) {
    AskedScan const way(false);
    for (auto const* kind : some({"clustered", "uniform", "sites40", "equal", "heavy"}, 3))
        for (auto const& sizes : std::vector<std::array<std::size_t, 2>>{
                 {0, 3}, {3, 0}, {1, 20000}, {500, 30000}, {30000, 500}, {20000, 30000}}) {
            std::size_t const n = sizes[0], queries = sizes[1];
            CAPTURE(kind);
            CAPTURE(n);
            CAPTURE(queries);
            auto const s = make_points<3, T>(kind, n, 5);
            auto const q = make_points<3, T>(kind, queries, 6);
            for (auto order : {Order::input, Order::z}) {
                KnnOptions const o{.k = 7, .order = order};
                int const threads = order == Order::z ? 3 : 1;
                auto const expected = knn(view<3>(s), view<3>(q), o, Cpu(threads, plenty));
                CHECK(count_of(expected.stats, "batches") == 1);
                for (std::uint64_t budget : {1, 1 << 20, 2 << 20}) {
                    auto const r = knn(view<3>(s), view<3>(q), o, Cpu(threads, budget));
                    CHECK(same(r, expected));
                    if (budget == 1 && queries > 0)
                        CHECK(count_of(r.stats, "batches") == (queries + 8191) / 8192);
                }
            }
        }
}

TEST_CASE_TEMPLATE("budget: queries without a tree", T, float, double) {
    AskedScan const way(true);
    for (auto const* kind : {"clustered", "sites40", "heavy"}) {
        CAPTURE(kind);
        auto const s = make_points<3, T>(kind, fewer(20000, 4), 5);
        auto const q = make_points<3, T>(kind, 1500, 6);
        for (index_t const k : {5, 150})
            for (int const threads : {1, 3}) {
                auto const expected = knn(view<3>(s), view<3>(q), {.k = k}, Cpu(threads, plenty));
                for (std::uint64_t budget : {1, 1 << 20, 16 << 20}) {
                    CAPTURE(budget);
                    KnnOptions const o{.k = k};
                    Cpu const cpu(threads, budget);
                    auto const r = knn(view<3>(s), view<3>(q), o, cpu);
                    CHECK(same_bits(r, expected));
                    if (kind == std::string("clustered")) CHECK(count_of(r.stats, "scanned") == 1);
                    CHECK(visits(r, [&](auto const& seen) {
                        (void)knn_visit(view<3>(s), view<3>(q), seen, o, cpu);
                    }));
                }
            }
    }
}

TEST_CASE("budget: batches in a box, in other dimensions, are brute force") {
    AskedScan const way(false);
    auto const s = in_box<2, float>("clustered", 3000, 1, 7);
    auto const q = in_box<2, float>("uniform", 20000, 1, 8);
    KnnOptions o{.k = 9, .box = {1}};
    Cpu const cpu(0, 1);
    auto const r = knn(view<2>(s), view<2>(q), o, cpu);
    CHECK(count_of(r.stats, "batches") == 3);
    CHECK(equals_brute_force(r, view<2>(s), view<2>(q), o, 300));
    auto const s8 = make_points<8, double>("normal", 300, 7);
    auto const q8 = make_points<8, double>("normal", 10000, 8);
    o.box = {};
    CHECK(equals_brute_force(knn(view<8>(s8), view<8>(q8), o, cpu), view<8>(s8), view<8>(q8), o, 100));
}

TEST_CASE("budget: the plan keeps to it where it can, with as few batches as that allows") {
    KnnTask task{.points = 1000000, .queries = 4000000, .threads = 2};
    KnnMemory last;
    last.batches = std::uint64_t(-1);
    bool several = false;
    for (std::uint64_t budget = 1; budget < plenty; budget += budget / 8 + 1) {
        task.memory_budget = budget;
        auto const plan = knn_memory(task);
        CHECK(plan.budget == budget);
        CHECK(plan.batch_size * plan.batches >= *task.queries);
        CHECK(plan.batches <= last.batches);
        if (last.working() < last.budget) CHECK(plan.working() <= budget);
        several |= plan.batches > 1 && plan.batches < 100 && plan.working() <= budget;
        last = plan;
    }
    CHECK(several);
    CHECK(last.batches == 1);

    task.memory_budget = 0;
    CHECK(knn_memory(task).budget > 0);
    CHECK(knn_memory(task).budget <= available_memory());
    task.points = task.queries.emplace(1000);
    CHECK(knn_memory(task).budget == 16 << 20);
}

TEST_CASE("budget: the plan of an index") {
    for (int dim : {2, 3}) {
        KnnTask task{.points = 1000000, .queries = 2000000, .dim = dim, .threads = 2, .indexed = true};
        task.memory_budget = plenty;
        auto const at_once = knn_memory(task);
        CHECK(!at_once.descents);
        CHECK(at_once.batches == 1);
        task.memory_budget = at_once.working() - 1;
        CHECK(knn_memory(task).working() < at_once.working());
        task.memory_budget = at_once.working() * 7 / 10;
        auto const batches = knn_memory(task);
        CHECK(batches.batches > 1);
        CHECK(batches.working() <= task.memory_budget);
        task.visited = true;
        CHECK(knn_memory(task).result == 0);

        task.queries = 20000;
        task.memory_budget = plenty;
        CHECK(knn_memory(task).descents);
        task.memory_budget = 1;  // they need no tree, so there is nothing to gain from batches
        CHECK(knn_memory(task).descents);
        CHECK(knn_memory(task).batches == 1);
        task.queries.reset();
        CHECK(knn_memory(task).sort == 0);
    }
}

TEST_CASE("budget: a prediction can't overflow") {
    KnnTask const task{.points = std::uint64_t(1) << 62, .dim = 3, .k = index_t(1) << 62};
    auto const most = std::numeric_limits<std::uint64_t>::max();
    CHECK(knn_memory(task).result == most);
    CHECK(knn_memory(task).peak() == most);
}
