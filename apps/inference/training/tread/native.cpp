// The renderer for CPUs: the same scenes, pictures and truth as scene.py, relief.py, carcass.py, surroundings.py and photo.py, one render a
// call. Names and formulas follow those files, which stay the reference (test_renderer.py compares). Work goes row by row, so that it stays in
// the processor's cache. Offsets o_* of the drawn numbers come from a generated header.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <malloc.h>
#include <vector>

using Floats = std::vector<float>;
#define P(name) p[o_##name]
#define A(name) (p + o_##name)
#define SIMD _Pragma("GCC ivdep")

namespace {

constexpr int ROWS = 448, COLUMNS = 416, COARSE = 12, FINE = 6, RELIEF = 13, SHADOW = 7;
constexpr float HALF_MM = 140, PLAIN_DEPTH_MM = 0.5f, BAR_MM = 1.6f, HAD_SHARE = 0.58f, SMOOTH_MM = 0.35f, DEEPEST_MM = 9.5f;
constexpr float PI = 3.14159265358979f, FAR = 1e6f;
constexpr int CHANNELS = 8;  // openness, dust, grain, stone, overlay, chalk, slope across, slope along

inline float clamp(float v, float low, float high) { return std::min(std::max(v, low), high); }
inline float smoothed(float t) { t = clamp(t, 0, 1); return t * t * (3 - 2 * t); }
inline float wave(float phase) { return 4 * std::fabs(phase - std::floor(phase + 0.5f)) - 1; }
inline float cover(float distance, float width, float edge) { return clamp((width / 2 - distance) / edge + 0.5f, 0, 1); }
inline float luma(float r, float g, float b) { return 0.2126f * r + 0.7152f * g + 0.0722f * b; }

// ---- noise.py

inline uint32_t mixed(uint32_t v) {
  v = (v ^ (v >> 16)) * 0x7FEB352Du;
  v = (v ^ (v >> 15)) * 0x846CA68Bu;
  return v ^ (v >> 16);
}

struct Dice {
  uint32_t a, b, salt = 0, calls = 0;
  Dice apart(uint32_t s) const { return {a, b, salt * 64 + s, 0}; }
  uint32_t start() { return mixed(a + mixed(salt * 4096 + ++calls)) ^ b; }
};
inline uint32_t bits(uint32_t place, uint32_t start) { return mixed(mixed(place + start) ^ start); }

void uniform(Dice &dice, int count, float *out) {
  uint32_t s = dice.start();
  SIMD for (int i = 0; i < count; i++) out[i] = float(int(bits(i, s) >> 8)) * (1.0f / (1 << 24));
}
void normal(uint32_t s, int first, int count, float *out) {
  SIMD for (int i = 0; i < count; i++) {
    uint32_t v = bits(first + i, s);
    float far = std::sqrt(-2 * std::log((float(int(v & 0xFFFF)) + 0.5f) * (1.0f / 65536)));
    out[i] = far * std::cos(float(int(v >> 16)) * (2 * PI / 65536));
  }
}

inline void cubic(float t, float *w) {
  const float a = -0.75f;
  auto near = [&](float d) { return ((a + 2) * d - (a + 3)) * d * d + 1; };
  auto away = [&](float d) { return ((a * d - 5 * a) * d + 8 * a) * d - 4 * a; };
  w[0] = away(t + 1), w[1] = near(t), w[2] = near(1 - t), w[3] = away(2 - t);
}

// Bicubic enlargement, as PyTorch's with align_corners=False.
Floats bicubic(const float *in, int h, int w, int H, int W) {
  Floats tall(size_t(H) * w), out(size_t(H) * W);
  for (int y = 0; y < H; y++) {
    float at = (y + 0.5f) * h / H - 0.5f, base = std::floor(at), k[4];
    cubic(at - base, k);
    const float *row[4];
    for (int i = 0; i < 4; i++) row[i] = in + size_t(clamp(int(base) - 1 + i, 0, h - 1)) * w;
    for (int x = 0; x < w; x++) tall[size_t(y) * w + x] = k[0] * row[0][x] + k[1] * row[1][x] + k[2] * row[2][x] + k[3] * row[3][x];
  }
  for (int x = 0; x < W; x++) {
    float at = (x + 0.5f) * w / W - 0.5f, base = std::floor(at), k[4];
    cubic(at - base, k);
    int c[4];
    for (int i = 0; i < 4; i++) c[i] = int(clamp(int(base) - 1 + i, 0, w - 1));
    for (int y = 0; y < H; y++) {
      const float *row = &tall[size_t(y) * w];
      out[size_t(y) * W + x] = k[0] * row[c[0]] + k[1] * row[c[1]] + k[2] * row[c[2]] + k[3] * row[c[3]];
    }
  }
  return out;
}

// Bilinear enlargement, read row by row in rising order.
struct Enlarged {
  Floats in, left, upper, lower;
  std::vector<int> at;
  Floats part;
  int h = 0, w = 0, width = 0, have0 = -1, have1 = -1;
  float scale = 1;
  Enlarged() = default;
  Enlarged(Floats grid, int h, int w, int H, int W) : in(std::move(grid)), upper(W), lower(W), at(W), part(W), h(h), w(w), width(W), scale(float(h) / H) {
    for (int x = 0; x < W; x++) {
      float s = std::max((x + 0.5f) * (float(w) / W) - 0.5f, 0.0f);
      at[x] = std::min(int(s), w - 1), part[x] = s - at[x];
    }
  }
  void stretched(int row, Floats &out) const {
    const float *r = &in[size_t(row) * w];
    for (int x = 0; x < width; x++) out[x] = r[at[x]] + part[x] * (r[std::min(at[x] + 1, w - 1)] - r[at[x]]);
  }
  void row(int y, float *out) {
    float s = std::max((y + 0.5f) * scale - 0.5f, 0.0f);
    int y0 = std::min(int(s), h - 1), y1 = std::min(y0 + 1, h - 1);
    float t = s - y0;
    if (y0 == have1) std::swap(upper, lower), have0 = y0, have1 = -1;
    if (have0 != y0) stretched(y0, upper), have0 = y0;
    if (have1 != y1) stretched(y1, lower), have1 = y1;
    SIMD for (int x = 0; x < width; x++) out[x] = upper[x] + t * (lower[x] - upper[x]);
  }
};

// Value noise in -1..1, periodic from top to bottom.
struct Smooth {
  Enlarged image;
  int margin = 0;
  Smooth() = default;
  Smooth(Dice &dice, int height, int width, int cells, float stretch = 1) {
    int rows = std::max(2, int(std::nearbyint(double(cells) * height / width / stretch))), w = cells + 1;
    Floats inner(size_t(rows) * w), grid(size_t(rows + 2) * w);
    uniform(dice, rows * w, inner.data());
    for (float &v : inner) v = v * 2 - 1;
    for (int r = 0; r < rows + 2; r++) std::copy_n(&inner[size_t((r + rows - 1) % rows) * w], w, &grid[size_t(r) * w]);
    int h = rows + 2, H = height * (rows + 2) / rows;
    if (cells <= width / 12) grid = bicubic(grid.data(), h, w, 4 * h, 4 * w), h *= 4, w *= 4;
    image = Enlarged(std::move(grid), h, w, H, width);
    margin = (H - height) / 2;
  }
  void row(int y, float *out) { image.row(y + margin, out); }
};

struct Fractal {
  std::vector<Smooth> parts;
  Floats one;
  int width = 0;
  Fractal() = default;
  Fractal(Dice &dice, int height, int width, int cells, int octaves = 3) : one(width), width(width) {
    for (int k = 0; k < octaves; k++) parts.emplace_back(dice, height, width, std::min(width, cells << k));
  }
  void row(int y, float *out) {
    float share = 1;
    for (size_t k = 0; k < parts.size(); k++, share *= 0.6f) {
      parts[k].row(y, k ? one.data() : out);
      if (k) SIMD for (int x = 0; x < width; x++) out[x] += one[x] * share;
    }
  }
  Floats all(int height) {
    Floats out(size_t(height) * width);
    for (int y = 0; y < height; y++) row(y, &out[size_t(y) * width]);
    return out;
  }
};

// ---- relief.py

struct Surface {  // one relief, first and last row repeated beyond the ends
  Floats depth, maps;
};
struct Tile {
  Surface with, without;
  Floats gauge, bald;  // gauge as wrapped as depth; bald [ROWS/4+2, COLUMNS/4]
  std::vector<uint8_t> number;
};

void wear(const float *p, const float *xs, int n, float y01, float *gone) {
  const float *zones = A(zones), *patch = A(patches), *ripple = A(zone_wave);
  int kind = int(P(profile));
  float half = P(width) / 2, amount = P(profile_amount), side = P(profile_side), base = P(new_depth) - P(left_depth), fresh = P(new_depth);
  float cups = std::sin(2 * PI * y01 * P(cup_waves));
  auto worn = [&](auto shape) {
    SIMD for (int i = 0; i < n; i++) gone[i] = std::max(base + amount * (shape(xs[i] / half) - 0.4f), 0.0f);
  };
  if (kind == 0) worn([=](float u) { return 0.5f + 0.5f * side * u; });
  else if (kind == 1) worn([](float u) { return clamp(1 - u * u, -0.3f, 1); });
  else if (kind == 2) worn([](float u) { return std::exp(2.6f * std::log(clamp(std::fabs(u), 1e-6f, 1.2f))); });
  else if (kind == 3) worn([=](float u) { return std::exp(1.8f * std::log(clamp((side * u + 1) / 2, 1e-6f, 1.1f))); });
  else worn([=](float u) { return (cups * std::max(side * u, 0.0f) + 1) * 0.45f; });
  float edge = ripple[0] * (std::sin(2 * PI * (y01 + ripple[1])) + 0.6f * std::sin(2 * PI * (3 * y01 + ripple[2])) + 0.3f * std::sin(2 * PI * (8 * y01 + ripple[3])));
  for (int k = 0; k < 2; k++) {
    const float *z = zones + 5 * k;
    if (z[4] == 0) continue;
    SIMD for (int i = 0; i < n; i++) {
      float weight = smoothed((z[1] + edge - std::fabs(xs[i] / half - z[0])) / std::max(z[2], 0.02f)) * z[4];
      gone[i] += std::max(fresh + z[3] - gone[i], 0.0f) * weight;
    }
  }
  if (patch[0] <= 0) return;
  SIMD for (int i = 0; i < n; i++) {
    float u = xs[i] / half;
    float hills = std::sin(2 * PI * (2 * y01 + 0.6f * u + patch[1])) + std::sin(2 * PI * (y01 - 0.8f * u + patch[2])) + 0.6f * std::sin(2 * PI * (3 * y01 + 1.3f * u + patch[3]));
    float weight = smoothed((hills + 0.7f * side * u - 1.6f + 3.4f * patch[0]) / (2 * std::max(patch[4], 0.02f)));
    gone[i] += std::max(fresh + patch[5] - gone[i], 0.0f) * weight;
  }
}

// Largest value within `a` columns and `b` rows to each side, periodic in rows.
Floats widest(const Floats &in, int h, int w, int a, int b) {
  Floats mid(in.size()), out(in.size());
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float m = in[y * w + x];
      for (int k = std::max(0, x - a); k <= std::min(w - 1, x + a); k++) m = std::max(m, in[y * w + k]);
      mid[y * w + x] = m;
    }
  for (int y = 0; y < h; y++) {
    std::copy_n(&mid[y * w], w, &out[y * w]);
    for (int k = -b; k <= b; k++) {
      const float *row = &mid[((y + k + h) % h) * w];
      SIMD for (int x = 0; x < w; x++) out[y * w + x] = std::max(out[y * w + x], row[x]);
    }
  }
  return out;
}

