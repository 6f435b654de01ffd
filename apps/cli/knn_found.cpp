#include "knn_found.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "zwalk/core/parallel.hpp"

namespace zwalk::apps {
namespace {

/// The sum of of_row(row) over all rows.
template <class OfRow>
FoundWithin sum_of_rows(Cpu const& cpu, std::size_t rows, OfRow const& of_row) {
    auto const part = [&](std::size_t begin, std::size_t end, FoundWithin so_far) {
        for (; begin < end; ++begin) so_far = so_far + of_row(begin);
        return so_far;
    };
    return cpu.run([&] { return parallel_reduce(rows, 1 << 12, FoundWithin{}, part, std::plus<>()); });
}

}  // namespace

FoundWithin count_found(Cpu const& cpu, std::span<index_t const> indices, std::size_t k) {
    return sum_of_rows(cpu, k > 0 ? indices.size() / k : 0, [&](std::size_t row) {
        auto const list = indices.subspan(row * k, k);
        auto const end =
            std::partition_point(list.begin(), list.end(), [](index_t i) { return i >= 0; });
        auto const n = std::size_t(end - list.begin());
        return FoundWithin{n, n < k};
    });
}

template <class T>
FoundWithin count_found(Cpu const& cpu, std::span<T const> radii) {
    return sum_of_rows(cpu, radii.size(), [&](std::size_t row) {
        return FoundWithin{0, !std::isfinite(radii[row])};
    });
}
template FoundWithin count_found(Cpu const&, std::span<float const>);
template FoundWithin count_found(Cpu const&, std::span<double const>);

void print_found(KnnCommand const& o, std::string const& within, FoundWithin const& found) {
    char const* const rows = o.query.empty() ? "points" : "queries";
    if (o.reduce.empty())
        fmt::print("found       {} neighbours within {}; {} {} have fewer than {}\n", found.neighbours,
                   within, found.short_rows, rows, *o.k);
    else
        fmt::print("found       {} {} have fewer than {} neighbours within {}\n", found.short_rows, rows,
                   *o.k, within);
}

}  // namespace zwalk::apps
