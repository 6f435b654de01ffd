// What a test knows of the points and nodes that a trait is shown.
#pragma once
#include <bit>
#include <concepts>
#include <vector>

#include "zwalk/core/columns.hpp"
#include "zwalk/tree/tree.hpp"

namespace test {
using namespace zwalk;

/// A number that depends on all of these, and on their order.
template <class... V>
constexpr std::uint64_t mix(V... values) {
    std::uint64_t h = 0;
    auto const add = [&h](auto v) {
        if constexpr (std::same_as<decltype(v), float>) h ^= std::bit_cast<std::uint32_t>(v);
        else h ^= std::uint64_t(v);
        h *= 0x9e3779b97f4a7c15;
        h ^= h >> 29;
    };
    (add(values), ...);
    return h;
}

/// Of a point. The lowest bit: it asks for something (uses.idle).
struct Mark {
    std::uint32_t bits;
    float weight;
};
/// Of the points of a node, in their order.
struct Digest {
    std::uint32_t hash, power;
    float least, most;
    bool asks;

    explicit Digest(Mark m)
        : hash(m.bits), power(77777), least(m.weight), most(m.weight), asks(m.bits & 1) {}
    Digest() = default;
    friend Digest operator+(Digest a, Digest const& b) {
        a.hash = a.hash * b.power + b.hash;
        a.power *= b.power;
        a.least = min_of(a.least, b.least);
        a.most = max_of(a.most, b.most);
        a.asks = a.asks || b.asks;
        return a;
    }
    friend bool operator==(Digest const&, Digest const&) = default;
};

/// What is known of targets or sources.
template <int D>
struct Known {
    Tree<float, Cpu> const& tree;
    std::vector<Mark> mark;                   ///< of points
    std::vector<std::vector<Digest>> digest;  ///< of the nodes of each plane
    Columns<Mark> payload;

    Known(Tree<float, Cpu> const& t, std::vector<Mark> marks)
        : tree(t), mark(std::move(marks)), payload(std::span<Mark const>(mark)) {
        for (auto const& plane : tree.planes) {
            auto& own = digest.emplace_back();
            for (pos_t i = 0; i < plane.nodes(); ++i) {
                own.emplace_back(mark[plane.first[i]]);
                for (pos_t p = plane.first[i] + 1; p < plane.first[i + 1]; ++p)
                    own.back() = own.back() + Digest(mark[p]);
            }
        }
    }
    /// The plane of this node, or -1 if it has no such node.
    template <class Node>
    [[nodiscard]] int plane_of(Node const& n) const {
        if (n.plane >= tree.planes.size()) return -1;
        auto const& first = tree.planes[n.plane].first;
        bool const is_there = n.index + 1 < first.size() && first[n.index] == n.first &&
                              first[n.index + 1] == n.first + n.count;
        return is_there ? int(n.plane) : -1;
    }
};

}  // namespace test