Floats bald_map(const float *p, const Floats &share, const Floats &gone) {
  const int h = ROWS / 4, w = COLUMNS / 4, across = 6, along = 10;
  Floats had(h * w), left(h * w), worn(h * w);
  for (int y = 0; y < ROWS; y++)
    for (int x = 0; x < COLUMNS; x++) {
      int i = y * COLUMNS + x, o = y / 4 * w + x / 4;
      had[o] = std::max(had[o], share[i] > HAD_SHARE ? 1.0f : 0.0f);
      left[o] = std::max(left[o], std::max(share[i] * P(new_depth) - gone[i], 0.0f));
      worn[o] += gone[i] / 16;
    }
  Floats hw = widest(had, h, w, across, along), lw = widest(left, h, w, across, along), near = widest(left, h, w, 1, 1);
  for (int i = 0; i < h * w; i++) hw[i] = hw[i] > 0.5f && lw[i] < SMOOTH_MM ? 1 : 0;
  Floats grown = widest(hw, h, w, across - 1, along - 1), out((h + 2) * w);
  for (int y = 0; y < h + 2; y++)
    for (int x = 0; x < w; x++) {
      int i = (y + h - 1) % h * w + x;
      float mm = std::fabs((x + 0.5f) / w * 2 - 1) * HALF_MM;
      out[y * w + x] = grown[i] > 0.5f && near[i] < SMOOTH_MM && mm < P(width) / 2 && worn[i] > P(new_depth) - BAR_MM ? 1 : 0;
    }
  return out;
}

