#include "zwalk/tree/box.hpp"

#include "zwalk/core/error.hpp"
#include "zwalk/core/text.hpp"
#include "zwalk/core/validate.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

template <class T>
std::vector<T> checked_period(std::vector<double> const& box, Extent<T> const& extent,
                              char const* whose) {
    std::size_t const dim = extent.lo.size();
    if (box.empty()) return {};
    if (box.size() != 1 && box.size() != dim)
        throw InputError(
            detail::text("the box has {} lengths, but the points have {} columns: give "
                         "one length for all axes, or one for each",
                         box.size(), dim));
    std::vector<T> period(dim);
    for (std::size_t j = 0; j < dim; ++j) period[j] = T(box[box.size() == 1 ? 0 : j]);
    check_box(extent.lo.data(), extent.hi.data(), period.data(), int(dim), whose);
    for (T& length : period)
        if (length == 0) length = infinity<T>;
    return period;
}

template std::vector<float> checked_period(std::vector<double> const&, Extent<float> const&,
                                           char const*);
template std::vector<double> checked_period(std::vector<double> const&, Extent<double> const&,
                                            char const*);

}}}  // namespace zwalk::v0::detail
