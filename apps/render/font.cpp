#include "font.hpp"

#include <algorithm>

namespace zwalk::apps {
namespace {

// Polylines, separated by spaces; two digits (x, y) per vertex on a grid 4 wide. Capitals reach
// from y = 0 to 6 (the baseline), small letters begin at 2, descenders end at 8. Corners inside a
// polyline are rounded, so a sharp one is where two polylines meet.
struct Glyph {
    char character;
    char const* lines;
};
constexpr Glyph glyphs[] = {
    {'0', "103041453616050110"},
    {'1', "0120 2026"},
    {'2', "011030414206 0646"},
    {'3', "01103041423313 13334445361605"},
    {'4', "3036 3004 0444"},
    {'5', "4000 0003 031232434445361605"},
    {'6', "413010010516364544331304"},
    {'7', "0040 4016"},
    {'8', "103041423313020110 133344453616050413"},
    {'9', "051636454130100102133342"},
    {'.', "1616"},
    {',', "1607"},
    {':', "1313 1616"},
    {';', "1313 1607"},
    {'-', "0333"},
    {'+', "0343 2125"},
    {'=', "0242 0444"},
    {'_', "0646"},
    {'/', "0630"},
    {'\\', "0036"},
    {'|', "1017"},
    {'(', "20111526"},
    {')', "00111506"},
    {'[', "2010 1016 1626"},
    {']', "0010 1016 1606"},
    {'<', "4103 0345"},
    {'>', "0143 4305"},
    {'*', "2125 0244 0442"},
    {'^', "0220 2042"},
    {'%', "4006 0101 4545"},
    {'#', "1006 3026 0141 0444"},
    {'\'', "1012"},
    {'"', "1012 3032"},
    {'!', "1014 1616"},
    {'?', "011030414223 2324 2626"},
    {'A', "0620 2046 1434"},
    {'B', "0006 003041423303 033344453606"},
    {'C', "4130100105163645"},
    {'D', "0006 002042442606"},
    {'E', "4000 0006 0646 0333"},
    {'F', "4000 0006 0333"},
    {'G', "413010010516364543 4323"},
    {'H', "0006 4046 0343"},
    {'I', "1016"},
    {'J', "4045361605"},
    {'K', "0006 4004 1346"},
    {'L', "0006 0646"},
    {'M', "0600 0024 2440 4046"},
    {'N', "0600 0046 4640"},
    {'O', "103041453616050110"},
    {'P', "0600 003041423303"},
    {'Q', "103041453616050110 2446"},
    {'R', "0600 003041423303 2346"},
    {'S', "413010010213334445361605"},
    {'T', "0040 2026"},
    {'U', "000516364540"},
    {'V', "0026 2640"},
    {'W', "0016 1622 2236 3640"},
    {'X', "0046 4006"},
    {'Y', "0023 4023 2326"},
    {'Z', "0040 4006 0646"},
    {'a', "4246 4332120305163645"},
    {'b', "0006 0312324345361605"},
    {'c', "4332120305163645"},
    {'d', "4046 4332120305163645"},
    {'e', "0444 444332120305163645"},
    {'f', "30201116 0232"},
    {'g', "4247381807 4332120305163645"},
    {'h', "0006 0312324346"},
    {'i', "1216 1010"},
    {'j', "12171808 1010"},
    {'k', "0006 3204 0436"},
    {'l', "1016"},
    {'m', "0206 03122326 23324346"},
    {'n', "0206 0312324346"},
    {'o', "123243453616050312"},
    {'p', "0208 0312324345361605"},
    {'q', "4248 4332120305163645"},
    {'r', "0206 04122232"},
    {'s', "43321203143445361605"},
    {'t', "10152636 0232"},
    {'u', "0205163645 4246"},
    {'v', "0226 2642"},
    {'w', "0216 1623 2336 3642"},
    {'x', "0246 4206"},
    {'y', "0226 4218"},
    {'z', "0242 4206 0646"},
};

constexpr double unit = 1. / 6, gap = 1.9, blank = 3;

struct Point {
    double x, y;
};

char const* lines_of(char c) {
    auto const* g = std::find_if(std::begin(glyphs), std::end(glyphs),
                                 [&](Glyph const& glyph) { return glyph.character == c; });
    return g == std::end(glyphs) ? "" : g->lines;
}

/// Chaikin's corner cutting, which keeps the ends.
std::vector<Point> rounded(std::vector<Point> const& p) {
    if (p.size() < 3) return p;
    bool const closed = p.front().x == p.back().x && p.front().y == p.back().y;
    std::vector<Point> out;
    if (!closed) out.push_back(p.front());
    for (std::size_t i = 0; i + 1 < p.size(); ++i) {
        Point const a = p[i], b = p[i + 1];
        bool const first = i == 0 && !closed, last = i + 2 == p.size() && !closed;
        if (!first) out.push_back({a.x + (b.x - a.x) / 4, a.y + (b.y - a.y) / 4});
        if (!last) out.push_back({b.x - (b.x - a.x) / 4, b.y - (b.y - a.y) / 4});
    }
    out.push_back(closed ? out.front() : p.back());
    return out;
}

/// Calls put(stroke) for the strokes of one character; @return its width.
template <class Put>
double each_stroke(char c, Put const& put) {
    double left = 9, right = -1;
    char const* lines = lines_of(c);
    for (char const* s = lines; *s; ++s) {
        if (*s == ' ') continue;
        left = std::min(left, double(*s - '0'));
        right = std::max(right, double(*s - '0'));
        ++s;  // over y
    }
    if (right < 0) return blank;
    while (*lines) {
        std::vector<Point> p;
        for (; *lines && *lines != ' '; lines += 2)
            p.push_back({double(lines[0] - '0') - left, double(lines[1] - '0') - 6});
        while (*lines == ' ') ++lines;
        p = rounded(rounded(p));
        for (std::size_t i = 0; i + 1 < p.size(); ++i)
            put(Stroke{p[i].x, p[i].y, p[i + 1].x, p[i + 1].y});
    }
    return right - left + gap;
}

}  // namespace

std::vector<Stroke> strokes_of(std::string const& text) {
    std::vector<Stroke> strokes;
    double at = 0;
    for (char c : text)
        at += each_stroke(c, [&](Stroke s) {
            strokes.push_back({(at + s.x0) * unit, s.y0 * unit, (at + s.x1) * unit, s.y1 * unit});
        });
    return strokes;
}

double text_width(std::string const& text) {
    double width = 0;
    for (char c : text) width += each_stroke(c, [](Stroke) {});
    return text.empty() ? 0 : (width - gap) * unit;
}

}  // namespace zwalk::apps