void finish(const float *p, const Floats &share, const Floats &gone, const Floats &mud, const Floats &stone, const Floats &patches, const Floats &grain,
            const Floats &overlay, const Floats &chalk, const Floats &tilt, float length, Surface &out) {
  constexpr int MARGIN = 24, WIDE = COLUMNS + 2 * MARGIN;
  Floats wide(size_t(ROWS) * WIDE), stones(size_t(ROWS) * COLUMNS), blur(size_t(ROWS) * COLUMNS);
  float fresh = P(new_depth);
  bool studs = P(studs) > 0;
  for (int y = 0; y < ROWS; y++) {
    float *d = &wide[size_t(y) * WIDE + MARGIN];
    size_t r = size_t(y) * COLUMNS;
    SIMD for (int x = 0; x < COLUMNS; x++) {
      float depth = std::max(share[r + x] * fresh - gone[r + x], 0.0f) * (1 - 0.75f * mud[r + x]);
      float here = stone[r + x] * ((depth > 1.5f ? 1.0f : 0.0f) + (studs && depth < 0.5f ? 1.0f : 0.0f));
      d[x] = std::max(depth * (1 - 0.6f * here), tilt[x]);
      stones[r + x] = clamp(here, 0, 1);
    }
    for (int k = 0; k < MARGIN; k++) d[-1 - k] = d[COLUMNS - 1 - k], d[COLUMNS + k] = d[k];
  }
  out.depth.resize(size_t(ROWS + 2) * COLUMNS);
  out.maps.resize(size_t(ROWS + 2) * COLUMNS * CHANNELS);
  const float ways[4][2] = {{1, 0}, {0, 1}, {0.71f, 0.71f}, {0.71f, -0.71f}}, reaches[4] = {1.5f, 3.6f, 7.5f, 13.0f};
  const double step_x = 2 * 140.0 / COLUMNS, step_y = 2 * 3.14159265358979 * 315 / 6 / ROWS;
  Floats open(COLUMNS), slope(COLUMNS);
  for (int y = 0; y < ROWS; y++) {
    const float *d = &wide[size_t(y) * WIDE + MARGIN];
    std::fill(open.begin(), open.end(), 0.0f);
    for (auto &way : ways)
      for (int sign = -1; sign <= 1; sign += 2) {
        std::fill(slope.begin(), slope.end(), 0.0f);
        for (float reach : reaches) {
          int sy = int(std::nearbyint(sign * double(way[1]) * reach / step_y)), sx = int(std::nearbyint(sign * double(way[0]) * reach / step_x));
          const float *other = &wide[size_t((y - sy + ROWS) % ROWS) * WIDE + MARGIN - sx];
          float part = 1 / reach;
          SIMD for (int x = 0; x < COLUMNS; x++) slope[x] = std::max(slope[x], (d[x] - other[x]) * part);
        }
        SIMD for (int x = 0; x < COLUMNS; x++) open[x] += 1 - slope[x] / std::sqrt(1 + slope[x] * slope[x]);
      }
    // The slopes are taken of a slightly smoothed depth whose edges repeat outwards.
    const float *up = &wide[size_t(std::max(y - 1, 0)) * WIDE + MARGIN], *down = &wide[size_t(std::min(y + 1, ROWS - 1)) * WIDE + MARGIN];
    float *b = &blur[size_t(y) * COLUMNS];
    for (int x = 0; x < COLUMNS; x++) {
      int l = std::max(x - 1, 0), r = std::min(x + 1, COLUMNS - 1);
      b[x] = (up[l] + up[x] + up[r] + d[l] + d[x] + d[r] + down[l] + down[x] + down[r]) / 9;
    }
    size_t r = size_t(y) * COLUMNS;
    float *maps = &out.maps[(r + COLUMNS) * CHANNELS];
    std::copy_n(d, COLUMNS, &out.depth[r + COLUMNS]);
    SIMD for (int x = 0; x < COLUMNS; x++) {
      float low = 1 - std::exp(-d[x] / 1.5f);
      slope[x] = P(dust) * patches[r + x] * 0.5f + P(dust_in_grooves) * low * (0.5f + 0.5f * patches[r + x]) + P(mud) * 0.6f;
    }
    for (int x = 0; x < COLUMNS; x++) {
      float *m = maps + x * CHANNELS;
      m[0] = open[x] / 8, m[1] = slope[x];
      m[2] = grain[r + x], m[3] = stones[r + x], m[4] = overlay[r + x], m[5] = chalk[r + x];
    }
  }
  for (int y = 0; y < ROWS; y++) {
    const float *b = &blur[size_t(y) * COLUMNS], *up = &blur[size_t((y + ROWS - 1) % ROWS) * COLUMNS], *down = &blur[size_t((y + 1) % ROWS) * COLUMNS];
    float *maps = &out.maps[size_t(y + 1) * COLUMNS * CHANNELS];
    for (int x = 0; x < COLUMNS; x++) {
      maps[x * CHANNELS + 6] = (b[(x + 1) % COLUMNS] - b[(x + COLUMNS - 1) % COLUMNS]) / (4 * HALF_MM / COLUMNS);
      maps[x * CHANNELS + 7] = (down[x] - up[x]) / (2 * length / ROWS);
    }
  }
  auto wrap = [&](Floats &m, size_t row) {
    std::copy_n(&m[ROWS * row], row, &m[0]);
    std::copy_n(&m[row], row, &m[(ROWS + 1) * row]);
  };
  wrap(out.depth, COLUMNS), wrap(out.maps, size_t(COLUMNS) * CHANNELS);
}

