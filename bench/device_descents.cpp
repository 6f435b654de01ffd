// What a batch of queries asks of a GPU, counted on the CPU: by descents (nearest/detail/device_descent.hpp), and launches and waits of
// both ways.
//
//   bench_device_descents [sources] [queries] [k] [kind]
//
// float, three dimensions; kinds as in testing/points.hpp. No times: a HostDevice runs the kernels.
#include <fmt/format.h>

#include <cstdlib>
#include <string>

#include "knn/src/device_search.hpp"
#include "zwalk/exec/host_device.hpp"
#include "zwalk/testing/points.hpp"

using namespace zwalk;

namespace {

using Rows = testing::Rows<3, float>;

/// Throws away what is found.
struct Nothing {
    template <class Target, class Found>
    void operator()(Target const&, Found const&) const {}
};

DevicePoints<float> points_of(Rows const& rows) { return {rows.front().data(), rows.size(), 3}; }

void count_descents(Rows const& rows, Rows const& queries, index_t k) {
    HostDevice<> device;
    auto const sources = build_tree(device, points_of(rows), 3);
    auto const targets = detail::unsorted_columns(device, points_of(queries), 3);
    detail::CountDescents::Sums c;
    detail::descend_all<3>(device, Open<3, float>{}, targets, sources, {.k = k}, Nothing{},
                           detail::CountDescents{&c});
    double const n = double(queries.size()), node = 6 * sizeof(float) + 3 * sizeof(pos_t);
    fmt::print("per query: {:.1f} boxes in {:.1f} rounds ({:.0f} % of lanes), {:.1f} kB; ", c.nodes / n,
               c.rounds / n, 100 * c.nodes / c.rounds / 32, c.nodes / n * node / 1e3);
    fmt::print("{:.1f} leaves, {:.0f} sources in {:.1f} blocks ({:.0f} % of lanes), {:.1f} kB\n",
               c.leaves / n, c.sources / n, c.blocks / n, 100 * c.sources / c.blocks / 32,
               c.sources / n * 3 * sizeof(float) / 1e3);
}

void count_launches(Rows const& rows, Rows const& queries, index_t k) {
    HostDevice<> device;
    PreparedPoints<float, HostDevice<>> const points{
        build_tree(device, points_of(rows), 3), 3, {}, Extent<float>(0), {}};
    detail::Queries<float, HostDevice<>> asked;
    asked.points = points_of(queries);
    for (char const* descents : {"1", "0"}) {
        setenv("ZWALK_DESCENTS", descents, 1);
        detail::RunPoints<float, HostDevice<>> kept(points);
        auto const before = device.stats();
        (void)detail::NearestSearching::run<3>(
            device, kept, detail::NearestAsked<float, HostDevice<>>{{.k = k}, Order::input, &asked});
        auto const after = device.stats();
        fmt::print("{}: {} launches of its own kernels, {} waits\n",
                   *descents == '1' ? "descents" : "walk", after.launches - before.launches,
                   after.waits - before.waits);
    }
}

}  // namespace

int main(int argc, char** argv) {
    auto const number = [&](int i, double otherwise) {
        return argc > i ? std::strtod(argv[i], nullptr) : otherwise;
    };
    std::string const kind = argc > 4 ? argv[4] : "uniform";
    auto const k = index_t(number(3, 16));
    auto const rows = testing::make_points<3, float>(kind, std::size_t(number(1, 1e6)), 1),
               queries = testing::make_points<3, float>(kind, std::size_t(number(2, 1e3)), 2);
    fmt::print("{} {} queries, {} sources, k = {}\n", queries.size(), kind, rows.size(), k);
    count_descents(rows, queries, k);
    count_launches(rows, queries, k);
}
