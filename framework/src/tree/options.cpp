
#include <cmath>

#include "zwalk/core/error.hpp"
#include "zwalk/core/text.hpp"
#include "zwalk/tree/planes.hpp"

namespace zwalk { inline namespace v0 {

void check_options(TreeOptions const& options) {
    auto need = [](bool ok, char const* what) {
        if (!ok) throw InputError(detail::text("tree options: {}", what));
    };
    need(options.coarsening != 1, "coarsening must be at least 2");
    need(options.top_nodes >= 1, "top_nodes must be at least 1");
    need(options.volume_ratio >= 0 && std::isfinite(options.volume_ratio),
         "volume_ratio must be finite and not negative");
    need(options.volume_fraction > 0 && options.volume_fraction <= 1,
         "volume_fraction must lie in (0, 1]");
}

}}  // namespace zwalk::v0
