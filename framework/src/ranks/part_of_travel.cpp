#include "zwalk/ranks/part_of_travel.hpp"

#include <algorithm>

namespace zwalk { inline namespace v0 {
namespace {

/// The records j of which is_part(rank at the other end, j), in their order.
struct PickedRecords {
    std::vector<std::uint64_t> begin{0};  ///< as in Routes
    std::vector<std::uint64_t> number;
};
template <class IsPart>
PickedRecords pick(std::vector<std::uint64_t> const& begin, IsPart const& is_part) {
    PickedRecords picked;
    for (std::size_t r = 0; r + 1 < begin.size(); ++r) {
        for (std::uint64_t j = begin[r]; j < begin[r + 1]; ++j)
            if (is_part(r, j)) picked.number.push_back(j);
        picked.begin.push_back(picked.number.size());
    }
    return picked;
}

}  // namespace

PartOfTravel part_of_travel(Travel const& travel, std::span<index_t const> input_index,
                            std::span<std::uint64_t const> begin, std::span<std::uint64_t const> end,
                            int rank, std::uint64_t first) {
    auto const is_part = [&](std::size_t r, std::uint64_t row) {
        return row >= begin[r] && row < end[r];
    };
    auto const me = std::size_t(rank);
    auto const sent = pick(travel.routes.sent, [&](std::size_t, std::uint64_t j) {
        return is_part(me, first + travel.row[j]);
    });
    auto const received = pick(travel.routes.received, [&](std::size_t r, std::uint64_t j) {
        return is_part(r, std::uint64_t(input_index[travel.position[j]]));
    });
    PartOfTravel part{Buffer<pos_t>(received.number.size()),
                      {{sent.begin, received.begin},
                       Buffer<pos_t>(sent.number.size()),
                       Buffer<pos_t>(received.number.size())}};
    for (std::size_t i = 0; i < sent.number.size(); ++i)
        part.travel.row[i] = pos_t(first + travel.row[sent.number[i]] - begin[me]);
    for (std::size_t i = 0; i < received.number.size(); ++i)
        part.at[i] = travel.position[received.number[i]];
    std::sort(part.at.begin(), part.at.end());
    for (std::size_t i = 0; i < received.number.size(); ++i)
        part.travel.position[i] =
            pos_t(std::lower_bound(part.at.begin(), part.at.end(), travel.position[received.number[i]]) -
                  part.at.begin());
    return part;
}

}}  // namespace zwalk::v0
