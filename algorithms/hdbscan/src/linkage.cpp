#include "zwalk/hdbscan/linkage.hpp"

#include <algorithm>
#include <vector>

#include "big_event.hpp"
#include "serial_linkage.hpp"
#include "strips.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/core/text.hpp"

namespace zwalk { inline namespace v0 {
namespace {

using detail::Cluster, detail::End, detail::Strip, detail::StripMerger;

InputError closes_circle(std::span<index_t const> edges, std::size_t e) {
    return InputError(detail::text("edge {} ({}, {}) closes a circle: that is no tree", e, edges[2 * e],
                                   edges[2 * e + 1]));
}

/// How a linkage is made in parallel. Edges are taken in strips, one after another. What clusters the ends of a strip's edges are in,
/// and which of these its edges join, is found on all threads (SharedClusters). After that nothing depends on the other strips but the
/// rows' own order, which a thread for each strip makes (StripMerger). A window is as many strips as are made at once.
template <class T>
class Linker {
  public:
    Linker(Cpu const& cpu, Linkage& out, std::span<index_t const> edges, std::span<T const> lengths,
           detail::StripSizes sizes)
        : rows_{out.merges.data(), out.points},
          edges_(edges),
          lengths_(lengths),
          sizes_(sizes),
          clusters_(cpu, out.points) {}

    /// Call inside Cpu::run.
    void run() {
        for (std::size_t begin = 0; begin < lengths_.size(); begin = strips_.back().end) {
            cut_window(begin);
            if (is_alone()) {
                claim(strips_[0]);
                merge();
                adopt(strips_[0]);
                continue;
            }
            for (Strip const& strip : strips_) meet(strip);
            if (strips_[0].one_event && join_big()) continue;
            merge();
            settle();
        }
    }

  private:
    static constexpr std::size_t grain = 1 << 9;  ///< edges per task

    /// The strips of the window that begins with this edge, and memory for them.
    void cut_window(std::size_t begin) {
        begin_ = begin;
        strips_.clear();
        while (strips_.size() < sizes_.strips && begin < lengths_.size()) {
            Strip const next = strip_from(begin);
            if (next.one_event && !strips_.empty()) break;
            strips_.push_back(next);
            if (next.one_event) break;
            begin = next.end;
        }
        std::size_t const size = strips_.back().end - begin_;
        if (size <= last_row_.size()) return;
        ends_ = Buffer<End>(2 * size);
        last_row_ = Buffer<pos_t>(size);
    }
    [[nodiscard]] Strip strip_from(std::size_t begin) const {
        std::size_t const n = lengths_.size(), wanted = std::min(n, begin + sizes_.edges);
        auto const [first, last] = std::equal_range(lengths_.begin() + std::ptrdiff_t(begin),
                                                    lengths_.end(), lengths_[wanted - 1]);
        std::size_t const from = std::size_t(first - lengths_.begin()),
                          to = std::size_t(last - lengths_.begin());
        if (to - from <= sizes_.edges) return {.begin = begin, .end = to};
        return from > begin ? Strip{.begin = begin, .end = from}
                            : Strip{.begin = begin, .end = to, .one_event = true};
    }

    /// One thread makes the window's rows, and no other has anything to do: it can as well say what has become of the clusters.
    [[nodiscard]] bool is_alone() const {
        bool const all = strips_[0].begin == 0 && strips_[0].end == lengths_.size();
        return (sizes_.strips == 1 || all) && !strips_[0].one_event;
    }

    [[nodiscard]] pos_t first_end(std::size_t edge) const { return pos_t(2 * (edge - begin_)); }
    /// f(edge, end) for pieces of a strip.
    template <class F>
    static void in_pieces(Strip const& strip, F const& f) {
        parallel_for(strip.end - strip.begin, grain,
                     [&](std::size_t i, std::size_t end) { f(strip.begin + i, strip.begin + end); });
    }

