// What objects of users see on ranks, against what they see in one process.
#pragma once
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "ranks/input.hpp"
#include "zwalk/knn/knn.hpp"
#include "zwalk/run/rank_index.hpp"

namespace zwalk::test {

template <class T>
using SeenRows = std::map<index_t, std::pair<std::vector<index_t>, std::vector<T>>>;

/// Keeps all, by the row that it was told.
template <class T>
struct Seen {
    SeenRows<T>* rows;
    std::mutex* lock;
    void operator()(index_t row, auto const& found) const {
        std::vector<index_t> index;
        std::vector<T> d2;
        for (int i = 0; i < found.size(); ++i) {
            index.push_back(found.index(i));
            d2.push_back(found.distance2(i));
        }
        std::scoped_lock const mine(*lock);
        (*rows)[row] = {index, d2};
    }
};

/// @param visit    visit(Seen<T>) -> a KnnResult, of a rank's points or queries
/// @param asking   queries; null: the points themselves
template <int D, class T, class Visit>
bool same_visits(Comm& comm, Input<D, T> const& sources, Input<D, T> const* asking, KnnOptions const& o,
                 Visit const& visit) {
    SeenRows<T> alone, seen;
    std::mutex lock;
    Seen<T> const keep{&alone, &lock};
    if (asking) knn_visit(sources.all(), asking->all(), keep, o, Cpu(1));
    else knn_visit(sources.all(), keep, o, Cpu(1));
    KnnResult<T, Mpi> const visited = visit(Seen<T>{&seen, &lock});
    auto const begin = comm.offsets(visited.rows);
    auto const first = index_t(begin[std::size_t(comm.rank())]);
    bool same = visited.rows == seen.size() && begin.back() == alone.size() &&
                visited.row_order.size() == (o.order == Order::z ? visited.rows : 0);
    for (auto const& [row, neighbours] : seen)
        same = same && alone.at(o.order == Order::z ? first + row : row) == neighbours;
    return same;
}

}  // namespace zwalk::test
