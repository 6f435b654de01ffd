// Models in files.
//
//   offset  type        content
//        0  char[8]     "zwalkhdb"
//        8  u32         version of the format: 1, or 2 with weights
//       12  u32         0x01020304 in the byte order of the machine, as everything else
//       16  u32         bytes of a coordinate: 4 (float) or 8 (double)
//       20  u32         min_samples
//       24  u64         N: points
//       32  u64         C: clusters of the condensed tree
//       40  u64         K: clusters taken
//       48  f64         ModelTree::least
//       56  u64         checksum of all that is before
//           T[N]        core distances, in the order of the input
//           f64[N]      version 2: weights, likewise
//           u32[N]      ModelTree::cluster; nothing for less than two points, which have no tree
//           f64[N]      ModelTree::leaves; likewise
//           i64[C]      of the clusters: parent
//           f64[C]      birth
//           f64[C]      death
//           i64[K]      ModelTree::taken
//           u64         checksum of all behind the first one, and of that
//           the file of the index (tree/tree_file.hpp), with checksums of its own

#include <cmath>
#include <istream>
#include <optional>
#include <ostream>
#include <string_view>

#include "zwalk/core/error.hpp"
#include "zwalk/core/text.hpp"
#include "zwalk/core/whole_file.hpp"
#include "zwalk/hdbscan/model.hpp"
#include "zwalk/tree/sealed_stream.hpp"

namespace zwalk { inline namespace v0 {
namespace {

constexpr std::string_view magic = "zwalkhdb", name = "model";
constexpr std::uint32_t plain = 1, weighted = 2, byte_order = 0x01020304;

struct Header {
    std::uint32_t item_bytes, min_samples;
    std::uint64_t points, clusters, taken;
    double least;
    std::uint64_t checksum = 0;
    bool has_weights = false;

