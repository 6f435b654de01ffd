#include "zwalk/core/work_span.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <utility>

#include "zwalk/core/interrupt.hpp"

namespace zwalk { inline namespace v0 {

namespace {
constinit thread_local WorkSpan* current_one = nullptr;
}  // namespace

WorkSpan::Scope::Scope(WorkSpan& foreseen) noexcept : before_(std::exchange(current_one, &foreseen)) {}
WorkSpan::Scope::~Scope() { current_one = before_; }

WorkSpan* WorkSpan::current() noexcept { return current_one; }

double WorkSpan::cpu_seconds() noexcept {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

double WorkSpan::now() const noexcept { return cpu_seconds() - spared_; }

void WorkSpan::loop(std::size_t n, std::size_t grain,
                    void (*call)(void const* f, std::size_t begin, std::size_t end), void const* f) {
    double const spared_before = std::exchange(spared_, 0.);
    bool const nested = std::exchange(in_piece_, true);
    struct Restore {
        WorkSpan& self;
        double spared;
        bool nested;
        ~Restore() {
            self.spared_ = spared;
            self.in_piece_ = nested;
        }
    };
    double work = 0, span = 0;
    {
        Restore const restore{*this, spared_before, nested};
        double last = cpu_seconds();
        for (std::size_t begin = 0; begin < n;) {
            std::size_t const end = n - begin > grain ? begin + grain : n;
            spared_ = 0;
            Interrupt::check();
            call(f, begin, end);
            double const now = cpu_seconds(), took = now - std::exchange(last, now);
            work += took;
            span = std::max(span, took - spared_);
            begin = end;
        }
    }
    add(work, span);
}

void WorkSpan::note_sort(std::size_t n, double work) noexcept {
    // The first partition takes n steps of n log2(n), that of the larger half n / 2, and so on.
    add(work, n > 4 ? work * 2 / std::log2(double(n)) : work);
}

void WorkSpan::add(double work, double span) noexcept {
    spared_ += in_piece_ ? work - span : (work - span) * (1 - 1 / threads_);
}

}}  // namespace zwalk::v0