    /// Which clusters a strip's edges are between.
    void claim(Strip const& strip) {
        constexpr std::size_t ahead =
            32;  // ends: nothing is near what was read last, so memory is asked for long before
        in_pieces(strip, [this](std::size_t edge, std::size_t end) {
            for (std::size_t i = 2 * edge; i < 2 * end; ++i) {
                if (i + 2 * ahead < edges_.size()) clusters_.prefetch(pos_t(edges_[i + 2 * ahead]));
                if (i + ahead < edges_.size()) clusters_.prefetch_next(pos_t(edges_[i + ahead]));
                pos_t const root = clusters_.root(pos_t(edges_[i])), here = pos_t(i - 2 * begin_);
                ends_[here] = {root, clusters_.claim(root, here)};
            }
        });
    }
    /// Which clusters a strip's edges are between, and what becomes of these.
    void meet(Strip const& strip) {
        claim(strip);
        in_pieces(strip, [this](std::size_t edge, std::size_t end) {
            for (; edge < end; ++edge) {
                End const* const ends = &ends_[first_end(edge)];
                prefetch_ahead(ends);
                clusters_.link(ends[0].point, ends[1].point);
            }
        });
        in_pieces(strip, [this](std::size_t edge, std::size_t end) { add(edge, end); });
    }
    /// Slots that a strip has read before are no longer in the nearest cache.
    void prefetch_ahead(End const* ends) const {
        constexpr std::ptrdiff_t ahead = 16;
        if (ends_.end() - ends <= ahead) return;
        clusters_.prefetch(ends[ahead].point);
    }
    void add(std::size_t edge, std::size_t end) {
        // Many edges in a row may join one cluster, which would have threads wait for each other: one addition is enough.
        pos_t root = no_pos;
        Cluster part{};
        auto const add_part = [&] {
            clusters_.add(root, part, [this](pos_t by) { return ends_[by].cluster; });
        };
        for (; edge < end; ++edge) {
            End const* const ends = &ends_[first_end(edge)];
            pos_t const whole = clusters_.root(ends[0].point);
            if (whole != root && root != no_pos) add_part();
            part = {pos_t(rows_.points + edge), whole == root ? part.size : 0};
            root = whole;
            for (End const& e : {ends[0], ends[1]})
                if (e.point != whole) part.size += e.cluster.size;  // its own is there
        }
        add_part();
    }

    /// Rows of the window, which is one big event. False: it closes a circle.
    bool join_big() {
        Strip const& strip = strips_[0];
        auto const parts =
            detail::sorted_parts({ends_.data(), 2 * (strip.end - strip.begin)}, clusters_);
        return detail::join_big_event(rows_, strip, double(lengths_[strip.begin]), parts, clusters_);
    }
    void merge() {
        typename StripMerger<T>::Window const window{rows_, lengths_.data(), begin_, ends_.data(),
                                                     last_row_.data()};
        parallel_for(strips_.size(), 1, [&](std::size_t s, std::size_t end) {
            for (; s < end; ++s) StripMerger<T>(window, strips_[s]).run();
        });
        for (Strip const& s : strips_)
            if (s.circle != s.end) throw closes_circle(edges_, s.circle);
    }
    /// The clusters of a strip that is alone become those of all points.
    void adopt(Strip const& strip) {
        for (pos_t i = first_end(strip.begin); i < first_end(strip.end); ++i) {
            prefetch_ahead(&ends_[i]);
            End const& whole = ends_[detail::root_of(ends_.data(), i)];
            if (ends_[i].point == whole.point) clusters_.set(whole.point, whole.cluster);
            else clusters_.set_below(ends_[i].point, whole.point);
        }
    }
    /// Gives all clusters that this window has made their final ids.
    void settle() {
        auto const ties = [](Strip const& s) { return s.ties; };
        if (std::none_of(strips_.begin(), strips_.end(), ties)) return;
        parallel_for(strips_.size(), 1, [&](std::size_t s, std::size_t last) {
            for (; s < last; ++s)
                for (std::size_t edge = strips_[s].begin; edge < strips_[s].end; ++edge) {
                    if (s > 0) settle(rows_.merges[edge], strips_[s]);
                    for (pos_t const i : {first_end(edge), first_end(edge) + 1})
                        settle(ends_[i], strips_[s]);
                }
        });
    }
    void settle(Merge& m, Strip const& strip) const {
        auto const final_id = [&](double id) {
            double const n = double(rows_.points), from = n + double(begin_),
                         to = n + double(strip.begin);
            return id < from || id >= to ? id : n + double(last_row_[std::size_t(id - from)]);
        };
        double const a = final_id(m.left), b = final_id(m.right);
        m.left = std::min(a, b), m.right = std::max(a, b);
    }
    void settle(End const& end, Strip const& strip) {
        if (end.cluster.size == 0) return;
        std::size_t const row = end.cluster.id - rows_.points;
        bool const tied = (row > strip.begin && lengths_[row] == lengths_[row - 1]) ||
                          (row + 1 < strip.end && lengths_[row] == lengths_[row + 1]);
        if (!tied || !clusters_.is_root(end.point)) return;
        Cluster const now = clusters_.of(end.point);
        if (now.id >= rows_.points + strip.begin && now.id < rows_.points + strip.end)
            clusters_.set(end.point, {end.cluster.id, now.size});
    }

