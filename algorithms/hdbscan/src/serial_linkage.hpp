// A linkage whose rows one thread makes: less work than what many threads do (linkage.cpp).
#pragma once
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "strip.hpp"
#include "zwalk/core/interrupt.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Merges edge by edge, event by event. Where in memory the clusters of an edge's ends are can't be foreseen, and waiting for them takes
/// most of the time; but which edges come next is known. So edges are taken in windows: while one thread makes the rows of a window, the
/// other looks for the clusters of the next one's ends. They have joined others by the time of their own edges, but not many.
template <class T>
class SerialLinker {
  public:
    /// @param window  edges, about; all of one length are in one window, so these shouldn't be many
    SerialLinker(Cpu const& cpu, RowWriter const& rows, std::span<index_t const> edges,
                 std::span<T const> lengths, std::size_t window)
        : rows_(rows),
          edges_(edges),
          lengths_(lengths),
          window_(window),
          threads_(std::size_t(cpu.threads())),
          clusters_(cpu, rows.points) {}

    /// Call inside Cpu::run.
    /// @return  the first edge that closes a circle, or how many edges there are
    std::size_t run() {
        std::size_t const all = lengths_.size();
        std::size_t begin = 0, end = window_end(0), circle = all;
        look_ahead(begin, end, [] {});
        while (begin < all && circle == all) {
            Interrupt::check();
            found_.swap(next_);
            std::size_t const next_end = window_end(end);
            look_ahead(end, next_end, [&] { circle = link(begin, end); });
            begin = std::exchange(end, next_end);
        }
        return circle;
    }

  private:
    [[nodiscard]] std::size_t window_end(std::size_t begin) const {
        std::size_t const all = lengths_.size();
        std::size_t end = std::min(begin + window_, all);
        while (end < all && lengths_[end] == lengths_[end - 1]) ++end;
        return end;
    }
    /// One thread does `work`, and the others look for the clusters of these edges' ends, in which it joins them.
    template <class Work>
    void look_ahead(std::size_t begin, std::size_t end, Work const& work) {
        constexpr std::size_t some = 1 << 9;  // edges
        next_.resize(2 * (end - begin));
        std::atomic<std::size_t> taken = begin;
        parallel_for(threads_, 1, [&](std::size_t thread, std::size_t last) {
            for (; thread < last; ++thread) {
                if (thread == 0) work();
                std::size_t e;
                while ((e = taken.fetch_add(some, std::memory_order_relaxed)) < end)
                    look(begin, e, std::min(e + some, end));
            }
        });
    }
    void look(std::size_t window, std::size_t begin, std::size_t end) {
        // To set up a page takes as long as its rows.
        constexpr std::size_t page = 4096 / sizeof(Merge);
        for (std::size_t e = begin; e < end; e += page) rows_.merges[e].distance = 0;
        constexpr std::size_t ahead = 32;
        for (std::size_t i = 2 * begin; i < 2 * end; ++i) {
            if (i + 2 * ahead < edges_.size()) {
                clusters_.prefetch(pos_t(edges_[i + 2 * ahead]));
                clusters_.prefetch_next(pos_t(edges_[i + ahead]));
            }
            next_[i - 2 * window] = clusters_.root(pos_t(edges_[i]));
        }
    }

    std::size_t link(std::size_t begin, std::size_t last) {
        begin_ = begin;
        for (std::size_t e = begin; e < last;) {
            std::size_t end = e + 1;
            while (end < last && lengths_[end] == lengths_[e]) ++end;
            std::size_t const circle = end == e + 1 ? edge(e) : event(e, end);
            if (circle < end) return circle;
            e = end;
        }
        return lengths_.size();
    }
    /// The root of the cluster at an end of an edge of the window.
    [[nodiscard]] pos_t root_at(std::size_t end) {
        constexpr std::size_t ahead = 48;
        pos_t const* const found = found_.data() + (end - 2 * begin_);
        if (found + ahead < found_.data() + found_.size()) clusters_.prefetch(found[ahead]);
        return clusters_.root(*found);
    }
    /// Puts one of two roots below the other. Returns that, or no_pos if they are the same.
    pos_t join(pos_t a, pos_t b) {
        if (a == b) return no_pos;
        if (b < a) std::swap(a, b);
        clusters_.set_below(b, a);
        return a;
    }
    std::size_t edge(std::size_t e) {
        pos_t const a = root_at(2 * e), b = root_at(2 * e + 1);
        Cluster const one = clusters_.of(a), other = clusters_.of(b);
        pos_t const whole = join(a, b);
        if (whole == no_pos) return e;
        clusters_.set(whole, rows_.join(e, one, other, double(lengths_[e])));
        return lengths_.size();
    }
    std::size_t event(std::size_t begin, std::size_t end) {
        parts_.clear();
        for (std::size_t i = 2 * begin; i < 2 * end; ++i) {
            pos_t const root = root_at(i);
            parts_.push_back({root, root, clusters_.of(root)});
        }
        for (std::size_t e = begin; e < end; ++e) {
            EventPart const* const ends = &parts_[2 * (e - begin)];
            if (join(clusters_.root(ends[0].point), clusters_.root(ends[1].point)) == no_pos) return e;
        }
        for (EventPart& part : parts_) part.whole = clusters_.root(part.point);
        sort_parts();
        rows_.join_parts(parts_, {0, 0}, begin, double(lengths_[begin]),
                         [this](EventPart const& p, Cluster now) { clusters_.set(p.whole, now); });
        return lengths_.size();
    }
    /// The parts of an event, each once, in the order of its rows.
    void sort_parts() {
        std::sort(parts_.begin(), parts_.end(), comes_before);
        auto const same = [](EventPart const& a, EventPart const& b) { return a.point == b.point; };
        parts_.erase(std::unique(parts_.begin(), parts_.end(), same), parts_.end());
    }

    RowWriter rows_;
    std::span<index_t const> edges_;
    std::span<T const> lengths_;
    std::size_t window_, threads_;
    SharedClusters clusters_;
    std::size_t begin_ = 0;  // the window's first edge
    std::vector<pos_t> found_,
        next_;                      // where the clusters of its ends were, and of those of the next one
    std::vector<EventPart> parts_;  // of an event
};

}}}  // namespace zwalk::v0::detail
