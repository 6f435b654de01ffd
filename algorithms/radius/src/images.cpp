#include "images.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "zwalk/core/error.hpp"

#include "zwalk/core/text.hpp"

namespace zwalk { inline namespace v0 { namespace detail {
namespace {

/// By how many periods a coordinate is moved, from `first` to `last`.
struct Shifts {
    std::int64_t first = 0, last = 0;
};

/// Those that bring x near [lo, hi]: a little more than needed, since the search compares distances anyway.
template <class T>
Shifts shifts_of(T x, T lo, T hi, T period, double distance) {
    if (period == infinity<T>) return {};
    double const length = double(period), rounding = 4 * double(std::numeric_limits<T>::epsilon()),
                 more = distance + rounding * (distance + std::abs(double(lo)) + std::abs(double(hi)));
    // Beyond 2^50 periods there are too many images in any case.
    auto const periods = [&](double x1, auto const& round) {
        return std::int64_t(std::clamp(round((x1 - double(x)) / length), -0x1p50, 0x1p50));
    };
    return {periods(double(lo) - more, [](double p) { return std::ceil(p); }),
            periods(double(hi) + more, [](double p) { return std::floor(p); })};
}

}  // namespace

template <class T>
SourceImages<T> images_of(Points<T> sources, Extent<T> const& targets, std::vector<T> const& period,
                          double distance) {
    auto const dim = std::size_t(sources.dim);
    SourceImages<T> images{.dim = sources.dim, .rows = {}, .source = {}, .unmoved = {}};
    std::vector<Shifts> shifts(dim);
    /// The number of images of a source, which has these shifts.
    auto const prepare = [&](T const* x) {
        double all = 1;
        for (std::size_t j = 0; j < dim; ++j) {
            shifts[j] = shifts_of(x[j], targets.lo[j], targets.hi[j], period[j], distance);
            all *= double(std::max<std::int64_t>(0, shifts[j].last - shifts[j].first + 1));
        }
        return all;
    };
    if (targets.lo[0] > targets.hi[0]) return images;  // there are none
    double total = 0;
    for (std::size_t i = 0; i < sources.size; ++i) total += prepare(sources.data + i * dim);
    if (total > double(max_points))
        throw InputError(detail::text(
            "{:.3g} images of {} points are within {} of others: more than one device can hold ({})",
            total, sources.size, distance, max_points));
    images.rows.reserve(std::size_t(total) * dim);
    images.source.reserve(std::size_t(total));
    images.unmoved.assign(sources.size, -1);
    for (std::size_t i = 0; i < sources.size; ++i) {
        T const* const x = sources.data + i * dim;
        if (prepare(x) == 0) continue;
        auto at = shifts;
        for (auto& axis : at) axis.last = axis.first;  // the shift that it is at
        for (bool more = true; more;) {
            bool moved = false;
            for (std::size_t j = 0; j < dim; ++j) {
                moved = moved || at[j].last != 0;
                images.rows.push_back(
                    at[j].last == 0 ? x[j] : T(double(x[j]) + double(at[j].last) * double(period[j])));
            }
            if (!moved) images.unmoved[i] = index_t(images.source.size());
            images.source.push_back(index_t(i));
            more = false;
            for (std::size_t j = dim; j-- > 0 && !more;) {
                more = at[j].last < shifts[j].last;
                at[j].last = more ? at[j].last + 1 : shifts[j].first;
            }
        }
    }
    return images;
}

void check_images(RadiusOptions const& o, RadiusWork work) {
    if (o.box.empty())
        throw InputError("images are those of a periodic box: give a box, or leave out images");
    if (o.larger)
        throw InputError("larger finds the nearest image of a point: leave out either images or larger");
    if (o.order != Order::input) throw InputError("images come in the order of the input only");
    if (work == RadiusWork::visit) refuse_images(o, "visits");
}
void refuse_images(RadiusOptions const& o, char const* where) {
    if (o.images)
        throw InputError(detail::text(
            "images are found by radius_search and radius_count of points in one call, not by {}",
            where));
}

template <class T>
void name_sources(RadiusResult<T>& r, SourceImages<T> const& images) {
    for (index_t& i : r.indices) i = images.source[std::size_t(i)];
}

template <class T>
void leave_out_self(RadiusResult<T>& r, SourceImages<T> const& images) {
    for (index_t& n : r.counts) --n;
    r.found -= images.unmoved.size();
    if (r.offsets.empty()) return;
    Buffer<index_t> indices(r.found);
    Buffer<T> distances(r.distances.empty() ? 0 : r.found);
    std::size_t to = 0;
    for (std::size_t row = 0; row < images.unmoved.size(); ++row) {
        std::size_t const begin = r.offsets[row], end = r.offsets[row + 1];
        r.offsets[row] = to;
        for (std::size_t at = begin; at < end; ++at) {
            if (r.indices[at] == images.unmoved[row]) continue;
            indices[to] = r.indices[at];
            if (!distances.empty()) distances[to] = r.distances[at];
            ++to;
        }
    }
    r.offsets[images.unmoved.size()] = to;
    r.indices = std::move(indices);
    r.distances = std::move(distances);
}

#define ZWALK_RADIUS_IMAGES(T)                                                                      \
    template SourceImages<T> images_of(Points<T>, Extent<T> const&, std::vector<T> const&, double); \
    template void name_sources(RadiusResult<T>&, SourceImages<T> const&);                           \
    template void leave_out_self(RadiusResult<T>&, SourceImages<T> const&);
ZWALK_RADIUS_IMAGES(float)
ZWALK_RADIUS_IMAGES(double)

}}}  // namespace zwalk::v0::detail