    detail::RowWriter rows_;
    std::span<index_t const> edges_;
    std::span<T const> lengths_;
    detail::StripSizes sizes_;
    detail::SharedClusters clusters_;
    // Of the window.
    std::size_t begin_ = 0;  // its first edge
    std::vector<Strip> strips_;
    Buffer<End> ends_;
    Buffer<pos_t> last_row_;
};

/// The first i < n for which bad(i), or n. Call inside Cpu::run.
template <class Bad>
std::size_t first_where(std::size_t n, Bad const& bad) {
    return parallel_reduce(
        n, 1 << 14, n,
        [&](std::size_t i, std::size_t end, std::size_t first) {
            while (i < end && !bad(i)) ++i;
            return i < end ? std::min(i, first) : first;
        },
        [](std::size_t a, std::size_t b) { return std::min(a, b); });
}

void check_edges(std::size_t points, std::span<index_t const> edges, std::size_t lengths) {
    if (points > max_points)
        throw InputError(detail::text("{} points are too many: at most {}", points, max_points));
    std::size_t const expected = points > 0 ? points - 1 : 0;
    if (edges.size() != 2 * expected || lengths != expected)
        throw InputError(
            detail::text("a tree of {} points has {} edges; there are {} indices and {} lengths", points,
                         expected, edges.size(), lengths));
    std::size_t const bad = first_where(
        edges.size(), [&](std::size_t i) { return edges[i] < 0 || std::size_t(edges[i]) >= points; });
    if (bad < edges.size())
        throw InputError(detail::text("edge {} has the index {}, but there are {} points", bad / 2,
                                      edges[bad], points));
}

template <class T>
void check_lengths(std::span<T const> lengths) {
    auto const before = [&](std::size_t i) { return i > 0 ? lengths[i - 1] : T(0); };
    std::size_t const bad =
        first_where(lengths.size(), [&](std::size_t i) { return !(lengths[i] >= before(i)); });
    if (bad < lengths.size())
        throw InputError(
            detail::text("edge {} has the length {} after {}: lengths must be >= 0 and "
                         "ascend",
                         bad, lengths[bad], before(bad)));
}

}  // namespace

namespace detail {
namespace {

/// make(linkage) makes the rows.
template <class T, class Make>
Linkage checked_linkage(std::size_t points, std::span<index_t const> edges, std::span<T const> lengths,
                        Cpu const& cpu, Make const& make) {
    return cpu.run([&] {
        check_edges(points, edges, lengths.size());
        check_lengths(lengths);
        Linkage linkage{points, Buffer<Merge>(lengths.size())};
        make(linkage);
        return linkage;
    });
}

}  // namespace

template <class T>
Linkage linkage_in_strips(std::size_t points, std::span<index_t const> edges, std::span<T const> lengths,
                          Cpu const& cpu, StripSizes sizes) {
    return checked_linkage(points, edges, lengths, cpu,
                           [&](Linkage& out) { Linker<T>(cpu, out, edges, lengths, sizes).run(); });
}
template <class T>
Linkage linkage_in_windows(std::size_t points, std::span<index_t const> edges,
                           std::span<T const> lengths, Cpu const& cpu, std::size_t window) {
    return checked_linkage(points, edges, lengths, cpu, [&](Linkage& out) {
        SerialLinker<T> linker(cpu, {out.merges.data(), points}, edges, lengths, window);
        if (std::size_t const e = linker.run(); e < lengths.size()) throw closes_circle(edges, e);
    });
}

#define ZWALK_LINKAGE(T)                                                                           \
    template Linkage linkage_in_strips(std::size_t, std::span<index_t const>, std::span<T const>,  \
                                       Cpu const&, StripSizes);                                    \
    template Linkage linkage_in_windows(std::size_t, std::span<index_t const>, std::span<T const>, \
                                        Cpu const&, std::size_t);
ZWALK_LINKAGE(float)
ZWALK_LINKAGE(double)
}  // namespace detail

template <class T>
Linkage single_linkage(std::size_t points, std::span<index_t const> edges, std::span<T const> lengths,
                       Cpu const& cpu) {
    auto const threads = std::size_t(cpu.threads());
    if (threads <= detail::few_threads && !detail::has_wide_event(lengths, detail::wide_event))
        return detail::linkage_in_windows(points, edges, lengths, cpu, detail::window_edges);
    return detail::linkage_in_strips(points, edges, lengths, cpu, detail::strips_for(threads));
}

template Linkage single_linkage(std::size_t, std::span<index_t const>, std::span<float const>,
                                Cpu const&);
template Linkage single_linkage(std::size_t, std::span<index_t const>, std::span<double const>,
                                Cpu const&);

}}  // namespace zwalk::v0
