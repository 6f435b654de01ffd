// A trace as one page of HTML: data as JSON, then what is in page/.

#include <cmath>
#include <ostream>
#include <string_view>

#include "page.hpp"  // made by CMake of page/
#include "zwalk/core/error.hpp"
#include "zwalk/core/text.hpp"
#include "zwalk/core/whole_file.hpp"
#include "zwalk/walk/trace.hpp"

namespace zwalk { inline namespace v0 {
namespace {

std::string number(double x) { return std::isfinite(x) ? detail::text("{}", x) : "null"; }

/// A string of JSON inside an element <script>, which must not be ended by what is in it.
std::string in_quotes(std::string_view text) {
    std::string out = "\"";
    for (char const c : text) {
        bool const plain = static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\' && c != '<';
        if (plain) out += c;
        else out += detail::text("\\u{:04x}", int(c));
    }
    return out + '"';
}

/// [f(a), f(b), ...]
template <class All, class F>
std::string list(All const& all, F const& f) {
    std::string out = "[";
    for (auto const& one : all) {
        if (out.size() > 1) out += ',';
        out += f(one);
    }
    return out + ']';
}
constexpr auto whole = [](auto n) { return std::to_string(n); };

std::string side(Trace::Side const& s) {
    auto const planes = list(s.planes, [](Trace::Plane const& p) {
        return detail::text("{{\"first\":{},\"lo\":{},\"hi\":{}}}", list(p.first, whole),
                            list(p.lo, number), list(p.hi, number));
    });
    return detail::text("{{\"x\":{},\"input\":{},\"planes\":{}}}", list(s.x, number),
                        list(s.input, whole), planes);
}

/// A column for each member, as pages with many pairs stay smaller and are read faster so.
std::string pairs(Trace const& t) {
    auto const column = [&](char const* name, auto const& value) {
        return detail::text("\"{}\":{}", name, list(t.pairs, value));
    };
    // Six digits are what people want to see; nothing is decided by them.
    auto const shown = [](double x) { return std::isfinite(x) ? detail::text("{:.6g}", x) : "null"; };
    using P = Trace::Pair;
    std::string const texts =
        t.texts.empty() ? ""
                        : ',' + column("tt", [](P const& p) { return whole(p.target_text); }) + ',' +
                              column("st", [](P const& p) { return whole(p.source_text); });
    return '{' + column("tp", [](P const& p) { return whole(p.planes.target); }) + ',' +
           column("sp", [](P const& p) { return whole(p.planes.source); }) + ',' +
           column("t", [](P const& p) { return whole(p.target); }) + ',' +
           column("s", [](P const& p) { return whole(p.source); }) + ',' +
           column("lo2", [&](P const& p) { return shown(p.lo2); }) + ',' +
           column("hi2", [&](P const& p) { return shown(p.hi2); }) + ',' +
           column("reach", [&](P const& p) { return shown(p.reach); }) + ',' +
           column("decision", [](P const& p) { return whole(int(p.decision)); }) + ',' +
           column("reason", [](P const& p) { return whole(p.reason); }) + texts + '}';
}

std::string json(Trace const& t, PageOptions const& o) {
    auto const table = list(t.table(), [](PlaneCounts const& row) {
        return detail::text("{{\"plane\":{},\"targets\":{},\"nodes\":{},\"points\":{}}}", row.plane,
                            row.targets,
                            list(row.decisions, [](auto const& p) { return whole(p.nodes); }),
                            list(row.decisions, [](auto const& p) { return whole(p.points); }));
    });
    return detail::text(
        "{{\"title\":{},\"about\":{},\"radius\":{},\"dim\":{},\"symmetric\":{},\"box\":{},\"all\":{},"
        "\"met\":{},"
        "\"table\":{},\"reasons\":{},\"texts\":{},\"horizons\":{},\n\"targets\":{},\n\"sources\":{},"
        "\n\"pairs\":{}}}",
        in_quotes(o.title), in_quotes(o.about), number(o.radius), t.dim, t.symmetric,
        list(t.box, number), t.all_pairs(), t.met, table, list(t.reasons, in_quotes),
        list(t.texts, in_quotes), list(t.horizons, number), side(t.targets),
        t.one_tree ? "null" : side(t.sources), pairs(t));
}

void check(Trace const& t, PageOptions const& o) {
    std::size_t const n = t.targets.input.size(), m = t.source_side().input.size();
    if (t.dim != 2 && t.dim != 3)
        throw InputError(detail::text("a page shows points in 2 or 3 dimensions, these have {}", t.dim));
    if (n == 0 || m == 0) throw InputError("there are no points to show on a page");
    if (std::max(n, m) > o.most_points)
        throw InputError(
            detail::text("{} points are too many to look at: a page shows at most {}; take a sample",
                         std::max(n, m), o.most_points));
    if (t.pairs.size() > o.most_pairs)
        throw InputError(detail::text(
            "the walk met {} pairs of nodes, too many to look at: a page shows at most {}; take "
            "fewer points, or larger leaves",
            t.pairs.size(), o.most_pairs));
}

/// `page` with `text` in place of the mark, which it has once.
std::string with(std::string page, std::string_view mark, std::string_view text) {
    return page.replace(page.find(mark), mark.size(), text);
}

}  // namespace

std::string page(Trace const& trace, PageOptions const& options) {
    check(trace, options);
    std::string all = with(detail::page_html, "/* trace.css */", detail::page_css);
    all = with(std::move(all), "/* trace.js */", detail::page_js);
    return with(std::move(all), "/* trace.json */", json(trace, options));
}

void write_page(std::filesystem::path const& file, Trace const& trace, PageOptions const& options) {
    std::string const text = page(trace, options);
    write_whole_file(file, [&](std::ostream& out) { out << text; });
}

}}  // namespace zwalk::v0
