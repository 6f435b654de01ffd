#include "weighted.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "checks.hpp"
#include "zwalk/core/numbered_pieces.hpp"
#include "zwalk/core/parallel.hpp"
#include "zwalk/core/parallel_sort.hpp"
#include "zwalk/core/text.hpp"
#include "zwalk/hdbscan/weights.hpp"

namespace zwalk { inline namespace v0 {
namespace {

/// A part of an event, with what it is sorted by.
struct Part {
    double weight;
    std::size_t id;
    bool operator<(Part const& o) const { return weight != o.weight ? weight > o.weight : id < o.id; }
};

/// Rows [begin, end), each of which merges something with what the row before has made: again, the heaviest part first.
void chain(Linkage& linkage, std::vector<Part>& parts, std::size_t begin, std::size_t end) {
    if (parts.size() > 1 << 14) parallel_sort(parts.begin(), parts.end(), std::less<>());
    else std::sort(parts.begin(), parts.end());
    std::size_t made = parts[0].id;
    double size = 0;
    auto const points_of = [&](std::size_t id) {
        return id < linkage.points ? 1 : linkage.merges[id - linkage.points].size;
    };
    size = points_of(made);
    for (std::size_t row = begin; row < end; ++row) {
        std::size_t const with = parts[row - begin + 1].id;
        size += points_of(with);
        Merge& m = linkage.merges[row];
        m.left = double(std::min(made, with));
        m.right = double(std::max(made, with));
        if (row + 1 < end) m.size = size;  // that of the last one stays, and may be read meanwhile
        made = linkage.points + row;
    }
}

/// Merges of equal distance, each of which takes in what the one before has made. They are brought into the order of the weights.
class Events {
  public:
    explicit Events(Linkage& linkage) : linkage_(linkage), weights_(linkage) {}

    /// O(N log N) at most, on all threads: an event's parts have been made before it, and stay what they are. Call inside Cpu::run.
    void order() {
        detail::NumberedPieces const pieces(linkage_.merges.size(), 1 << 12);
        // The first event that begins in a piece, or the piece's end.
        std::vector<std::size_t> begin(pieces.size() + 1);
        pieces.each([&](std::size_t p, std::size_t row, std::size_t end) {
            while (row < end && goes_on(row)) ++row;
            begin[p] = row;
        });
        begin.back() = linkage_.merges.size();
        for (std::size_t p = pieces.size(); p-- > 0;)  // an event may reach over pieces
            if (begin[p] == pieces.begin(p + 1)) begin[p] = begin[p + 1];
        pieces.each([&](std::size_t p, std::size_t, std::size_t) {
            std::vector<Part> parts;
            for (std::size_t row = begin[p]; row < begin[p + 1];)
                row = order_one(row, begin[p + 1], parts);
        });
    }

  private:
    [[nodiscard]] double made_by(std::size_t row) const { return double(linkage_.points + row); }
    /// A row belongs to the event of the one before it.
    [[nodiscard]] bool goes_on(std::size_t row) const {
        if (row == 0) return false;
        Merge const &m = linkage_.merges[row], &before = linkage_.merges[row - 1];
        return m.distance == before.distance &&
               (m.left == made_by(row - 1) || m.right == made_by(row - 1));
    }
    /// The event that begins at a row, and its end, at `last` or before.
    std::size_t order_one(std::size_t begin, std::size_t last, std::vector<Part>& parts) {
        auto const& merges = linkage_.merges;
        std::size_t end = begin + 1;
        if (end == last || !goes_on(end)) return end;
        parts.clear();
        auto const add = [&](double id) {
            parts.push_back({weights_.at(std::size_t(id), merges[begin].distance), std::size_t(id)});
        };
        add(merges[begin].left);
        add(merges[begin].right);
        for (; end < last && goes_on(end); ++end)
            add(merges[end].left == made_by(end - 1) ? merges[end].right : merges[end].left);
        chain(linkage_, parts, begin, end);
        return end;
    }

    Linkage& linkage_;
    detail::PartWeights const weights_;  // what an event makes is as heavy in any order
};

}  // namespace

Linkage with_weights(Linkage linkage, std::span<double const> weights, std::span<double const> cores,
                     Cpu const& cpu) {
    std::size_t const n = linkage.points;
    detail::check_weights(n, weights);
    if (cores.size() != n)
        throw InputError(detail::text("there are {} core distances of {} points", cores.size(), n));
    for (std::size_t i = 0; i < n; ++i)
        if (!(cores[i] >= 0))
            throw InputError(detail::text("core distance {} is {}: it must be >= 0", i, cores[i]));
    linkage.weights = Buffer<double>(n);
    linkage.cores = Buffer<double>(n);
    cpu.for_each(n, [&](std::size_t i) {
        linkage.weights[i] = weights[i];
        linkage.cores[i] = cores[i];
    });
    Events events(linkage);
    cpu.run([&] { events.order(); });
    return linkage;
}

}}  // namespace zwalk::v0
