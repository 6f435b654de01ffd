// The catalogue of points that come in pieces: rows of groups that lie in one, and members of the others, kept until they are known.
#pragma once
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <numeric>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "group_rows.hpp"
#include "piece_fragments.hpp"
#include "zwalk/run/piece_file.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Rows of points, what is beside them, and their numbers in the input: on disk, piece by piece.
template <class T>
class PiecesOfRows {
  public:
    PiecesOfRows(std::filesystem::path const& directory, std::size_t pieces, int dim, bool masses,
                 bool velocities)
        : dim_(dim),
          x_(directory, pieces, sizeof(T) * std::size_t(dim)),
          mass_(directory, pieces, masses ? sizeof(T) : 0),
          v_(directory, pieces, velocities ? sizeof(T) * std::size_t(dim) : 0),
          row_(directory, pieces, sizeof(index_t)),
          masses_(masses),
          velocities_(velocities) {}

    /// Appends point i of those that are given, whose masses and velocities may be null if there are none.
    void append(std::size_t piece, std::size_t i, T const* x, T const* mass, T const* v, index_t row) {
        auto const dim = std::size_t(dim_);
        x_.append(piece, x + i * dim, 1);
        if (masses_) mass_.append(piece, mass + i, 1);
        if (velocities_) v_.append(piece, v + i * dim, 1);
        row_.append(piece, &row, 1);
    }
    void end(std::size_t piece) {
        for (PieceFile* file : {&x_, &mass_, &v_, &row_}) file->end(piece);
    }
    /// Gives back the space of all but the rows' numbers.
    void keep_numbers_alone(std::size_t piece) {
        for (PieceFile* file : {&x_, &mass_, &v_}) file->forget(piece);
    }
    [[nodiscard]] std::uint64_t size(std::size_t piece) const { return row_.size(piece); }
    [[nodiscard]] int dim() const { return dim_; }
    [[nodiscard]] bool velocities() const { return velocities_; }
    [[nodiscard]] PieceFile const& rows() const { return row_; }

    [[nodiscard]] Buffer<T> points(std::size_t piece) const {
        return read_piece<T>(x_, piece, std::size_t(dim_));
    }

    /// A piece in memory, as the folds of a catalogue take it.
    class Loaded {
      public:
        /// @param x  its points()
        Loaded(PiecesOfRows const& from, std::size_t piece, Buffer<T> x)
            : dim_(from.dim_),
              x_(std::move(x)),
              row_(read_piece<index_t>(from.row_, piece)),
              mass_(from.masses_ ? read_piece<T>(from.mass_, piece) : Buffer<T>()),
              v_(from.velocities_ ? read_piece<T>(from.v_, piece, std::size_t(from.dim_))
                                  : Buffer<T>()) {}
        [[nodiscard]] Particles<T> particles(Axes const& axes) const {
            std::size_t const n = row_.size();
            return {.points = {x_.data(), n, dim_},
                    .velocities = {v_.data(), v_.empty() ? 0 : n, dim_},
                    .masses = mass_,
                    .input_index = row_,
                    .axes = axes};
        }
        [[nodiscard]] Buffer<index_t> const& rows() const { return row_; }
        /// Appends its point i to a piece of others.
        void give(PiecesOfRows& to, std::size_t piece, std::size_t i) const {
            to.append(piece, i, x_.data(), mass_.data(), v_.data(), row_[i]);
        }

      private:
        int dim_;
        Buffer<T> x_;
        Buffer<index_t> row_;
        Buffer<T> mass_, v_;
    };

  private:
    int dim_;
    PieceFile x_, mass_, v_, row_;
    bool masses_, velocities_;
};

