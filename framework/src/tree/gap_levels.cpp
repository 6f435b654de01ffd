#include "zwalk/tree/detail/gap_levels.hpp"

#include <algorithm>
#include <bit>
#include <vector>

#include "zwalk/exec/isa.hpp"
#include "zwalk/tree/virtual_levels.hpp"

namespace zwalk { inline namespace v0 {
namespace {

constexpr std::size_t chunk = 1 << 14;

/// Real levels of gaps [begin, end), 1 <= begin; column by column, so that the loop vectorises.
/// The largest (msb_j + 1) * dim - j has the largest msb and among these the first axis (eq. 3).
template <class T>
void real_levels(T const* x, std::size_t stride, int dim, std::size_t begin, std::size_t end,
                 level_t* level) {
    constexpr int none = equal_msb<T>;
    for (int j = 0; j < dim; ++j) {
        T const* const column = x + std::size_t(j) * stride;
        for (std::size_t i = begin; i < end; ++i) {
            int const m = msb(column[i - 1], column[i]);
            level_t const l = m == none ? equal_points_level : (m + 1) * dim - j;
            level[i] = j == 0 ? l : std::max(level[i], l);
        }
    }
}

/// Offsets in a run have up to 32 bits.
bool is_virtual(level_t level) { return level < equal_points_level + 32; }

/// Replaces the level inside runs of equal points by virtual ones. The start of a run that crosses
/// chunks is carried over from the chunks before.
void virtual_levels(std::size_t size, level_t* level) {
    std::size_t const chunks = (size + chunk - 1) / chunk;
    std::vector<std::size_t> run(chunks, 0);  // last gap of a chunk that starts a run, 0: none
    parallel_for(chunks, 1, [&](std::size_t c, std::size_t last) {
        for (; c < last; ++c) {
            std::size_t i = std::min(size, (c + 1) * chunk);
            while (i > c * chunk && is_virtual(level[i - 1])) --i;
            run[c] = i > c * chunk ? i - 1 : 0;
        }
    });
    for (std::size_t c = 1; c < chunks; ++c) run[c] = std::max(run[c], run[c - 1]);
    parallel_for(chunks, 1, [&](std::size_t c, std::size_t last) {
        for (; c < last; ++c) {
            std::size_t start = c ? run[c - 1] : 0;
            for (std::size_t i = c * chunk; i < std::min(size, (c + 1) * chunk); ++i) {
                if (is_virtual(level[i]))
                    level[i] = equal_points_level + std::countr_zero(std::uint32_t(i - start));
                else start = i;
            }
        }
    });
}

}  // namespace

template <class T>
Buffer<level_t> gap_levels(Cpu const& cpu, T const* x, std::size_t stride, pos_t size, int dim) {
    auto level = cpu.buffer<level_t>(std::size_t(size) + 1);
    level[0] = level[size] = outer_level;
    if (size < 2) return level;
    cpu.run([&] {
        parallel_for(size - 1, chunk, [&](std::size_t begin, std::size_t end) {
            with_isa(best_isa(),
                     [&]<Isa>() { real_levels(x, stride, dim, begin + 1, end + 1, level.data()); });
        });
        virtual_levels(size, level.data());
    });
    return level;
}

void set_virtual_levels(Cpu const& cpu, std::span<level_t> levels) {
    cpu.run([&] { virtual_levels(levels.size() - 1, levels.data()); });
}

template Buffer<level_t> gap_levels(Cpu const&, float const*, std::size_t, pos_t, int);
template Buffer<level_t> gap_levels(Cpu const&, double const*, std::size_t, pos_t, int);

}}  // namespace zwalk::v0
