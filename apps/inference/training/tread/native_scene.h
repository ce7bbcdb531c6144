// carcass.py, surroundings.py and scene.py: part of native.cpp.

struct Vec {
  float x, y, z;
};
inline Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec operator*(Vec a, float s) { return {a.x * s, a.y * s, a.z * s}; }
inline float dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec cross(Vec a, Vec b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
inline Vec unit(Vec a) { return a * (1 / std::sqrt(dot(a, a))); }
// Bounded, since fast arithmetic has no infinity.
inline float sigmoid(float v) { return 1 / (1 + std::exp(-clamp(v, -30, 30))); }

struct View {
  Vec origin, forward, right, up, sun, sky;
  float half_tan, radius, half, width, rack, length, shoulder, crown, side_height;
};

View view_of(const float *p) {
  View v;
  float at = P(at_angle), r = P(radius), el = P(elevation) + at * 0.6f, az = P(azimuth), d = P(distance);
  Vec target{P(at_side) * P(width), r * std::sin(at), r * std::cos(at)};
  v.forward = Vec{std::sin(az) * std::cos(el), std::sin(el), std::cos(az) * std::cos(el)} * -1.0f;
  v.origin = target + v.forward * -d;
  if (P(mounted) > 0) v.origin.y = std::max(v.origin.y, -r * 0.9f);
  v.forward = unit(target + v.origin * -1.0f);
  Vec right = unit(cross(v.forward, {0, 1, 0})), up = cross(right, v.forward);
  float c = std::cos(P(roll)), s = std::sin(P(roll));
  v.right = right * c + up * s, v.up = up * c + right * -s;
  v.half_tan = clamp(P(width) / (d * P(frame)), 0.12f, 2.4f);
  v.radius = r, v.width = P(width), v.half = P(width) / 2 + P(bulge) + 6, v.rack = P(rack), v.length = 2 * PI * r / 6;
  v.shoulder = P(shoulder), v.crown = P(crown), v.side_height = P(side_height);
  float a = P(sun_azimuth), h = P(sun_height);
  v.sun = {std::sin(a) * std::cos(h), std::sin(h), std::cos(a) * std::cos(h)};
  v.sky = unit({A(sky_side)[0], A(sky_side)[1], A(sky_side)[2]});
  return v;
}

inline float fall(const View &v, float x) {
  float a = std::fabs(x), inner = v.width / 2 - v.shoulder;
  float over = clamp((a - inner) / (v.half - inner), 0, 1);
  return a * a / (2 * v.crown) + v.side_height * (1 - std::sqrt(std::max(1 - over * over, 0.0f)));
}
inline float beside(const View &v, float x) { return v.rack > 0 ? clamp(std::floor(x / v.rack + 0.5f), -2, 2) : 0; }

inline float depth_at(const float *tile, float x, float y01) {
  float px = clamp(((x / HALF_MM + 1) * COLUMNS - 1) / 2, 0, COLUMNS - 1), py = (y01 - std::floor(y01)) * ROWS + 0.5f;
  int x0 = int(px), y0 = int(py), x1 = std::min(x0 + 1, COLUMNS - 1);
  float tx = px - x0, ty = py - y0;
  const float *a = tile + size_t(y0) * COLUMNS, *b = a + COLUMNS;
  float top = a[x0] + tx * (a[x1] - a[x0]), bottom = b[x0] + tx * (b[x1] - b[x0]);
  return top + ty * (bottom - top);
}

// Points of the tire in one row of the render, each number in an array of its own.
struct Points {
  int n = 0;
  Floats store;
  float *column, *x, *at, *tire, *y, *z, *t, *rim, *shade, *low, *dx, *dy, *dz, *turn, *r, *g, *b;
  explicit Points(int width) : store(size_t(width) * 17) {
    float **all[] = {&column, &x, &at, &tire, &y, &z, &t, &rim, &shade, &low, &dx, &dy, &dz, &turn, &r, &g, &b};
    for (size_t i = 0; i < 17; i++) *all[i] = &store[i * width];
  }
};

struct Work {
  Floats store;
  float *nx, *ny, *nz, *ax, *ay, *az, *ty, *tz, *down, *xs, *ys, *above, *sx, *sy, *lit, *depth, *map[CHANNELS];
  explicit Work(int width) : store(size_t(width) * (16 + CHANNELS)) {
    float **all[] = {&nx, &ny, &nz, &ax, &ay, &az, &ty, &tz, &down, &xs, &ys, &above, &sx, &sy, &lit, &depth};
    for (size_t i = 0; i < 16; i++) *all[i] = &store[i * width];
    for (size_t i = 0; i < CHANNELS; i++) map[i] = &store[(16 + i) * width];
  }
};

__attribute__((noinline)) void frame_points(const View &v, const Points &q, Work &w) {
  const int n = q.n;
  SIMD for (int i = 0; i < n; i++) {
    float r = std::max(std::sqrt(q.y[i] * q.y[i] + q.z[i] * q.z[i]), 1.0f), ny = q.y[i] / r, nz = q.z[i] / r;
    float slope = clamp(fall(v, q.at[i] + 0.5f) - fall(v, q.at[i] - 0.5f), -6, 6), norm = 1 / std::sqrt(1 + slope * slope);
    w.nx[i] = slope * norm, w.ny[i] = ny * norm, w.nz[i] = nz * norm;
    w.ty[i] = nz, w.tz[i] = -ny;
    w.ax[i] = w.ty[i] * w.nz[i] - w.tz[i] * w.ny[i], w.ay[i] = w.tz[i] * w.nx[i], w.az[i] = -w.ty[i] * w.nx[i];
    w.sx[i] = v.sun.x * w.ax[i] + v.sun.y * w.ay[i] + v.sun.z * w.az[i];
    w.sy[i] = v.sun.y * w.ty[i] + v.sun.z * w.tz[i];
    w.above[i] = v.sun.x * w.nx[i] + v.sun.y * w.ny[i] + v.sun.z * w.nz[i];
  }
}

__attribute__((noinline)) void march_points(const View &v, const Surface &relief, const Points &q, Work &w) {
  const int n = q.n;
  static const struct Shares {
    float at[RELIEF + 1];
    Shares() { for (int k = 0; k <= RELIEF; k++) at[k] = std::pow(float(k) / RELIEF, 1.3f); }
  } shares;
  const float *tile = relief.depth.data();
  for (int i = 0; i < n; i++) {
    float across = q.dx[i] * w.ax[i] + q.dy[i] * w.ay[i] + q.dz[i] * w.az[i], along = (q.dy[i] * w.ty[i] + q.dz[i] * w.tz[i]) / v.length;
    float inwards = -(q.dx[i] * w.nx[i] + q.dy[i] * w.ny[i] + q.dz[i] * w.nz[i]);
    float reach = DEEPEST_MM / std::max(inwards, 0.18f), stop = reach, before = 0;
    for (int k = 0; k <= RELIEF; k++) {
      float s = reach * shares.at[k], gap = depth_at(tile, q.at[i] + across * s, q.turn[i] + along * s) - inwards * s;
      if (gap <= 0) {
        float earlier = k ? reach * shares.at[k - 1] : 0;
        stop = k ? earlier + (s - earlier) * clamp(before / std::max(before - gap, 1e-4f), 0, 1) : 0;
        break;
      }
      before = gap;
    }
    float x = q.at[i] + across * stop, y = q.turn[i] + along * stop, down = inwards * stop;
    w.xs[i] = x, w.ys[i] = y, w.down[i] = down;
    // All maps at once.
    float px = clamp(((x / HALF_MM + 1) * COLUMNS - 1) / 2, 0, COLUMNS - 1), py = (y - std::floor(y)) * ROWS + 0.5f;
    int x0 = int(px), y0 = int(py), x1 = std::min(x0 + 1, COLUMNS - 1);
    float tx = px - x0, ty = py - y0, k00 = (1 - tx) * (1 - ty), k01 = tx * (1 - ty), k10 = (1 - tx) * ty, k11 = tx * ty;
    size_t row = size_t(y0) * COLUMNS;
    w.depth[i] = k00 * tile[row + x0] + k01 * tile[row + x1] + k10 * tile[row + COLUMNS + x0] + k11 * tile[row + COLUMNS + x1];
    const float *m = relief.maps.data(), *a = m + (row + x0) * CHANNELS, *b = m + (row + x1) * CHANNELS, *c = a + COLUMNS * CHANNELS, *d = b + COLUMNS * CHANNELS;
    for (int j = 0; j < CHANNELS; j++) w.map[j][i] = k00 * a[j] + k01 * b[j] + k10 * c[j] + k11 * d[j];
    float light = w.above[i] > 0 ? 1.0f : 0.0f, rise = std::max(w.above[i], 0.08f);
    if (light > 0 && down > 0.15f) {
      float far = std::min(down / rise, 30.0f);
      for (int k = 1; k <= SHADOW; k++) {
        float s = far * k / SHADOW, block = down - rise * s - depth_at(tile, x + w.sx[i] * s, y + w.sy[i] * s / v.length);
        light = std::min(light, 1 - clamp(block * 1.6f - 0.25f, 0, 1));
      }
    }
    w.lit[i] = light * q.shade[i];
  }
}

__attribute__((noinline)) void colour_points(const float *p, const View &v, Points &q, Work &w) {
  const int n = q.n;
  const float *tint = A(rubber_tint), *dust = A(dust_colour), *paint_rgb = A(stripe_colour), *chalk_rgb = A(chalk), *sky_rgb = A(sky_colour), *sun_rgb = A(sun_colour);
  const float contrast = P(sky_contrast), gloss = P(wet) + P(sheen), sun = P(sun), sky_level = P(sky), flash_level = P(flash), snow = P(snow);
  SIMD for (int i = 0; i < n; i++) {
    float depth = w.depth[i], grain = w.map[2][i], low = q.low[i], stone = w.map[3][i];
    float open = std::pow(std::max(w.map[0][i], 1e-6f), contrast), gx = w.map[6][i], gy = w.map[7][i], bend = 1 / std::sqrt(1 + gx * gx + gy * gy);
    float lx = (w.ax[i] * gx + w.nx[i]) * bend, ly = (w.ay[i] * gx + w.ty[i] * gy + w.ny[i]) * bend, lz = (w.az[i] * gx + w.tz[i] * gy + w.nz[i]) * bend;
    float toward = -(lx * q.dx[i] + ly * q.dy[i] + lz * q.dz[i]);
    float base = clamp(P(rubber) * (1 + P(worn_light) * std::exp(-depth / 0.7f)) * (1 + P(grain) * grain) * (1 + 0.2f * low), 0.006f, 0.6f);
    float cov = clamp(w.map[1][i], 0, 0.95f), dusty = (0.75f + 0.2f * clamp(grain, -2, 2)) * cov;
    float white = depth > 1 ? clamp(snow * (0.4f + low + 0.5f * grain), 0, 1) : 0, grey = (0.22f + 0.1f * clamp(grain, -1, 2)) * stone;
    float on_top = std::exp(-(depth / 0.8f) * (depth / 0.8f)), overlay = w.map[4][i];
    float paint = 0.9f * std::max(overlay, 0.0f) * on_top, bare = std::max(-overlay, 0.0f), thread = 0.05f + bare * 0.5f, laid = std::min(bare * 12, 1.0f);
    float chalk = w.ys[i] >= 0 && w.ys[i] < 1 ? w.map[5][i] * on_top * 0.85f : 0;
    auto rubber = [&](int c, float warm) {
      float value = base * (1 + tint[c]) * (1 - cov) + dust[c] * dusty;
      value = value * (1 - white) + 0.75f * white;
      value = value * (1 - stone) + grey;
      value = value * (1 - paint) + paint * paint_rgb[c];
      value = value * (1 - laid) + laid * thread * warm;
      return value * (1 - chalk) + chalk * chalk_rgb[c];
    };
    float red = rubber(0, 1.08f), green = rubber(1, 1.0f), blue = rubber(2, 0.9f);
    // Sidewalls and rims come with their own colour.
    float side = q.r[i];
    red = q.rim[i] > 0 ? side : red * side, green = q.rim[i] > 0 ? side : green * side, blue = q.rim[i] > 0 ? side : blue * side;
    float seen = open * (1 - P(arch_shade) / (1 + std::exp(-(q.y[i] - 0.25f * v.radius) / 60)));
    float sky = sky_level * std::max(0.6f + 0.4f * (lx * v.sky.x + ly * v.sky.y + lz * v.sky.z), 0.1f) * seen;
    float direct = std::max(lx * v.sun.x + ly * v.sun.y + lz * v.sun.z, 0.0f) * sun * w.lit[i];
    float near = std::min(P(distance) / std::max(q.t[i], 80.0f), 2.0f);
    float flash = flash_level * std::max(toward, 0.0f) * near * near * std::sqrt(open);
    float mx = q.dx[i] + 2 * toward * lx, my = q.dy[i] + 2 * toward * ly, mz = q.dz[i] + 2 * toward * lz;
    float hit = std::max(mx * v.sun.x + my * v.sun.y + mz * v.sun.z, 0.0f), hit2 = hit * hit, hit8 = hit2 * hit2 * hit2 * hit2, dim = 1 - clamp(toward, 0, 1);
    float sheen = hit8 * hit8 * hit8 * w.lit[i] * sun * gloss * 0.6f + (0.02f + 0.35f * dim * dim * dim * dim) * gloss * sky_level * seen * (0.5f + 0.5f * my);
    q.r[i] = red * (sky * sky_rgb[0] + direct * sun_rgb[0] + flash) + sheen * sky_rgb[0];
    q.g[i] = green * (sky * sky_rgb[1] + direct * sun_rgb[1] + flash) + sheen * sky_rgb[1];
    q.b[i] = blue * (sky * sky_rgb[2] + direct * sun_rgb[2] + flash) + sheen * sky_rgb[2];
  }
}

__attribute__((noinline)) void shade_points(const float *p, const View &v, const Surface &relief, Points &q, Work &w) {
  frame_points(v, q, w);
  march_points(v, relief, q, w);
  colour_points(p, v, q, w);
}

// What the sidewall's rubber is multiplied by, or the rim's grey, into q.r.
__attribute__((noinline)) void beside_the_tread(const float *p, const View &v, Points &q) {
  for (int i = 0; i < q.n; i++) {
    bool rim = q.rim[i] > 0;
    q.r[i] = 1;
    if (!rim && std::fabs(q.at[i]) <= v.width / 2 + 15) continue;
    float r = std::sqrt(q.y[i] * q.y[i] + q.z[i] * q.z[i]), turn = std::atan2(q.y[i], q.z[i]);
    if (rim) {
      r /= v.radius - v.side_height;
      bool solid = std::cos(turn * P(rim_spokes)) > 1 - 2 * P(rim_share) || r > 0.9f || r < 0.22f;
      q.r[i] = clamp(solid ? P(rim_grey) * (0.6f + 0.5f * r + 0.3f * std::sin(turn * 2 + r * 5)) : 0.015f, 0.004f, 1);
    } else {
      float share = clamp((r - (v.radius - v.side_height)) / v.side_height, 0, 1);
      bool letters = std::sin(turn * 46) * std::sin(turn * 17 + 1) > 0.1f && std::fabs(share - 0.5f) < 0.13f && std::sin(turn * 5) > 0;
      q.r[i] = 1 + P(lettering) * letters + 0.25f * (std::sin(share * 60) > 0.8f) * P(lettering);
    }
  }
}

inline float wrap_sample(const Floats &texture, int n, float u, float v) {
  float px = (u - std::floor(u)) * (n - 1), py = (v - std::floor(v)) * (n - 1);
  int x0 = std::min(int(px), n - 2), y0 = std::min(int(py), n - 2);
  float tx = px - x0, ty = py - y0;
  const float *a = &texture[size_t(y0) * n + x0], *b = a + n;
  float top = a[0] + tx * (a[1] - a[0]), bottom = b[0] + tx * (b[1] - b[0]);
  return top + ty * (bottom - top);
}

struct Rgb {
  float r, g, b;
};
inline Rgb mixed_in(Rgb under, Rgb over, float share) {
  return {under.r + (over.r - under.r) * share, under.g + (over.g - under.g) * share, under.b + (over.b - under.b) * share};
}
inline Rgb tinted(float grey, const float *tint) { return {grey * (1 + tint[0]), grey * (1 + tint[1]), grey * (1 + tint[2])}; }

struct Around {
  Floats coarse, fine, far;
  Smooth folds, shine, rough;
  Around(Dice &dice, int size)
      : coarse(Fractal(dice, 256, 256, 6).all(256)), fine(Fractal(dice, 512, 512, 64, 2).all(512)), far(Fractal(dice, 256, 256, 5, 4).all(256)),
        folds(dice, size, size, 24), shine(dice, size, size, 3), rough(dice, size, size, 40) {}
};

Rgb ground_at(const float *p, const View &v, const Around &around, Vec d, float t) {
  float gx = v.origin.x + t * d.x, gz = v.origin.z + t * d.z, c = std::cos(P(joint_turn)), s = std::sin(P(joint_turn));
  float a = gx * c - gz * s, b = gx * s + gz * c, scale = P(ground_scale);
  int kind = int(P(ground));
  float stretch = kind == 3 ? 6 : 1;
  float low = wrap_sample(around.coarse, 256, a / 900, b / 900), mid = wrap_sample(around.fine, 512, a / (900 * scale), b / (900 * scale * stretch));
  float tiny = wrap_sample(around.fine, 512, a / (260 * scale) + 0.3f, b / (260 * scale * stretch));
  float fade = 1 / (1 + (t / 1800) * (t / 1800));
  float rough = kind == 6 ? (clamp(std::fabs(tiny) * 2.4f, 0, 1.4f) - 0.6f) * (1 + mid) * 1.3f : kind == 3 ? tiny * 1.3f + mid : tiny;
  const float *grain = A(ground_grain), *size = A(joint_size);
  float shade = 1 + fade * (grain[0] * low + grain[1] * mid + grain[2] * rough);
  float row = std::floor(b / size[1]), ja = a / size[0] + P(joint_offset) * row, wobble = kind != 5 ? 0.08f * mid : 0, jw = ja + wobble, jb = b / size[1] + wobble;
  float da = std::fabs(jw - std::nearbyint(jw)) * size[0], db = std::fabs(jb - std::nearbyint(jb)) * size[1];
  float joint = clamp((P(joint_width) - std::min(da, db)) / 3, 0, 1), brick = std::sin(std::floor(ja + 0.5f) * 12.99f + row * 78.2f) * 437.585f;
  if (P(joint_shade) != 0) shade *= 1 + 0.25f * (brick - std::floor(brick) - 0.5f);
  shade *= 1 + P(joint_shade) * joint * fade;
  float aside = std::max(std::fabs(gx) - v.width / 2, 0.0f), near = std::sqrt(aside * aside + gz * gz) / v.radius;
  float contact = P(ground_drop) < 1.02f && P(tire_there) > 0 ? 1 - 0.75f * std::exp(-near * near * 2.25f) : 1;
  return tinted(clamp(P(ground_grey) * shade, 0.004f, 0.95f) * contact, A(ground_tint));
}

Rgb wall_at(const float *p, const Around &around, Vec d) {
  float u = std::atan2(d.x, -d.z) / PI, v = d.y, n = wrap_sample(around.far, 256, u * 1.3f, v * 0.9f);
  float steps = std::nearbyint(wrap_sample(around.far, 256, u * 0.7f + 0.4f, v * 0.5f) * 2.5f) / 2.5f, shade = 1 + P(wall_noise) * (0.6f * n + 0.7f * steps);
  const float *s = A(wall_stripes), *w = A(wall);
  if (s[0] > 0 && std::sin(s[0] * (u * 3 * std::cos(s[1]) + v * std::sin(s[1])) * 2) > 0.4f) shade *= 1 - s[2];
  float tint[3] = {w[1], 0, w[2]};
  return tinted(clamp(w[0] * shade, 0.003f, 1.2f), tint);
}

// One shape in the picture's plane laid over a row of pixels.
void clutter_row(const float *c, int size, float v, const float *rough, Floats *picture, Floats &covered) {
  float kind = c[0], x = c[1], y = c[2], length = std::max(c[4], 0.05f), thick = std::max(c[5], 0.02f), reach = length + thick + 4 / (thick * size * 0.25f) * thick;
  if (std::fabs(v - y) > reach * 1.1f) return;
  float ca = std::cos(c[3]), sa = std::sin(c[3]);
  int first = std::max(int(((x - reach * 1.1f) + 1) / 2 * size) - 1, 0), last = std::min(int(((x + reach * 1.1f) + 1) / 2 * size) + 2, size);
  for (int i = first; i < last; i++) {
    float u = (i + 0.5f) / size * 2 - 1, a = (u - x) * ca + (v - y) * sa, b = (v - y) * ca - (u - x) * sa, q, ell = (a / length) * (a / length) + (b / thick) * (b / thick);
    if (kind == 0) {
      float over = std::max(std::fabs(a) - length, 0.0f);
      q = std::sqrt(over * over + b * b) / thick;
    } else if (kind == 1) q = std::max(std::fabs(a) / length, std::fabs(b) / thick);
    else q = kind == 2 ? std::sqrt(ell) : std::fabs(std::sqrt(ell) - 0.8f) * 4;
    float inside = clamp((1 - q) * thick * size * 0.25f, 0, 1);
    if (inside <= 0) continue;
    float dim = clamp(q * 0.95f, 0, 1), shade = kind == 1 ? 0.7f + 0.3f * a / std::max(length, 0.1f) : 0.25f + 0.75f * std::sqrt(std::max(1 - dim * dim, 0.02f));
    if (c[8] > 0 && std::sin(c[8] * a + 3 * b) > 0) shade *= 0.25f;
    float value = c[6] * shade * rough[i] * (1 + c[9] * (b / thick < -0.3f) * 0.4f), tint[3] = {c[7], 0, -c[7]};
    for (int k = 0; k < 3; k++) picture[k][i] += (value * (1 + tint[k]) - picture[k][i]) * inside;
    covered[i] += inside * (1 - covered[i]);
  }
}

struct Scene {
  int size, half;
  Floats light, before, without, gauge, place;  // light [3,size,size]; before, without of every second row and column
  std::vector<uint8_t> tread, number, bald;
  double weight = 0, cos = 0, sin = 0, cos2 = 0, sin2 = 0, facing = 0, body = 0, rim = 0;
};

Scene assemble(const float *p, Dice &dice, int size) {
  Tile tile = build(p, dice);
  View v = view_of(p);
  Scene s;
  size_t all = size_t(size) * size;
  s.size = size, s.half = (size + 1) / 2;
  s.light.resize(3 * all), s.before.resize(size_t(s.half) * s.half), s.without.resize(s.before.size()), s.gauge.resize(all), s.place.resize(all);
  s.tread.resize(all), s.number.resize(all), s.bald.resize(all);
  Smooth shades(dice, size, size, 5), lows(dice, size, size, 6);
  Around around(dice, size);
  Points q(size), half(size);
  Work work(size);
  Floats dx(size), dy(size), dz(size), t(size), hit(size), rim(size), shade(size), low(size), folds(size), shine(size), rough(size), ground_t(size), lo(size), hi(size), start(size), end(size), found(size), inner(size);
  Floats layer[2][3], covered[2];
  for (auto &l : layer) for (auto &c : l) c.resize(size);
  for (auto &c : covered) c.resize(size);
  const float *line = A(shade_line), *edge = A(cover);
  const float level = -v.radius * P(ground_drop), sky = P(sky), sun = P(sun), flash = P(flash);
  // The body stands at an angle to a steered wheel.
  float outer = P(outer), cs = std::cos(P(steer)), ss = std::sin(P(steer)), rarch = v.radius + P(arch_gap), plane = v.width / 2 + P(body_gap);
  Vec car{outer * v.origin.x * cs + v.origin.z * ss, v.origin.y, v.origin.z * cs - outer * v.origin.x * ss};
  bool mounted = P(mounted) > 0, has_panel = P(panel) > 0, there = P(tire_there) > 0;
  float wide = v.half + 2 * v.rack, shade_cos = std::cos(line[0]), shade_sin = std::sin(line[0]);
  bool any_front = false;
  for (int k = 0; k < n_clutter / 11; k++) any_front |= A(clutter)[11 * k + 4] > 0 && A(clutter)[11 * k + 10] > 0;
  auto inside = [&](float x, float y, float z) {
    if (v.rack > 0) x -= v.rack * beside(v, x);
    return v.radius - fall(v, x) - std::sqrt(y * y + z * z);
  };
  for (int row = 0; row < size; row++) {
    float gv = (row + 0.5f) / size - 0.5f, vv = gv * 2;
    shades.row(row, shade.data()), lows.row(row, low.data());
    around.folds.row(row, folds.data()), around.shine.row(row, shine.data()), around.rough.row(row, rough.data());
    SIMD for (int i = 0; i < size; i++) {
      float gu = (i + 0.5f) / size - 0.5f;
      shade[i] = 1 - line[3] * sigmoid((gu * 2 * shade_cos + vv * shade_sin - line[1] + 0.08f * shade[i]) / line[2]);
      float a = gu + A(shift)[0], b = gv + A(shift)[1], bend = (1 + P(lens) * (a * a + b * b) * 4) * v.half_tan;
      a *= bend, b *= bend;
      float x = v.forward.x + a * v.right.x - b * v.up.x, y = v.forward.y + a * v.right.y - b * v.up.y, z = v.forward.z + a * v.right.z - b * v.up.z;
      float norm = 1 / std::sqrt(x * x + y * y + z * z);
      x *= norm, y *= norm, z *= norm;
      dx[i] = x, dy[i] = y, dz[i] = z;
      float g = (level - v.origin.y) / std::min(y, -1e-3f);
      ground_t[i] = y < -1e-3f && g > 0 && g < 9000 ? g : FAR;
      // The cylinder around the tire, between its sides.
      float qa = std::max(y * y + z * z, 1e-6f), qb = v.origin.y * y + v.origin.z * z, qc = v.origin.y * v.origin.y + v.origin.z * v.origin.z - v.radius * v.radius;
      float root = qb * qb - qa * qc, sq = std::sqrt(std::max(root, 0.0f)), t_in = (-qb - sq) / qa, t_out = (-qb + sq) / qa;
      float sx = std::fabs(x) < 1e-5f ? 1e-5f : x, one = (-wide - v.origin.x) / sx, two = (wide - v.origin.x) / sx, near = std::min(one, two), far = std::max(one, two);
      start[i] = std::max(std::max(t_in, near), 1.0f), end[i] = std::min(t_out, far);
      hit[i] = root > 0 && end[i] > start[i] && there ? 1 : 0;
      rim[i] = near > t_in ? 1 : 0;
    }
    int first = 0, last = size;
    while (first < last && hit[first] == 0) first++;
    while (last > first && hit[last - 1] == 0) last--;
    SIMD for (int i = first; i < last; i++) {
      float s0 = start[i], at = inside(v.origin.x + s0 * dx[i], v.origin.y + s0 * dy[i], v.origin.z + s0 * dz[i]);
      inner[i] = at, lo[i] = hi[i] = s0, found[i] = at > 0 ? 1 : 0, end[i] = std::min(end[i] - s0, 420.0f) / COARSE;
    }
    for (int k = 1; k <= COARSE; k++) {
      SIMD for (int i = first; i < last; i++) {
        float at = start[i] + end[i] * k;
        bool now = inside(v.origin.x + at * dx[i], v.origin.y + at * dy[i], v.origin.z + at * dz[i]) > 0, fresh = now && found[i] == 0;
        lo[i] = fresh ? at - end[i] : lo[i], hi[i] = fresh ? at : hi[i], found[i] = now ? 1 : found[i];
      }
    }
    for (int k = 0; k < FINE; k++) {
      SIMD for (int i = first; i < last; i++) {
        float at = (lo[i] + hi[i]) / 2;
        bool now = inside(v.origin.x + at * dx[i], v.origin.y + at * dy[i], v.origin.z + at * dz[i]) > 0;
        lo[i] = now ? lo[i] : at, hi[i] = now ? at : hi[i];
      }
    }
    q.n = half.n = 0;
    for (int i = first; i < last; i++) {
      bool flat = rim[i] > 0 && inner[i] > 0 && hit[i] > 0;
      t[i] = flat ? start[i] : hi[i];
      rim[i] = flat || (found[i] > 0 && inner[i] > 0.05f) ? 1 : 0;
      hit[i] = hit[i] > 0 && found[i] > 0 ? 1 : 0;
      if (hit[i] == 0) continue;
      int n = q.n++;
      q.column[n] = i, q.t[n] = t[i], q.rim[n] = rim[i], q.shade[n] = shade[i], q.low[n] = low[i], q.dx[n] = dx[i], q.dy[n] = dy[i], q.dz[n] = dz[i];
    }
    SIMD for (int i = 0; i < q.n; i++) {
      q.x[i] = v.origin.x + q.t[i] * q.dx[i], q.y[i] = v.origin.y + q.t[i] * q.dy[i], q.z[i] = v.origin.z + q.t[i] * q.dz[i];
      q.tire[i] = beside(v, q.x[i]), q.at[i] = q.x[i] - v.rack * q.tire[i];
      q.turn[i] = std::atan2(q.y[i], q.z[i]) * 6 / (2 * PI) + 0.37f * q.tire[i];
    }
    if (row % 2 == 0)
      for (int i = 0; i < q.n; i++)
        if (int(q.column[i]) % 2 == 0) {
          int n = half.n++;
          for (size_t k = 0, w = size; k < 14; k++) half.store[k * w + n] = q.store[k * w + i];
        }
    beside_the_tread(p, v, q);
    shade_points(p, v, tile.with, q, work);
    // Everything else in the row.
    for (int k = 0; k < 2; k++) {
      std::fill(covered[k].begin(), covered[k].end(), 0.0f);
      for (auto &c : layer[k]) std::fill(c.begin(), c.end(), 0.0f);
    }
    SIMD for (int i = 0; i < size; i++) rough[i] = 1 + 0.35f * rough[i];
    for (int k = 0; k < n_clutter / 11; k++) {
      const float *c = A(clutter) + 11 * k;
      if (c[4] > 0) clutter_row(c, size, vv, rough.data(), layer[c[10] > 0], covered[c[10] > 0]);
    }
    float *out[3] = {&s.light[size_t(row) * size], &s.light[all + size_t(row) * size], &s.light[2 * all + size_t(row) * size]};
    for (int i = 0, n = 0; i < size; i++) {
      Vec d{dx[i], dy[i], dz[i]};
      bool on_ground = ground_t[i] < FAR, touched = n < q.n && int(q.column[n]) == i, tire = touched && t[i] < ground_t[i];
      float ambient = 0.5f * sky + 0.35f * sun * shade[i] + 0.4f * flash, paint_t = 1e7f, by = 0, away = 0;
      Vec e{outer * d.x * cs + d.z * ss, d.y, d.z * cs - outer * d.x * ss};
      if (has_panel) {
        float ex = std::fabs(e.x) < 1e-4f ? 1e-4f : e.x, at = (plane - car.x) / ex, bz = car.z + at * e.z;
        by = car.y + at * e.y, away = std::sqrt(by * by + bz * bz) - rarch;
        if (at > 1 && away > 0 && by > -0.5f * v.radius && by < 900) paint_t = at;
      }
      bool body = paint_t < (tire ? t[i] : ground_t[i]);
      Rgb rgb;
      if (body) {
        float high = by / 500, lip = 1 - 0.6f * (away < 14) + 0.3f * (away > 14 && away < 24), k = lip * (0.6f + 0.5f * (high - std::floor(high)) + 0.25f * shine[i]) * ambient * 1.5f;
        rgb = {A(body)[0] * k, A(body)[1] * k, A(body)[2] * k};
      } else if (tire) {
        rgb = {q.r[n], q.g[n], q.b[n]};
      } else {
        bool liner = false;
        if (mounted && covered[0][i] < 1) {
          float qa = std::max(e.y * e.y + e.z * e.z, 1e-6f), qb = car.y * e.y + car.z * e.z, root = qb * qb - qa * (car.y * car.y + car.z * car.z - rarch * rarch);
          if (root > 0) {
            float at = (-qb + std::sqrt(root)) / qa, x = car.x + at * e.x, y = car.y + at * e.y;
            liner = x < plane && x > -v.width * 2.6f && y > -0.35f * v.radius && at < ground_t[i];
            if (liner) {
              float z = car.z + at * e.z, dark = P(liner) * (1 + 0.5f * std::sin(x / 17 + 2 * std::sin(std::atan2(y, z) * 9)) + 0.4f * folds[i]);
              rgb.r = rgb.g = rgb.b = std::max(dark, 0.002f);
            }
          }
        }
        if (!liner && covered[0][i] < 1) {
          if (on_ground) {
            rgb = ground_at(p, v, around, d, ground_t[i]);
            float k = sky + sun * v.sun.y * shade[i] + 0.3f * flash;
            rgb = {rgb.r * k, rgb.g * k, rgb.b * k};
          } else {
            rgb = wall_at(p, around, d);
            float k = 0.4f + 0.6f * sky;
            rgb = {rgb.r * k, rgb.g * k, rgb.b * k};
          }
        }
        float k = ambient * 1.3f, c = covered[0][i];
        if (c >= 1) rgb = {0, 0, 0};
        // As in scene.py the shapes' colour, which is thin at their edges already, is laid on once more by their cover.
        rgb = {rgb.r * (1 - c) + layer[0][0][i] * k * c, rgb.g * (1 - c) + layer[0][1][i] * k * c, rgb.b * (1 - c) + layer[0][2][i] * k * c};
      }
      float u = (i + 0.5f) / size * 2 - 1, deep = -edge[0] + edge[1] * u + u * u / (edge[2] * 4) - vv, over = clamp(deep * size / 3, 0, 1) * edge[3];
      if (over > 0) {
        float k = (0.35f + 0.65f * clamp(deep * 9, 0, 1)) * (1 + 0.3f * std::sin(deep * 9)) * ambient * 1.4f;
        rgb = mixed_in(rgb, {A(body)[0] * k, A(body)[1] * k, A(body)[2] * k}, over);
      }
      float c = any_front ? covered[1][i] : 0;
      if (c > 0) {
        float k = ambient * 1.3f;
        rgb = mixed_in(rgb, {layer[1][0][i] * k, layer[1][1][i] * k, layer[1][2][i] * k}, c);
      }
      out[0][i] = std::max(rgb.r, 0.0f), out[1][i] = std::max(rgb.g, 0.0f), out[2][i] = std::max(rgb.b, 0.0f);
      bool free = tire && !body && over < 0.5f && c < 0.5f;
      s.body += body, s.rim += free && rim[i] > 0;
      if (free && rim[i] == 0 && std::fabs(q.x[n]) < v.width / 2 + 3) {
        size_t o = size_t(row) * size + i;
        float x = q.x[n], y = q.y[n], z = q.z[n], px = clamp(((q.at[n] / HALF_MM + 1) * COLUMNS - 1) / 2, 0, COLUMNS - 1), turn = q.turn[n] - std::floor(q.turn[n]);
        size_t place = size_t(std::nearbyint(turn * ROWS + 0.5f)) * COLUMNS + size_t(std::nearbyint(px));
        s.tread[o] = 1, s.number[o] = tile.number[place], s.gauge[o] = tile.gauge[place], s.place[o] = x / (v.width / 2);
        float bx = clamp(((q.at[n] / HALF_MM + 1) * (COLUMNS / 4) - 1) / 2, 0, COLUMNS / 4 - 1), ry = turn * (ROWS / 4) + 0.5f;
        int x0 = int(bx), y0 = int(ry), x1 = std::min(x0 + 1, COLUMNS / 4 - 1);
        const float *b0 = &tile.bald[size_t(y0) * (COLUMNS / 4)], *b1 = b0 + COLUMNS / 4;
        float tx = bx - x0, ty = ry - y0, top = b0[x0] + tx * (b0[x1] - b0[x0]), bottom = b1[x0] + tx * (b1[x1] - b1[x0]);
        s.bald[o] = top + ty * (bottom - top) > 0.5f;
        float span = std::max(std::sqrt(y * y + z * z), 1.0f);
        Vec tangent{0, z / span, -y / span}, rel{x - v.origin.x, y - v.origin.y, z - v.origin.z};
        float w = std::max(dot(rel, v.forward), 1.0f), tf = dot(tangent, v.forward), du = dot(tangent, v.right) * w - dot(rel, v.right) * tf, dv = dot(tangent, v.up) * w - dot(rel, v.up) * tf;
        float size_of = std::sqrt(du * du + dv * dv), ca = size_of > 0 ? dv / size_of : 1, sa = size_of > 0 ? du / size_of : 0;
        s.weight += 1, s.cos += ca, s.sin += sa, s.cos2 += ca * ca - sa * sa, s.sin2 += 2 * sa * ca;
        s.facing += -(d.y * y + d.z * z) / span;
      }
      n += touched;
    }
    if (row % 2 == 0) {
      beside_the_tread(p, v, half);
      shade_points(p, v, tile.without, half, work);
      size_t o = size_t(row / 2) * s.half;
      for (int i = 0; i < s.half; i++) s.before[o + i] = s.without[o + i] = luma(out[0][2 * i], out[1][2 * i], out[2][2 * i]);
      for (int n = 0; n < half.n; n++) {
        int i = int(half.column[n]);
        if (s.tread[size_t(row) * size + i]) s.without[o + i / 2] = luma(half.r[n], half.g[n], half.b[n]);
      }
    }
  }
  return s;
}
