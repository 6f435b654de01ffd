#include "zwalk/ranks/points.hpp"

#include "zwalk/core/error.hpp"
#include "zwalk/core/text.hpp"
#include "zwalk/core/validate.hpp"

namespace zwalk { inline namespace v0 {

std::string detail::rank_and_row(int rank, std::uint64_t first_row) {
    return detail::text(" (rank {}, whose first row is {})", rank, first_row);
}

namespace {

template <class T>
void attempt_to_check_points(Comm& comm, Cpu const& cpu, Points<T> local, char const* name,
                             std::span<Option const> options) {
    auto const all = [&]() noexcept {
        std::vector<Option> some;
        some.reserve(options.size() + 2);
        some.assign(options.begin(), options.end());
        some.emplace_back("the type of the points", std::is_same_v<T, float> ? "float" : "double");
        some.emplace_back("the number of columns", local.dim);
        return some;
    }();
    agree_on(comm, all);
    attempt_to_check_rows(comm, local.size, [&](std::uint64_t first_row) {
        cpu.run([&] { check_points(local, name, first_row); });
    });
}

}  // namespace

template <class T>
void check_points(Comm& comm, Cpu const& cpu, Points<T> local, char const* name) {
    auto const step = comm.step("input");
    attempt_to_check_points(comm, cpu, local, name, {});
    comm.agree([] {});
}

template <class T>
Extent<T> check_and_find_extent(Comm& comm, Cpu const& cpu, Points<T> local,
                                std::span<Option const> options) {
    auto const step = comm.step("input");
    attempt_to_check_points(comm, cpu, local, "points", options);
    return find_extent(comm, cpu, local);
}

template <class T>
Extent<T> find_extent(Comm& comm, Cpu const& cpu, Points<T> local) {
    auto const step = comm.step("input");
    auto const dim = std::size_t(local.dim);
    std::vector<T> corners;
    std::vector<std::uint64_t> begin;
    Extent<T> part(0);
    comm.attempt([&] {
        part = cpu.run([&] { return find_extent(local); });
        corners = part.lo;
        corners.insert(corners.end(), part.hi.begin(), part.hi.end());
        for (int r = 0; r <= comm.size(); ++r) begin.push_back(std::uint64_t(r));
    });
    auto const all = comm.gather_all(std::span<T const>(corners), begin, 2 * dim);
    for (T const* p = all.begin(); p != all.end(); p += 2 * dim) {
        for (std::size_t j = 0; j < dim; ++j) {
            part.lo[j] = std::min(part.lo[j], p[j]);
            part.hi[j] = std::max(part.hi[j], p[dim + j]);
        }
    }
    return part;
}

template void check_points(Comm&, Cpu const&, Points<float>, char const*);
template void check_points(Comm&, Cpu const&, Points<double>, char const*);
template Extent<float> check_and_find_extent(Comm&, Cpu const&, Points<float>, std::span<Option const>);
template Extent<double> check_and_find_extent(Comm&, Cpu const&, Points<double>,
                                              std::span<Option const>);
template Extent<float> find_extent(Comm&, Cpu const&, Points<float>);
template Extent<double> find_extent(Comm&, Cpu const&, Points<double>);

}}  // namespace zwalk::v0
