// What a batch of queries asks of a GPU, counted on the CPU: by descents (nearest/detail/device_descent.hpp), and in three dimensions
// launches and waits of both ways.
//
//   bench_device_descents [sources] [queries] [k] [kind] [dim] [sigma]
//
// float; kinds as `zwalk generate` has them, and sigma of blobs. Queries are further points of the same set. Dimensions are compiled as for
// the CPU (ZWALK_DIMS); others take the next one that is. No times: a HostDevice runs the kernels.
#include <fmt/format.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "compiled_dims.hpp"
#include "generate/generate.hpp"
#include "knn/src/device_search.hpp"
#include "zwalk/exec/host_device.hpp"

using namespace zwalk;

namespace {

struct Sets {
    int dim;
    std::vector<float> rows;  // sources, then queries
    std::size_t count;        // of sources
    [[nodiscard]] DevicePoints<float> sources() const { return {rows.data(), count, dim}; }
    [[nodiscard]] DevicePoints<float> queries() const {
        return {rows.data() + count * std::size_t(dim), rows.size() / std::size_t(dim) - count, dim};
    }
};

Sets make_sets(std::string const& kind, std::size_t sources, std::size_t queries, int dim,
               double sigma) {
    std::size_t const n = sources + queries;
    Sets sets{dim, std::vector<float>(n * std::size_t(dim)), sources};
    auto const make = apps::point_maker(kind, n, dim, 1, {.sigma = sigma});
    apps::make_rows(make, {}, 0, n, dim, sets.rows.data());
    return sets;
}

/// Throws away what is found.
struct Nothing {
    template <class Target, class Found>
    void operator()(Target const&, Found const&) const {}
};

template <int D>
void count_descents(Sets const& sets, index_t k) {
    HostDevice<> device;
    auto const sources = build_tree(device, sets.sources(), D);
    auto const targets = detail::unsorted_columns(device, sets.queries(), D);
    detail::CountDescents::Sums c;
    detail::descend_all<D>(device, Open<D, float>{}, targets, sources, {.k = k}, Nothing{},
                           detail::CountDescents{&c});
    double const n = double(targets.size()), point = D * sizeof(float),
                 node = 2 * point + 3 * sizeof(pos_t), read = c.nodes * node + c.sources * point;
    fmt::print("per query: {:.1f} boxes in {:.1f} rounds ({:.0f} % of lanes), {:.1f} kB; ", c.nodes / n,
               c.rounds / n, 100 * c.nodes / c.rounds / 32, c.nodes / n * node / 1e3);
    fmt::print("{:.1f} leaves, {:.0f} sources in {:.1f} blocks ({:.0f} % of lanes), {:.1f} kB\n",
               c.leaves / n, c.sources / n, c.blocks / n, 100 * c.sources / c.blocks / 32,
               c.sources / n * point / 1e3);
    fmt::print("in all {:.1f} kB, {:.2f} % of all points; {:.0f} % of lanes\n", read / n / 1e3,
               100 * read / n / point / double(sources.size()),
               100 * (c.nodes + c.sources) / (c.rounds + c.blocks) / 32);
}

void count_launches(Sets const& sets, index_t k) {
    HostDevice<> device;
    PreparedPoints<float, HostDevice<>> const points{
        build_tree(device, sets.sources(), 3), 3, {}, Extent<float>(0), {}};
    detail::Queries<float, HostDevice<>> asked;
    asked.points = sets.queries();
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
    auto const k = index_t(number(3, 16));
    auto const dim = int(number(5, 3));
    std::string const kind = argc > 4 ? argv[4] : "uniform";
    auto const sets = make_sets(kind, std::size_t(number(1, 1e6)), std::size_t(number(2, 1e3)), dim,
                                number(6, apps::Blobs{}.sigma));
    fmt::print("{} {} queries, {} sources, k = {}, {}-D\n", sets.queries().size, kind,
               sets.sources().size, k, dim);
    detail::with_dim<void>(detail::CpuDims{}, dim, [&]<int D>() { count_descents<D>(sets, k); });
    if (dim == 3) count_launches(sets, k);
}