Tile build(const float *p, Dice &dice) {
  const size_t all = size_t(ROWS) * COLUMNS;
  float length = 2 * PI * P(radius) / 6, half = P(width) / 2, fresh = P(new_depth);
  Floats x(COLUMNS), share(all), slots(all), gone(all), mud(all), stone(all), patches(all), grain(all), overlay(all), chalk(all), tilt(COLUMNS);
  for (int i = 0; i < COLUMNS; i++) x[i] = ((i + 0.5f) / COLUMNS * 2 - 1) * HALF_MM;
  Smooth wobbles(dice, ROWS, COLUMNS, 4);
  uint32_t grains = dice.start();
  Smooth scuffs(dice, ROWS, COLUMNS, 120, 0.2f), rough(dice, ROWS, COLUMNS, 30);
  Fractal patchy(dice, ROWS, COLUMNS, 5);
  Floats fine(all / 4);
  normal(grains, 0, int(all / 4), fine.data());
  Enlarged fine_grain(std::move(fine), ROWS / 2, COLUMNS / 2, ROWS, COLUMNS);
  Dice filling = dice.apart(1), marking = dice.apart(2), cords = marking.apart(1);
  bool filled = P(mud) > 0 || P(stones) > 0 || P(studs) > 0;
  if (filled) {
    if (P(mud) > 0) {
      Fractal muddy(filling, ROWS, COLUMNS, 7);
      mud = muddy.all(ROWS);
      SIMD for (size_t i = 0; i < all; i++) mud[i] = clamp((mud[i] - 0.9f + 1.6f * P(mud)) * 2, 0, 1);
    }
    filling.calls = 3;
    Floats seeds(all / 64);
    uniform(filling, int(all / 64), seeds.data());
    for (float &s : seeds) s = s < 0.02f * (P(stones) + P(studs)) ? 1 : 0;
    stone = bicubic(seeds.data(), ROWS / 8, COLUMNS / 8, ROWS, COLUMNS);
    for (float &s : stone) s = clamp((s - 0.35f) * 4, 0, 1);
  }
  bool marked = A(stripes)[1] > 0 || A(stripes)[5] > 0 || A(strokes)[0] > 0, corded = A(cord)[0] > 0;
  Smooth chalky, bare, bare_fine;
  if (marked) chalky = Smooth(marking, ROWS, COLUMNS, 60);
  if (corded) bare = Smooth(cords, ROWS, COLUMNS, 5), bare_fine = Smooth(cords, ROWS, COLUMNS, 40);
  if (A(feather)[1] > 0) {
    const float *f = A(feather);
    for (int i = 0; i < COLUMNS; i++) {
      float turn = x[i] / std::max(f[1], 5.0f), place = (turn - std::floor(turn)) * (f[2] < 0 ? -1.0f : 1.0f);
      tilt[i] = f[0] * (place - std::floor(place)) * (f[2] == 0 ? 1.0f : smoothed((f[2] * x[i] / half + 0.2f) * 1.5f));
    }
  }
  Tile tile;
  tile.gauge.resize(all + 2 * COLUMNS), tile.number.resize(all + 2 * COLUMNS);
  Floats wob(COLUMNS), one(COLUMNS), two(COLUMNS);
  for (int y = 0; y < ROWS; y++) {
    float y01 = (y + 0.5f) / ROWS;
    size_t r = size_t(y) * COLUMNS;
    float *s = &share[r], *g = &gone[r];
    wear(p, x.data(), COLUMNS, y01, g);
    wobbles.row(y, wob.data());
    for (int k = 0; k < n_lateral / 12; k++) {
      const float *l = A(lateral) + 12 * k;
      float low = l[0], high = l[1], n = l[2], width = l[3], depth = l[4], slant = l[5], curve = l[6], mirror = l[7], zig = l[8], soft = std::max(l[10], 0.5f);
      if (n <= 0) continue;
      float base = l[9] + l[11] * std::sin(2 * PI * y01), edge = clamp(width * 0.25f, 0.5f, 1.6f), middle = (low + high) / 2;
      int first = 0, last = COLUMNS;
      if (mirror <= 0) first = int(clamp((low / HALF_MM + 1) / 2 * COLUMNS - 1, 0, COLUMNS)), last = int(clamp((high / HALF_MM + 1) / 2 * COLUMNS + 2, 0, COLUMNS));
      SIMD for (int i = first; i < last; i++) {
        float across = mirror > 0 ? std::fabs(x[i]) : x[i], from = across - middle;
        float at = y01 * length + slant * from + curve * from * from / half + zig * wave(across / 5);
        float turn = n * at / length + base + (mirror > 1.5f && x[i] < 0 ? 0.5f : 0.0f) + 0.05f * wob[i];
        float lean = slant + 2 * curve * from / half;
        float distance = std::fabs(turn - std::floor(turn + 0.5f)) * length / std::max(n, 1.0f) / std::sqrt(1 + lean * lean);
        float ends = clamp((across - low) / soft, 0, 1) * clamp((high - across) / soft, 0, 1);
        s[i] = std::max(s[i], cover(distance, width, edge) * ends * depth);
      }
    }
    for (int k = 0; k < n_thin / 3; k++) {
      const float *t = A(thin) + 3 * k;
      if (t[1] > 0) SIMD for (int i = 0; i < COLUMNS; i++) s[i] = std::max(s[i], cover(std::fabs(x[i] - t[0]), t[1], 0.6f) * t[2]);
    }
    SIMD for (int i = 0; i < COLUMNS; i++) s[i] *= clamp((half + 16 - std::fabs(x[i])) / 14, 0, 1);
    std::copy_n(s, COLUMNS, &slots[r]);
    float b = y01 - P(bar_at) + 0.5f;
    float bar = P(bar_length) > 0 ? cover(std::fabs(b - std::floor(b) - 0.5f) * length, P(bar_length), 1.5f) : 0;
    for (int k = 0; k < n_grooves / 6; k++) {
      const float *v = A(grooves) + 6 * k;
      if (v[1] <= 0) continue;
      float centre = v[0] + v[2] * wave(y01 * v[3]), width = v[1], edge = std::max(v[4], 0.4f) * 2, depth = v[5] - bar * BAR_MM / fresh, worn, on = A(groove_on)[k];
      SIMD for (int i = 0; i < COLUMNS; i++) {
        float c = cover(std::fabs(x[i] - centre), width, edge) * on;
        s[i] = std::max(s[i] * (1 - c), c * depth);
      }
      wear(p, &centre, 1, y01, &worn);
      float left = std::max(fresh * v[5] - worn, 0.0f);
      if (left > PLAIN_DEPTH_MM)
        for (int i = 0; i < COLUMNS; i++)
          if (std::fabs(x[i] - centre) < width / 2) tile.number[r + COLUMNS + i] = uint8_t(k + 1), tile.gauge[r + COLUMNS + i] = left;
    }
    fine_grain.row(y, &grain[r]), scuffs.row(y, one.data()), rough.row(y, two.data());
    SIMD for (int i = 0; i < COLUMNS; i++) {
      float scuff = P(scuff) + P(scrub) * clamp(std::fabs(x[i]) / half - 0.3f, 0, 1);
      grain[r + i] = grain[r + i] * 0.6f + one[i] * 0.4f * scuff + 0.5f * two[i];
    }
    patchy.row(y, &patches[r]);
    SIMD for (int i = 0; i < COLUMNS; i++) patches[r + i] = clamp(patches[r + i] * 0.7f + 0.4f, 0, 1.3f);
    if (marked) {
      chalky.row(y, one.data());
      for (int k = 0; k < n_stripes / 4; k++) {
        const float *t = A(stripes) + 4 * k;
        if (t[1] > 0)
          for (int i = 0; i < COLUMNS; i++) overlay[r + i] = std::max(overlay[r + i], cover(std::fabs(x[i] - t[0]), t[1], 0.7f) * clamp(t[2] + 0.7f * one[i], 0, 1));
      }
      for (int k = 0; k < n_strokes / 6; k++) {
        const float *t = A(strokes) + 6 * k;
        if (t[0] <= 0) continue;
        for (int i = 0; i < COLUMNS; i++) {
          float dx = x[i] - t[1], dy = y01 * length - t[2], long2 = t[3] * t[3] + t[4] * t[4];
          float along = clamp((dx * t[3] + dy * t[4]) / std::max(long2, 1.0f), -0.5f, 0.5f), ax = dx - along * t[3], ay = dy - along * t[4];
          float far = t[0] == 2 ? std::fabs(std::sqrt(dx * dx / 0.49f + dy * dy) - std::sqrt(long2) * 0.6f) : std::sqrt(ax * ax + ay * ay);
          chalk[r + i] = std::max(chalk[r + i], cover(far, t[5], 1.5f));
        }
      }
      for (int i = 0; i < COLUMNS; i++) chalk[r + i] *= clamp(0.75f + 0.9f * one[i], 0, 1) * A(chalk)[3];
    }
    if (corded) {
      const float *c = A(cord);
      bare.row(y, one.data()), bare_fine.row(y, two.data());
      for (int i = 0; i < COLUMNS; i++) {
        float laid = clamp((one[i] + 0.25f * two[i] - 1 + 1.4f * c[0]) * 5, 0, 1) * clamp((g[i] - fresh - 0.2f) * 3, 0, 1);
        float threads = 0.5f + 0.5f * std::cos(2 * PI * (x[i] * std::sin(c[1]) + y01 * length * std::cos(c[1])) / 1.9f);
        if (laid > 0.02f) overlay[r + i] = -laid * (0.35f + 0.65f * threads) * std::max(c[2], 0.05f) * 2;
      }
    }
  }
  tile.bald = bald_map(p, share, gone);
  if (P(polish) > 0) {
    Floats plain(tile.bald.begin() + COLUMNS / 4, tile.bald.end() - COLUMNS / 4);
    Enlarged worn(std::move(plain), ROWS / 4, COLUMNS / 4, ROWS, COLUMNS);
    for (int y = 0; y < ROWS; y++) {
      worn.row(y, one.data());
      for (int i = 0; i < COLUMNS; i++) grain[size_t(y) * COLUMNS + i] *= 1 - P(polish) * one[i];
    }
  }
  auto wrap = [&](auto &m) {
    std::copy_n(&m[all], COLUMNS, &m[0]);
    std::copy_n(&m[COLUMNS], COLUMNS, &m[all + COLUMNS]);
  };
  wrap(tile.gauge), wrap(tile.number);
  finish(p, share, gone, mud, stone, patches, grain, overlay, chalk, tilt, length, tile.with);
  finish(p, slots, gone, mud, stone, patches, grain, overlay, chalk, tilt, length, tile.without);
  return tile;
}

