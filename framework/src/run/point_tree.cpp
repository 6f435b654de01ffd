
#include <mutex>
#include <unordered_map>

#include "zwalk/core/error.hpp"
#include "zwalk/core/text.hpp"
#include "zwalk/run/detail/trait_pointers.hpp"
#include "zwalk/run/point_array.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

namespace {

struct Noted {
    std::size_t elements;
    void const* tree;
};
/// The arrays that there are, by their first element.
struct Notes {
    std::mutex mutex;
    std::unordered_map<void const*, Noted> of;
};
Notes& notes() {
    static Notes all;
    return all;
}

}  // namespace

ArrayNote::ArrayNote(void const* begin, std::size_t elements, void const* tree)
    : begin_(elements > 0 ? begin : nullptr) {
    if (!begin_) return;
    std::lock_guard const lock(notes().mutex);
    notes().of[begin_] = {elements, tree};
}
void ArrayNote::forget() noexcept {
    if (!begin_) return;
    std::lock_guard const lock(notes().mutex);
    notes().of.erase(begin_);
}

void check_output(void const* pointer, int number, void const* tree, pos_t targets) {
    if (!pointer)
        throw InputError(detail::text(
            "member {} of the trait is a null pointer to what the trait writes: set it by "
            "`auto array = tree.bind(trait.member)`, or make it a pointer to const if it is "
            "only read",
            number));
    std::lock_guard const lock(notes().mutex);
    auto const found = notes().of.find(pointer);
    if (found == notes().of.end()) return;
    Noted const& array = found->second;
    if (array.tree != tree && array.elements < targets)
        throw InputError(
            detail::text("member {} of the trait is an array of another tree, with {} elements for {} "
                         "targets: make it by array() of the tree whose points are the targets",
                         number, array.elements, targets));
}

void check_rows(std::size_t rows, std::size_t points, char const* name) {
    if (rows != points)
        throw InputError(
            detail::text("the {} has {} rows, but there are {} points", name, rows, points));
}

void check_owner(bool is_of_this, char const* whose) {
    if (!is_of_this) throw InputError(detail::text("the {} was made by another tree", whose));
}

void MetTrees::check_own_positions() const {
    if (others && !itself)
        throw InputError(
            "these targets were walked against sources, so an output of theirs holds positions of "
            "sources, whose rows the tree of the sources has: sources.rows_at(array)");
}

void check_position(pos_t at, pos_t size) {
    if (at >= size)
        throw InputError(detail::text(
            "position {} is none of this tree's {} points: where targets were walked against "
            "sources, rows come from the sources: sources.rows_at(array)",
            at, size));
}

void check_table_reader(bool can_be_told) {
    if (can_be_told) return;
    throw InputError(
        "there are shared tables on the devices of ranks, and what a trait reads of them is read on the "
        "host, too, before a "
        "walk: the trait must be an aggregate of at most eight members right on top of Types, which are "
        "numbers, Vec of "
        "numbers, and pointers, so that its pointers can be told");
}
void check_life(bool is_gone) {
    if (is_gone)
        throw InputError(
            "the place of this tree is gone: it must live as long as all trees and arrays that were "
            "made on it");
}

void check_columns_of_set(std::size_t set, int columns, int first) {
    if (columns != first)
        throw InputError(detail::text("set {} has {} columns, but set 1 has {}", set, columns, first));
}

void check_columns_of_targets(int columns, int dim) {
    if (columns != dim)
        throw InputError(detail::text("the targets have {} columns, but the points of the tree have {}",
                                      columns, dim));
}

template <class T>
void check_two_trees(bool meets_one_alone, std::vector<T> const& a, std::vector<T> const& b) {
    if (meets_one_alone)
        throw InputError("a trait with symmetric or links meets one tree alone, not two");
    if (a != b)
        throw InputError("the two trees have different boxes: build one by targets() of the other");
}

void check_within(double within) {
    if (!(within >= 0)) throw InputError(detail::text("within must be at least 0, but is {}", within));
}
void check_nearest(NearestSearch const& search, bool other_tree) {
    if (search.k < 1) throw InputError(detail::text("k must be at least 1, but is {}", search.k));
    check_within(search.within);
    if (search.exclude_self && other_tree)
        throw InputError(
            "exclude_self needs the points to be their own sources: use nearest(), or leave it out");
}

void check_most_columns(int columns, int most) {
    if (columns > most)
        throw InputError(
            detail::text("the points have {} columns, but the tree is for at most {}", columns, most));
}

void check_columns_of_index(int dim, int columns, int asked) {
    if (asked >= dim && asked <= columns) return;
    auto const from_to =
        dim == columns ? detail::text("{}", dim) : detail::text("{} to {}", dim, columns);
    throw InputError(detail::text(
        "make_tree<{}> of an index whose points have {} columns: here D must be {}, as its tree has {}",
        asked, dim, from_to, columns));
}

void check_place_of_index(bool is_its_own) {
    if (!is_its_own)
        throw InputError(
            "the index is elsewhere: one on a device is walked on index.place(), one on MPI ranks by "
            "the "
            "ranks that have made it");
}

template void check_two_trees(bool, std::vector<float> const&, std::vector<float> const&);
template void check_two_trees(bool, std::vector<double> const&, std::vector<double> const&);

}}}  // namespace zwalk::v0::detail
