// Levels and counts of all gaps from the recursive definition of the binary tree: the smallest cell
// around a range of points in z-order is halved, and so on down to single points.
#pragma once
#include <algorithm>
#include <bit>
#include <span>
#include <vector>

#include "tree/clouds.hpp"
#include "zwalk/tree/detail/gap_levels.hpp"
#include "zwalk/zorder/sort.hpp"

namespace zwalk::test {

template <class T>
struct Oracle {
    Cloud<T> cloud;         ///< in z-order
    std::vector<int> type;  ///< of each point
    int types = 1;
    std::vector<level_t> level;  ///< N + 1
    std::vector<pos_t> n;        ///< N + 1

    explicit Oracle(Cloud<T> const& input, std::vector<int> const& input_type = {})
        : cloud{input.name, input.dim, {}} {
        for (pos_t i : z_sort(Cpu(1), input.points())) {
            cloud.x.insert(cloud.x.end(), input.row(i), input.row(i) + input.dim);
            type.push_back(input_type.empty() ? 0 : input_type[i]);
            types = std::max(types, type.back() + 1);
        }
        level.assign(cloud.size() + 1, outer_level);
        n.assign(cloud.size() + 1, no_pos);
        if (cloud.size()) divide(0, pos_t(cloud.size()));
    }

    [[nodiscard]] pos_t largest_count(pos_t begin, pos_t end) const {
        std::vector<pos_t> count(std::size_t(types), 0);
        for (pos_t i = begin; i < end; ++i) ++count[std::size_t(type[i])];
        return *std::max_element(count.begin(), count.end());
    }

    /// The gaps of plane 0, or of `finer` if given, with n > n_max or level > lvl_max.
    [[nodiscard]] std::vector<pos_t> kept(std::uint64_t n_max, level_t lvl_max = outer_level,
                                          std::vector<pos_t> const* finer = nullptr) const {
        std::vector<pos_t> out;
        for (pos_t i = 0; i <= cloud.size(); ++i) {
            bool const there = !finer || std::binary_search(finer->begin(), finer->end(), i);
            bool const outer = i == 0 || i == cloud.size();
            if (there && (outer || n[i] > n_max || level[i] > lvl_max)) out.push_back(i);
        }
        return out;
    }

  private:
    void divide(pos_t begin, pos_t end) {
        if (end - begin < 2) return;
        int const dim = int(cloud.dim);
        T const* const p = cloud.row(begin);
        level_t l = z_level(p, cloud.row(end - 1), dim);
        pos_t middle = begin + 1;
        if (l == equal_points_level) {  // copies: the first part is the largest power of two
            middle = begin + std::bit_floor(end - begin - 1);
            l += std::countr_zero(middle - begin);
        } else {
            while (z_level(p, cloud.row(middle), dim) < l) ++middle;
        }
        level[middle] = l;
        n[middle] = largest_count(begin, end);
        divide(begin, middle);
        divide(middle, end);
    }
};

}  // namespace zwalk::test
