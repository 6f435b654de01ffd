#include "zwalk/zorder/key.hpp"

#include <algorithm>

namespace zwalk { inline namespace v0 {
namespace {

/// Hands out the bits of a key from the highest to the lowest.
struct Dealer {
    int left = 64;
    KeyAxis shares[max_dim] = {};

    bool deal(int axis) {
        if (left == 0) return false;
        shares[axis].mask |= std::uint64_t(1) << --left;
        return true;
    }
};

}  // namespace

KeyPlan make_key_plan(KeyWindow const* windows, int dim) {
    Dealer dealer;
    int top = 0, bottom = 0;
    for (int j = 0; j < dim; ++j) {
        KeyAxis& share = dealer.shares[j];
        share.axis = j;
        share.sign = windows[j].sign && dealer.deal(j);
        top = j == 0 ? windows[j].top : std::max(top, windows[j].top);
        bottom = windows[j].bottom;
    }
    // Every weight has at least one axis that takes part: the widest window's. So 64 turns at most.
    for (int weight = top; weight >= bottom && dealer.left > 0; --weight) {
        for (int j = 0; j < dim; ++j) {
            KeyAxis& share = dealer.shares[j];
            if (windows[j].top < weight || !dealer.deal(j)) continue;
            ++share.width;
            share.low = weight;
        }
    }
    KeyPlan plan;
    for (int j = 0; j < dim; ++j)
        if (dealer.shares[j].mask) plan.axes[plan.count++] = dealer.shares[j];
    return plan;
}

}}  // namespace zwalk::v0