#include "native_scene.h"
#include "native_photo.h"

}  // namespace

// Large arrays come and go with each render: keeping their memory saves a third of the time, which would go into clearing fresh pages.
__attribute__((constructor)) static void keep_memory() {
  mallopt(M_MMAP_THRESHOLD, 256 << 20);
  mallopt(M_TRIM_THRESHOLD, 512 << 20);
}

// One render. Maps of size x size: image (3 planes), tread, number, depth, lateral, bald. Numbers: rotation, side, share, facing, upright_sure,
// brightness, then grey levels of change of each of the five grooves.
extern "C" void render_one(const float *p, const uint32_t *keys, int size, int fine, float *image, uint8_t *tread, uint8_t *number, float *depth, float *lateral, uint8_t *bald, float *numbers) {
  Dice dice{keys[0], keys[1]};
  Scene s = assemble(p, dice, fine);
  Floats change = develop(p, dice, s, size, image);
  double total = std::max(s.weight, 1.0);
  float upright = s.cos >= 0 ? 1.0f : -1.0f, outside = P(outer) * upright, all = float(fine) * fine;
  bool known = P(mounted) > 0 && (s.body / all > 0.015 || s.rim / all > 0.02);
  int count = int(P(groove_count));
  auto numbered = [&](int k) { return k && upright < 0 ? count + 1 - k : k; };
  float rotation = float(std::atan2(s.sin2 / total, s.cos2 / total) / 2);
  double sums[6] = {}, pixels[6] = {}, bright = 0;
  for (int y = 0; y < s.half; y++)
    for (int x = 0; x < s.half; x++) {
      int k = numbered(s.number[size_t(2 * y) * fine + 2 * x]);
      sums[k] += change[size_t(y) * s.half + x], pixels[k] += 1;
    }
  for (int y = 0; y < size; y++) {
    int row = std::min(int((y + 0.5f) * fine / size), fine - 1), y0 = y * fine / size, y1 = ((y + 1) * fine + size - 1) / size;
    for (int x = 0; x < size; x++) {
      int column = std::min(int((x + 0.5f) * fine / size), fine - 1), x0 = x * fine / size, x1 = ((x + 1) * fine + size - 1) / size, inside = 0;
      size_t from = size_t(row) * fine + column, to = size_t(y) * size + x;
      for (int yy = y0; yy < y1; yy++)
        for (int xx = x0; xx < x1; xx++) inside += s.tread[size_t(yy) * fine + xx];
      tread[to] = 2 * inside > (y1 - y0) * (x1 - x0);
      number[to] = uint8_t(numbered(s.number[from])), depth[to] = s.gauge[from], lateral[to] = clamp(s.place[from] * upright, -1.2f, 1.2f);
      bald[to] = s.bald[from] && tread[to] && !number[to];
      size_t plane = size_t(size) * size;
      bright += luma(image[to], image[plane + to], image[2 * plane + to]);
    }
  }
  float facts[] = {rotation, known ? (outside < 0 ? 1.0f : 2.0f) : 0.0f, float(s.weight / all), float(s.facing / total), std::fabs(rotation) < 1.3f ? 1.0f : 0.0f, float(bright / (double(size) * size))};
  std::copy_n(facts, 6, numbers);
  for (int k = 1; k <= 5; k++) numbers[5 + k] = float(sums[k] / std::max(pixels[k], 1.0));
}
