// Lists of the nearest neighbours of all points, by chunks.
#pragma once
#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "zwalk/core/buffer.hpp"
#include "zwalk/core/index.hpp"
#include "zwalk/core/key.hpp"
#include "zwalk/exec/cpu.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Points i with the same i >> chunk_log2 are a chunk. Its lists have room as soon as one of them is asked for;
/// packed, they take what is left of them, and the room is used for other chunks: as long as few chunks are
/// begun at once, most lists never leave the caches.
template <class T>
class NeighbourLists {
  public:
    /// @param listed  neighbours per point, from 1 to points - 1
    NeighbourLists(Cpu const& cpu, pos_t points, pos_t listed, int chunk_log2)
        : points_(points),
          listed_(listed),
          log2_(chunk_log2),
          chunks_(((points - 1) >> chunk_log2) + 1),
          first_(cpu.buffer<pos_t>(points)),
          size_(cpu.buffer<pos_t>(points)) {}

    [[nodiscard]] pos_t points() const { return points_; }
    [[nodiscard]] pos_t listed() const { return listed_; }
    [[nodiscard]] std::size_t chunks() const { return chunks_.size(); }
    [[nodiscard]] pos_t chunk_of(pos_t i) const { return i >> log2_; }
    [[nodiscard]] pos_t chunk_begin(std::size_t chunk) const { return pos_t(chunk << log2_); }
    [[nodiscard]] pos_t chunk_end(std::size_t chunk) const {
        return pos_t(std::min<std::size_t>(points_, (chunk + 1) << log2_));
    }

    /// Room for the neighbours of point i, nearest first. Any number of threads may call this at once.
    [[nodiscard]] Key<T>* room(pos_t i) {
        Chunk& chunk = chunks_[chunk_of(i)];
        Key<T>* rows = chunk.rows.load(std::memory_order_acquire);
        if (rows == nullptr) rows = make_room(chunk);
        return rows + std::size_t(i - chunk_begin(chunk_of(i))) * listed_;
    }
    /// Marks the list of point i as written. True: it was the last one of its chunk.
    [[nodiscard]] bool filled(pos_t i) {
        pos_t const c = chunk_of(i);
        return chunks_[c].filled.fetch_add(1, std::memory_order_acq_rel) + 1 ==
               chunk_end(c) - chunk_begin(c);
    }
    /// The whole list of point i, before anything is dropped.
    void begin(pos_t i) {
        first_[i] = (i - chunk_begin(chunk_of(i))) * listed_;
        size_[i] = listed_;
    }

    /// The list of point i.
    [[nodiscard]] Key<T>* list(pos_t i) {
        return chunks_[chunk_of(i)].rows.load(std::memory_order_relaxed) + first_[i];
    }
    [[nodiscard]] pos_t size(pos_t i) const { return size_[i]; }
    /// Keeps `size` elements of the list of point i, from `begin` on.
    void keep(pos_t i, Key<T> const* begin, pos_t size) {
        first_[i] += pos_t(begin - list(i));
        size_[i] = size;
    }

    /// Keeps the neighbours in the lists of a chunk for which keep(i, neighbour) is true.
    template <class Keep>
    void pack(std::size_t c, Keep const& keep) {
        Chunk& chunk = chunks_[c];
        std::size_t left = 0;
        for (pos_t i = chunk_begin(c); i < chunk_end(c); ++i) {
            Key<T>* const own = list(i);
            pos_t kept = 0;
            for (pos_t e = 0; e < size_[i]; ++e)
                if (keep(i, own[e].pos)) own[kept++] = own[e];
            size_[i] = kept;
            left += kept;
        }
        Buffer<Key<T>> rest(left);
        Key<T>* at = rest.data();
        for (pos_t i = chunk_begin(c); i < chunk_end(c); ++i) {
            Key<T> const* const own = list(i);
            first_[i] = pos_t(at - rest.data());
            at = std::copy(own, own + size_[i], at);
        }
        chunk.rows.store(rest.data(), std::memory_order_relaxed);
        std::swap(chunk.memory, rest);
        std::scoped_lock const lock(mutex_);
        free_.push_back(std::move(rest));
    }
    /// Gives back room that no chunk needs.
    void trim() { free_.clear(); }

  private:
    struct Chunk {
        std::atomic<Key<T>*> rows = nullptr;
        std::atomic<pos_t> filled = 0;
        Buffer<Key<T>> memory;
    };

    Key<T>* make_room(Chunk& chunk) {
        std::scoped_lock const lock(mutex_);
        Key<T>* rows = chunk.rows.load(std::memory_order_relaxed);
        if (rows != nullptr) return rows;  // another thread was first
        if (free_.empty()) {
            chunk.memory = Buffer<Key<T>>(std::size_t(std::min(points_, pos_t(1) << log2_)) * listed_);
        } else {
            chunk.memory = std::move(free_.back());
            free_.pop_back();
        }
        chunk.rows.store(rows = chunk.memory.data(), std::memory_order_release);
        return rows;
    }

    pos_t points_, listed_;
    int log2_;
    std::vector<Chunk> chunks_;
    Buffer<pos_t> first_, size_;  ///< of a list: where it begins among its chunk's; how long it is
    std::mutex mutex_;
    std::vector<Buffer<Key<T>>> free_;
};

}}}  // namespace zwalk::v0::detail
