#include "zwalk/tree/tree_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <istream>
#include <ostream>
#include <string_view>

#include "zwalk/core/error.hpp"
#include "zwalk/core/text.hpp"
#include "zwalk/tree/planes.hpp"
#include "zwalk/tree/sealed_stream.hpp"
#include "zwalk/zorder/key.hpp"

namespace zwalk { inline namespace v0 {
namespace {

constexpr std::string_view magic = "zwalktre";
constexpr std::uint32_t version = 1, byte_order = 0x01020304;
/// N_max at least doubles from plane to plane, so that a plane of one node comes before this.
constexpr std::size_t most_planes = 32;

/// Bytes behind a header. All factors are checked, so that nothing overflows.
std::uint64_t array_bytes(TreeHeader const& h) {
    std::uint64_t bytes = h.size * (std::uint64_t(h.dim) * h.item_bytes + sizeof(pos_t));
    for (std::size_t p = 0; p < h.nodes.size(); ++p)
        bytes += (h.nodes[p] + 1) * sizeof(pos_t) * (p == 0 ? 1 : 2);
    return bytes + sizeof(std::uint64_t);
}

pos_t option(std::uint64_t v) {
    if (v > no_pos) corrupted_tree_file("tree options");
    return pos_t(v);
}

/// Offsets 0 < ... < end.
void check_offsets(std::vector<pos_t> const& offset, std::size_t end) {
    if (offset.front() != 0 || offset.back() != end ||
        std::adjacent_find(offset.begin(), offset.end(), std::greater_equal<>()) != offset.end())
        corrupted_tree_file("a plane is no partition");
}

void check_permutation(std::span<pos_t const> rows) {
    std::vector<bool> seen(rows.size());
    for (pos_t const row : rows) {
        if (row >= rows.size() || seen[row]) corrupted_tree_file("rows are no permutation");
        seen[row] = true;
    }
}

CutPlane read_plane(SealedInput& file, std::size_t nodes, std::size_t points, CutPlane const* finer) {
    CutPlane plane;
    plane.first = file.array<pos_t>(nodes + 1);
    check_offsets(plane.first, points);
    if (!finer) return plane;
    plane.child = file.array<pos_t>(nodes + 1);
    check_offsets(plane.child, finer->nodes());
    for (std::size_t i = 0; i <= nodes; ++i)
        if (plane.first[i] != finer->first[plane.child[i]]) corrupted_tree_file("planes are not nested");
    return plane;
}

/// Of streams: whether they are unsealed().
int unsealed_slot() {
    static int const slot = std::ios_base::xalloc();
    return slot;
}

}  // namespace

std::ios_base& unsealed(std::ios_base& stream) {
    stream.iword(unsealed_slot()) = 1;
    return stream;
}
bool is_unsealed(std::ios_base& stream) { return stream.iword(unsealed_slot()) != 0; }

void unwritten_file(std::string_view name) {
    throw Error(detail::text("cannot write the {}: {}", name, std::strerror(errno)));
}
void truncated_file(std::string_view name) {
    throw InputError(detail::text("the {} file is truncated", name));
}
void corrupted_file(std::string_view name, std::string_view what) {
    throw InputError(detail::text("the {} file is corrupted: {}", name, what));
}
std::uint64_t bytes_left(std::istream& in, std::string_view name) {
    auto const here = in.tellg();
    in.seekg(0, std::ios::end);
    auto const end = in.tellg();
    in.seekg(here);
    if (!in || here < 0 || end < here)
        throw InputError(detail::text("cannot tell the size of the {} file", name));
    return std::uint64_t(end - here);
}

void corrupted_tree_file(std::string_view what) { corrupted_file("tree", what); }

std::uint64_t write_tree_header(std::ostream& out, TreeHeader const& h) {
    SealedOutput head(out, 0, "tree");
    head.put(magic.data(), magic.size());
    for (std::uint32_t const v : {version, byte_order, h.item_bytes, std::uint32_t(h.dim)})
        head.value(v);
    for (std::uint64_t const v :
         {std::uint64_t(h.size), std::uint64_t(h.box.size()), std::uint64_t(h.nodes.size()),
          std::uint64_t(h.options.leaf_size), std::uint64_t(coarsening_of(h.options)),
          std::uint64_t(h.options.top_nodes)})
        head.value(v);
    head.value(h.options.volume_ratio);
    head.value(h.options.volume_fraction);
    head.array(std::span<double const>(h.box));
    for (std::uint64_t const nodes : h.nodes) head.value(nodes);
    return head.seal();
}

template <class T>
void write_tree(std::ostream& out, Tree<T, Cpu> const& tree, int dim, std::vector<double> const& box,
                TreeOptions const& options) {
    TreeHeader head{sizeof(T), dim, tree.size(), box, options, {}, 0};
    for (auto const& plane : tree.planes) head.nodes.push_back(plane.nodes());
    SealedOutput body(out, write_tree_header(out, head), "tree");
    for (std::size_t j = 0; j < std::size_t(dim); ++j)
        body.array(std::span<T const>(tree.x.data() + j * tree.stride, tree.size()));
    body.array(std::span<pos_t const>(tree.input));
    for (auto const& plane : tree.planes) {
        body.array(std::span<pos_t const>(plane.first));
        body.array(std::span<pos_t const>(plane.child));
    }
    body.seal();
}

TreeHeader read_tree_header(std::istream& in) {
    SealedInput file(in, 0, "tree");
    char name[magic.size()];
    file.get(name, sizeof name);
    if (std::string_view(name, sizeof name) != magic)
        throw InputError("this is no tree file: it doesn't begin with 'zwalktre'");
    auto const its_version = file.value<std::uint32_t>(), order = file.value<std::uint32_t>();
    if (order != byte_order)
        throw InputError("the tree file was written on a machine with another byte order");
    if (its_version != version)
        throw InputError(detail::text("the tree file has version {}; this program reads version {}",
                                      its_version, version));
    TreeHeader h;
    h.item_bytes = file.value<std::uint32_t>();
    auto const dim = file.value<std::uint32_t>();
    h.size = file.value<std::uint64_t>();
    auto const lengths = file.value<std::uint64_t>(), planes = file.value<std::uint64_t>();
    if ((h.item_bytes != 4 && h.item_bytes != 8) || dim < 1 || dim > max_dim || h.size > max_points ||
        (lengths != 0 && lengths != dim) || planes > most_planes || (planes == 0) != (h.size == 0))
        corrupted_tree_file("impossible sizes");
    h.dim = int(dim);
    h.options.leaf_size = option(file.value<std::uint64_t>());
    h.options.coarsening = option(file.value<std::uint64_t>());
    h.options.top_nodes = option(file.value<std::uint64_t>());
    h.options.volume_ratio = file.value<double>();
    h.options.volume_fraction = file.value<double>();
    h.box = file.array<double>(lengths);
    h.nodes = file.array<std::size_t>(planes);
    h.checksum = file.check_seal();
    for (std::size_t const n : h.nodes)
        if (n < 1 || n > h.size) corrupted_tree_file("impossible sizes");
    check_options(h.options);
    return h;
}

void check_tree_arrays(std::istream& in, TreeHeader const& h, std::size_t item_bytes) {
    if (h.item_bytes != item_bytes)
        throw InputError(detail::text("the tree file holds float{} coordinates, not float{}",
                                      8 * h.item_bytes, 8 * item_bytes));
    std::uint64_t const left = bytes_left(in, "tree"), need = array_bytes(h);
    if (left < need)
        throw InputError(
            detail::text("the tree file is truncated: {} of {} bytes are there", left, need));
    if (left > need) corrupted_tree_file(detail::text("{} bytes behind its end", left - need));
}

template <class T>
Tree<T, Cpu> read_tree(Cpu const& cpu, std::istream& in, TreeHeader const& h, int columns) {
    check_tree_arrays(in, h, sizeof(T));
    SealedInput file(in, h.checksum, "tree");
    Tree<T, Cpu> tree;
    tree.columns = columns;
    tree.stride = column_stride(h.size);
    tree.x = Buffer<T>(std::size_t(columns) * tree.stride);
    std::fill(tree.x.begin() + std::size_t(h.dim) * tree.stride, tree.x.end(), T(0));
    for (std::size_t j = 0; j < std::size_t(h.dim); ++j) {
        T* const column = tree.x.data() + j * tree.stride;
        std::fill(column + h.size, column + tree.stride, T(0));
        file.get(column, h.size * sizeof(T));
        if (!std::all_of(column, column + h.size, [](T v) { return std::isfinite(v); }))
            corrupted_tree_file("coordinates are not finite");
    }
    tree.input = file.array<pos_t, Buffer<pos_t>>(h.size);
    check_permutation(tree.input);
    std::vector<CutPlane> planes;
    for (std::size_t p = 0; p < h.nodes.size(); ++p)
        planes.push_back(read_plane(file, h.nodes[p], h.size, p == 0 ? nullptr : &planes.back()));
    file.check_seal();
    detail::set_planes(cpu, tree, std::move(planes));
    return tree;
}

#define ZWALK_TREE_FILE(T)                                                                        \
    template void write_tree(std::ostream&, Tree<T, Cpu> const&, int, std::vector<double> const&, \
                             TreeOptions const&);                                                 \
    template Tree<T, Cpu> read_tree(Cpu const&, std::istream&, TreeHeader const&, int);
ZWALK_TREE_FILE(float)
ZWALK_TREE_FILE(double)

}}  // namespace zwalk::v0