    [[nodiscard]] std::uint64_t points_in_tree() const { return clusters > 0 ? points : 0; }
    /// Bytes between it and the index. Its numbers were checked, so that nothing overflows.
    [[nodiscard]] std::uint64_t array_bytes() const {
        return points * item_bytes + (has_weights ? points * sizeof(double) : 0) +
               points_in_tree() * (sizeof(pos_t) + sizeof(double)) +
               clusters * (sizeof(index_t) + 2 * sizeof(double)) + taken * sizeof(index_t) +
               sizeof(std::uint64_t);
    }
};

void require(bool holds, std::string_view what) {
    if (!holds) corrupted_file(name, what);
}

Header read_header(std::istream& in) {
    SealedInput file(in, 0, name);
    char first[magic.size()];
    file.get(first, sizeof first);
    if (std::string_view(first, sizeof first) != magic)
        throw InputError(detail::text("this is no model file: it doesn't begin with '{}'", magic));
    auto const its_version = file.value<std::uint32_t>(), order = file.value<std::uint32_t>();
    if (order != byte_order)
        throw InputError("the model file was written on a machine with another byte order");
    if (its_version != plain && its_version != weighted)
        throw InputError(
            detail::text("the model file has version {}; this program reads versions {} and {}",
                         its_version, plain, weighted));
    Header h{};
    h.has_weights = its_version == weighted;
    h.item_bytes = file.value<std::uint32_t>();
    h.min_samples = file.value<std::uint32_t>();
    h.points = file.value<std::uint64_t>();
    h.clusters = file.value<std::uint64_t>();
    h.taken = file.value<std::uint64_t>();
    h.least = file.value<double>();
    h.checksum = file.check_seal();
    std::uint64_t const most = h.has_weights ? INT32_MAX : h.points;
    bool const samples = h.points == 0 ? h.min_samples == 0 : h.min_samples - 1 < most;
    require((h.item_bytes == 4 || h.item_bytes == 8) && h.points <= max_points && samples &&
                (h.clusters == 0) == (h.points < 2) && h.clusters <= h.points && h.taken <= h.clusters &&
                h.least >= 0,
            "impossible sizes");
    return h;
}

/// Everything that predictions rely on.
void check_tree(detail::ModelTree const& tree) {
    auto const n = index_t(tree.clusters.size());
    for (index_t c = 0; c < n; ++c) {
        auto const& own = tree.clusters[std::size_t(c)];
        require(c == 0 ? own.parent == -1 : own.parent >= 0 && own.parent < c, "clusters are no tree");
        bool const later = c == 0 || own.birth >= tree.clusters[std::size_t(own.parent)].birth;
        require(own.birth >= 0 && own.death >= 0 && later, "clusters are born in another order");
    }
    for (std::size_t i = 0; i < tree.cluster.size(); ++i)
        require(index_t(tree.cluster[i]) < n && tree.leaves[i] >= 0, "a point is in no cluster");
    for (std::size_t i = 0; i < tree.taken.size(); ++i)
        require(tree.taken[i] >= (i == 0 ? 0 : tree.taken[i - 1] + 1) && tree.taken[i] < n,
                "clusters that aren't there were taken");
}

}  // namespace

template <class T, class P>
void HdbscanModel<T, P>::write(std::ostream& out) const {
    SealedOutput head(out, 0, name);
    head.put(magic.data(), magic.size());
    for (std::uint32_t const v : {weights_.empty() ? plain : weighted, byte_order,
                                  std::uint32_t(sizeof(T)), std::uint32_t(min_samples_)})
        head.value(v);
    for (std::size_t const v : {size(), tree_.clusters.size(), clusters()}) head.value(std::uint64_t(v));
    head.value(tree_.least);
    SealedOutput body(out, head.seal(), name);
    body.array(std::span<T const>(core_));
    body.array(std::span<double const>(weights_));
    body.array(std::span<pos_t const>(tree_.cluster));
    body.array(std::span<double const>(tree_.leaves));
    for (auto const& c : tree_.clusters) body.value(c.parent);
    for (auto const& c : tree_.clusters) body.value(c.birth);
    for (auto const& c : tree_.clusters) body.value(c.death);
    body.array(std::span<index_t const>(tree_.taken));
    body.seal();
    index_.write(out);
}

template <class T, class P>
void HdbscanModel<T, P>::save(std::filesystem::path const& path) const {
    write_whole_file(path, [&](std::ostream& out) { write(out); });
}

template <class T, class P>
HdbscanModel<T, P> HdbscanModel<T, P>::read(std::istream& in, Name const& place) {
    Header const h = read_header(in);
    if (h.item_bytes != sizeof(T))
        throw InputError(detail::text("the model file holds float{} coordinates, not float{}",
                                      8 * h.item_bytes, 8 * sizeof(T)));
    if (bytes_left(in, name) < h.array_bytes()) truncated_file(name);
    SealedInput file(in, h.checksum, name);
    auto core = file.template array<T, Buffer<T>>(h.points);
    for (T const c : core) require(c >= 0 && std::isfinite(c), "core distances");
    auto weights = file.template array<double, Buffer<double>>(h.has_weights ? h.points : 0);
    for (double const w : weights) require(w > 0 && std::isfinite(w), "weights");
    detail::ModelTree tree;
    tree.least = h.least;
    tree.cluster = file.template array<pos_t, Buffer<pos_t>>(h.points_in_tree());
    tree.leaves = file.template array<double, Buffer<double>>(h.points_in_tree());
    tree.clusters.resize(h.clusters, {-1, 0, 0, -1, 0, 0, 0});
    for (auto& c : tree.clusters) c.parent = file.template value<index_t>();
    for (auto& c : tree.clusters) c.birth = file.template value<double>();
    for (auto& c : tree.clusters) c.death = file.template value<double>();
    tree.taken = file.template array<index_t>(h.taken);
    file.check_seal();
    check_tree(tree);
    tree.finish();
    auto index = Index<T, P>::read(in, place);
    require(index.size() == h.points, "the index is that of other points");
    return {std::move(index), int(h.min_samples), std::move(core), std::move(weights), std::move(tree)};
}

template <class T, class P>
HdbscanModel<T, P> HdbscanModel<T, P>::load(std::filesystem::path const& path, Name const& place) {
    std::optional<HdbscanModel> model;
    read_named_file(path, [&](std::istream& in) { model.emplace(read(in, place)); });
    return std::move(*model);
}

std::size_t model_item_bytes(std::filesystem::path const& path) {
    std::size_t bytes = 0;
    read_named_file(path, [&](std::istream& in) { bytes = read_header(in).item_bytes; });
    return bytes;
}

#define ZWALK_MODEL_FILE(T, P)                                                        \
    template void HdbscanModel<T, P>::write(std::ostream&) const;                     \
    template void HdbscanModel<T, P>::save(std::filesystem::path const&) const;       \
    template HdbscanModel<T, P> HdbscanModel<T, P>::read(std::istream&, Name const&); \
    template HdbscanModel<T, P> HdbscanModel<T, P>::load(std::filesystem::path const&, Name const&);
ZWALK_MODEL_FILE(float, Cpu)
ZWALK_MODEL_FILE(double, Cpu)
ZWALK_MODEL_FILE(float, CudaDevice)
ZWALK_MODEL_FILE(double, CudaDevice)

}}  // namespace zwalk::v0