/// Appends the rows of `more`, in the same columns.
inline void append_rows(FofCatalogue& all, FofCatalogue const& more) {
    auto const append = [](auto& to, auto const& from) {
        to.insert(to.end(), from.begin(), from.end());
    };
    for (auto const field :
         {&FofCatalogue::label, &FofCatalogue::count, &FofCatalogue::most_distant, &FofCatalogue::first})
        append(all.*field, more.*field);
    for (auto const field :
         {&FofCatalogue::mass, &FofCatalogue::centre_of_mass, &FofCatalogue::velocity,
          &FofCatalogue::velocity_dispersion, &FofCatalogue::inertia_radius, &FofCatalogue::radius})
        append(all.*field, more.*field);
}

/// What is kept of a group while its members come piece by piece.
template <int Dim, class T>
using FoldsOfGroup = std::tuple<typename GroupRow<Dim, T>::Start, Bounds,
                                typename GroupRow<Dim, T>::First, SecondMoments>;

/// Rows of the groups that fragments make, if they have at least `min_members` points. Members of fragment i are in piece
/// p(i), those of a piece's fragments one after another; `begin` has the number of the first fragment of each piece, and how many
/// there are. Each pass reads them all.
template <int Dim, class T>
FofCatalogue rows_of_fragments(Fragments const& fragments, std::span<std::size_t const> begin,
                               PiecesOfRows<T> const& members, std::uint64_t min_members,
                               Axes const& axes, Cpu const& cpu) {
    using Row = GroupRow<Dim, T>;
    using Folds = FoldsOfGroup<Dim, T>;
    FofCatalogue c;
    c.dim = members.dim();
    std::vector<pos_t> row(fragments.size());  // of the first fragment of a group
    for (pos_t i = 0; i < fragments.size(); ++i) {
        if (!fragments.is_first(i) || fragments.whole(i).count < min_members) continue;
        row[i] = pos_t(c.first.size());
        c.first.push_back(index_t(fragments.whole(i).before));
        c.count.push_back(index_t(fragments.whole(i).count));
    }
    std::vector<Folds> folds(c.first.size());
    // f(fragment, its members, all of the piece)
    auto const each_part = [&](auto const& f) {
        for (std::size_t piece = 0; piece + 1 < begin.size(); ++piece) {
            typename PiecesOfRows<T>::Loaded const loaded(members, piece, members.points(piece));
            auto const all = loaded.particles(axes);
            Buffer<pos_t> positions(all.points.size);
            std::iota(positions.begin(), positions.end(), pos_t(0));
            std::size_t at = 0;
            for (std::size_t i = begin[piece]; i < begin[piece + 1]; ++i) {
                std::size_t const count = fragments[i].count;
                if (fragments.whole(i).count >= min_members)
                    f(i, std::span<pos_t const>(positions.data() + at, count), all);
                at += count;
            }
        }
    };
    auto const take_before = [&]<class Pass>(Row& part, Folds const& known, std::type_identity<Pass>) {
        bool past = true;
        each_pass<Row>([&]<class Fold>() {
            past = past && !std::is_same_v<Fold, Pass>;
            if (past) part.take(std::get<Fold>(known));
        });
    };
    MemberMemory<T> memory;
    each_pass<Row>([&]<class Fold>() {
        if (folds.empty()) return;
        cpu.run([&] {
            each_part([&](std::size_t i, std::span<pos_t const> some, Particles<T> const& all) {
                Folds& of_group = folds[row[fragments.group(i)]];
                Row part(all, some, memory);
                take_before(part, of_group, std::type_identity<Fold>());
                auto const fold = part.template fold<Fold>();
                if (fragments.is_first(i)) std::get<Fold>(of_group) = fold;
                else std::get<Fold>(of_group).join(fold);
            });
        });
    });
    set_sizes(c, members.velocities());
    // What rows have to know beside the folds.
    Particles<T> const nothing{.points = {nullptr, 0, c.dim},
                               .velocities = {nullptr, members.velocities() ? 1u : 0u, c.dim},
                               .axes = axes};
    for (std::size_t i = 0; i < folds.size(); ++i) {
        Row whole(nothing, {}, memory);
        each_pass<Row>([&]<class Fold>() { whole.take(std::get<Fold>(folds[i])); });
        whole.write(c, i);
    }
    return c;
}

}}}  // namespace zwalk::v0::detail
