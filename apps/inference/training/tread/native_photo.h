// photo.py and the end of render.py: part of native.cpp.

inline int reflected(int i, int n) { return i < 0 ? -i : i >= n ? 2 * n - 2 - i : i; }

// Blurs planes of h x w in place.
void gaussian(float *planes, int count, int h, int w, float sigma) {
  int radius = std::min(9, int(std::ceil(2.6f * sigma)));
  if (radius == 0 || sigma < 0.25f) return;
  float kernel[19], sum = 0, s = std::max(sigma, 0.05f);
  for (int k = -radius; k <= radius; k++) sum += kernel[k + radius] = std::exp(-float(k * k) / (2 * s * s));
  for (int k = 0; k <= 2 * radius; k++) kernel[k] /= sum;
  Floats wide(w + 2 * radius), mid(size_t(h) * w);
  for (int c = 0; c < count; c++) {
    float *plane = planes + size_t(c) * h * w;
    for (int y = 0; y < h; y++) {
      const float *row = plane + size_t(y) * w;
      std::copy_n(row, w, &wide[radius]);
      for (int k = 1; k <= radius; k++) wide[radius - k] = row[k], wide[radius + w - 1 + k] = row[w - 1 - k];
      float *out = &mid[size_t(y) * w];
      std::fill_n(out, w, 0.0f);
      for (int k = 0; k <= 2 * radius; k++) {
        const float *in = &wide[k], g = kernel[k];
        SIMD for (int x = 0; x < w; x++) out[x] += g * in[x];
      }
    }
    for (int y = 0; y < h; y++) {
      float *out = plane + size_t(y) * w;
      std::fill_n(out, w, 0.0f);
      for (int k = -radius; k <= radius; k++) {
        const float *in = &mid[size_t(reflected(y + k, h)) * w], g = kernel[k + radius];
        SIMD for (int x = 0; x < w; x++) out[x] += g * in[x];
      }
    }
  }
}

// Mean over each cell, as adaptive pooling does.
Floats pooled(const float *planes, int count, int h, int w, int H, int W) {
  Floats out(size_t(count) * H * W), row(w);
  std::vector<int> from(W), to(W);
  for (int x = 0; x < W; x++) from[x] = x * w / W, to[x] = ((x + 1) * w + W - 1) / W;
  for (int c = 0; c < count; c++)
    for (int y = 0; y < H; y++) {
      int y0 = y * h / H, y1 = ((y + 1) * h + H - 1) / H;
      float *o = &out[(size_t(c) * H + y) * W];
      std::copy_n(planes + (size_t(c) * h + y0) * w, w, row.data());
      for (int yy = y0 + 1; yy < y1; yy++) {
        const float *in = planes + (size_t(c) * h + yy) * w;
        SIMD for (int x = 0; x < w; x++) row[x] += in[x];
      }
      for (int x = 0; x < W; x++) {
        float sum = row[from[x]];
        for (int xx = from[x] + 1; xx < to[x]; xx++) sum += row[xx];
        o[x] = sum / float((y1 - y0) * (to[x] - from[x]));
      }
    }
  return out;
}

void shaken(Floats &light, int size, float length, float angle, int shown) {
  Floats sum(light.size());
  auto mirrored = [&](float at) {  // into 0..size-1 around the outer edges of the pixels
    at = std::fabs(at + 0.5f);
    float turns = std::floor(at / size), part = at - turns * size;
    return clamp((int(turns) % 2 ? size - part : part) - 0.5f, 0, size - 1);
  };
  std::vector<int> left(size);
  Floats part(size);
  for (int k = 0; k < 7; k++) {
    float shift = (k / 6.0f - 0.5f) * length / shown * 2, sx = shift * std::cos(angle) * size / 2, sy = shift * std::sin(angle) * size / 2;
    for (int x = 0; x < size; x++) {
      float at = mirrored(x + sx);
      left[x] = std::min(int(at), size - 2), part[x] = at - left[x];
    }
    for (int c = 0; c < 3; c++)
      for (int y = 0; y < size; y++) {
        float at = mirrored(y + sy);
        int y0 = std::min(int(at), size - 2);
        float ty = at - y0;
        const float *a = &light[(size_t(c) * size + y0) * size], *b = a + size;
        float *o = &sum[(size_t(c) * size + y) * size];
        SIMD for (int x = 0; x < size; x++) {
          int l = left[x];
          float top = a[l] + part[x] * (a[l + 1] - a[l]), bottom = b[l] + part[x] * (b[l + 1] - b[l]);
          o[x] += (top + ty * (bottom - top)) / 7;
        }
      }
  }
  light.swap(sum);
}

inline float curved(float v, float contrast) {
  v = std::pow(std::max(v, 0.0f) + 1e-5f, 1 / 2.2f);
  float bent = 0.75f + 0.25f * std::tanh((v - 0.75f) / 0.25f * 0.9f);
  v = v > 0.75f ? bent : v;
  return v + contrast * v * (1 - v) * (v - 0.45f);
}
inline float vignette(const float *p, float i, float j, int size) {
  float u = (i + 0.5f) / size * 2 - 1, w = (j + 0.5f) / size * 2 - 1;
  return 1 - P(vignette) * (u * u + w * w) / 2;
}

// Exposure of each pixel; coarse [24,24] is left empty where it is the same everywhere.
Floats exposure(const float *p, const Floats &image, int size, float &gain) {
  size_t all = size_t(size) * size;
  Floats bright(all), some;
  double sum = 0;
  for (size_t i = 0; i < all; i++) sum += bright[i] = luma(std::min(image[i], 4.0f), std::min(image[all + i], 4.0f), std::min(image[2 * all + i], 4.0f));
  float mean = float(sum / all);
  for (size_t i = 0; i < all; i += 7) some.push_back(bright[i]);
  double rank = 0.9 * (some.size() - 1);
  size_t low = size_t(rank);
  std::nth_element(some.begin(), some.begin() + low, some.end());
  float a = some[low], b = low + 1 < some.size() ? *std::min_element(some.begin() + low + 1, some.end()) : a;
  float most = a + (b - a) * float(rank - low);
  gain = std::min(std::pow(P(mean_level), 2.2f) / std::max(mean, 1e-4f), 1.6f / std::max(most, 1e-4f)) * (1 + P(clip));
  if (P(local) == 0) return {};
  Floats coarse = pooled(bright.data(), 1, size, size, 24, 24), evened(24 * 24);
  for (int y = 0; y < 24; y++)
    for (int x = 0; x < 24; x++) {
      float total = 0;
      int count = 0;
      for (int yy = std::max(0, y - 2); yy <= std::min(23, y + 2); yy++)
        for (int xx = std::max(0, x - 2); xx <= std::min(23, x + 2); xx++) total += coarse[yy * 24 + xx], count++;
      evened[y * 24 + x] = std::pow(clamp(mean / std::max(total / count, 1e-4f), 0.15f, 6), P(local));
    }
  Floats full = bicubic(evened.data(), 24, 24, size, size);
  for (float &f : full) f = std::max(f, 0.05f);
  return full;
}

void compressed(const float *p, float *image, int size) {
  static const int table[64] = {16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29, 51, 87, 80, 62,
                                18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99};
  float basis[8][8], step[3][64];
  for (int k = 0; k < 8; k++)
    for (int x = 0; x < 8; x++) basis[k][x] = std::cos((2 * x + 1) * k * PI / 16) * (k ? 0.5f : std::sqrt(1 / 8.0f));
  for (int c = 0; c < 3; c++)
    for (int i = 0; i < 64; i++) step[c][i] = std::max(table[i] * P(jpeg) / 50 * (c ? 1.8f : 1.0f), 1.0f);
  size_t all = size_t(size) * size;
  for (int by = 0; by < size; by += 8)
    for (int bx = 0; bx < size; bx += 8) {
      float planes[3][64];
      for (int i = 0; i < 64; i++) {
        size_t o = size_t(by + i / 8) * size + bx + i % 8;
        float r = clamp(image[o], 0, 1), g = clamp(image[all + o], 0, 1), b = clamp(image[2 * all + o], 0, 1), y = 0.299f * r + 0.587f * g + 0.114f * b;
        planes[0][i] = y * 255, planes[1][i] = (b - y) * 0.564f * 255, planes[2][i] = (r - y) * 0.713f * 255;
      }
      for (int c = 0; c < 3; c++) {
        float part[64] = {}, freq[64] = {};
        for (int k = 0; k < 8; k++)
          for (int y = 0; y < 8; y++)
            for (int x = 0; x < 8; x++) part[k * 8 + x] += basis[k][y] * planes[c][y * 8 + x];
        for (int k = 0; k < 8; k++)
          for (int x = 0; x < 8; x++)
            for (int j = 0; j < 8; j++) freq[k * 8 + j] += part[k * 8 + x] * basis[j][x];
        for (int i = 0; i < 64; i++) freq[i] = std::nearbyint(freq[i] / step[c][i]) * step[c][i], part[i] = planes[c][i] = 0;
        for (int y = 0; y < 8; y++)
          for (int k = 0; k < 8; k++)
            for (int j = 0; j < 8; j++) part[y * 8 + j] += basis[k][y] * freq[k * 8 + j];
        for (int y = 0; y < 8; y++)
          for (int j = 0; j < 8; j++)
            for (int x = 0; x < 8; x++) planes[c][y * 8 + x] += part[y * 8 + j] * basis[j][x];
      }
      for (int i = 0; i < 64; i++) {
        size_t o = size_t(by + i / 8) * size + bx + i % 8;
        float y = planes[0][i] / 255, b = planes[1][i] / 255 / 0.564f, r = planes[2][i] / 255 / 0.713f;
        image[o] = y + r, image[all + o] = y - 0.344f * b - 0.714f * r, image[2 * all + o] = y + 1.772f * b;
      }
    }
}

// The finished render in `image` [3,size,size]; returns grey levels of change at every second row and column of the scene.
Floats develop(const float *p, Dice &dice, Scene &s, int size, float *image) {
  int fine = s.size;
  float factor = float(fine) / size, gain;
  for (float &v : s.light) v = std::min(v, 6.0f);
  gaussian(s.light.data(), 3, fine, fine, P(blur) * factor);
  if (P(motion) > 0) shaken(s.light, fine, P(motion), P(motion_angle), size);
  if (P(focus_tilt) > 0) {
    Floats soft = s.light;
    gaussian(soft.data(), 3, fine, fine, P(focus_tilt) * factor);
    for (int r = 0; r < 3 * fine; r++) {
      float ramp = float(r % fine) / (fine - 1);
      float *a = &s.light[size_t(r) * fine], *b = &soft[size_t(r) * fine];
      SIMD for (int x = 0; x < fine; x++) a[x] += (b[x] - a[x]) * ramp;
    }
  }
  size_t all = size_t(size) * size;
  Floats small = pooled(s.light.data(), 3, fine, fine, size, size);
  if (P(vignette) > 0)
    for (int y = 0; y < size; y++)
      for (int x = 0; x < size; x++) {
        float k = vignette(p, x, y, size);
        for (int c = 0; c < 3; c++) small[c * all + size_t(y) * size + x] *= k;
      }
  Floats coarse = exposure(p, small, size, gain);
  const float *white = A(white);
  float haze = P(haze) * 0.3f, contrast = P(contrast), saturation = P(saturation), lift = P(lift);
  const float *a = small.data(), *even = coarse.empty() ? nullptr : coarse.data();
  SIMD for (size_t i = 0; i < all; i++) {
    float g = even ? gain * even[i] : gain;
    float red = curved(a[i] * g * white[0] + haze, contrast), green = curved(a[all + i] * g * white[1] + haze, contrast), blue = curved(a[2 * all + i] * g * white[2] + haze, contrast);
    float grey = luma(red, green, blue);
    image[i] = (grey + (red - grey) * saturation) * (1 - lift) + lift;
    image[all + i] = (grey + (green - grey) * saturation) * (1 - lift) + lift;
    image[2 * all + i] = (grey + (blue - grey) * saturation) * (1 - lift) + lift;
  }
  // How much the grooves change: the same blur, exposure and curve, grey only.
  size_t half = size_t(s.half) * s.half;
  Floats both(2 * half), change(half);
  std::copy(s.before.begin(), s.before.end(), both.begin()), std::copy(s.without.begin(), s.without.end(), both.begin() + half);
  for (float &v : both) v = std::min(v, 6.0f);
  float less = 0.45f / P(small) - 0.45f;
  gaussian(both.data(), 2, s.half, s.half, std::sqrt(P(blur) * P(blur) + P(motion) * P(motion) / 16 + P(focus_tilt) * P(focus_tilt) / 4 + less * less) * s.half / size);
  for (int y = 0; y < s.half; y++)
    SIMD for (int x = 0; x < s.half; x++) {
      size_t i = size_t(y) * s.half + x;
      float g = gain * vignette(p, x, y, s.half);
      if (even) g *= even[size_t(std::min(int((y + 0.5f) * size / s.half), size - 1)) * size + std::min(int((x + 0.5f) * size / s.half), size - 1)];
      change[i] = std::fabs(clamp(curved(both[i] * g + haze, contrast), 0, 1) - clamp(curved(both[half + i] * g + haze, contrast), 0, 1)) * (1 - lift) * 255;
    }
  if (P(small) < 0.99f) {
    int tiny = int(size * double(P(small)) + 1e-4);
    Floats reduced = pooled(image, 3, size, size, tiny, tiny);
    for (int c = 0; c < 3; c++) {
      Enlarged up(Floats(&reduced[size_t(c) * tiny * tiny], &reduced[size_t(c) * tiny * tiny] + size_t(tiny) * tiny), tiny, tiny, size, size);
      for (int y = 0; y < size; y++) up.row(y, image + c * all + size_t(y) * size);
    }
  }
  uint32_t coloured = dice.start(), grey = dice.start();
  Floats shared(size), own(size), blotch(size);
  Enlarged blotches[3];
  if (P(coarse_noise) > 0) {
    Dice other = dice.apart(3);
    uint32_t start = other.start();
    int h = size / 2;
    for (int c = 0; c < 3; c++) {
      Floats grid(size_t(h) * h);
      normal(start, c * h * h, h * h, grid.data());
      blotches[c] = Enlarged(std::move(grid), h, h, size, size);
    }
  }
  for (int y = 0; y < size; y++) {
    normal(grey, y * size, size, shared.data());
    for (int c = 0; c < 3; c++) {
      normal(coloured, int(c * all) + y * size, size, own.data());
      if (P(coarse_noise) > 0) blotches[c].row(y, blotch.data());
      float *o = image + c * all + size_t(y) * size;
      float fine_noise = P(noise), rough = P(coarse_noise);
      SIMD for (int x = 0; x < size; x++) o[x] += ((own[x] * 0.5f + shared[x] * 0.8f) * fine_noise + blotch[x] * rough) * (0.35f + std::sqrt(clamp(o[x], 0, 1)) * 0.8f);
    }
  }
  if (P(sharpen) > 0) {
    Floats soft(image, image + 3 * all);
    gaussian(soft.data(), 3, size, size, 1);
    float much = P(sharpen);
    SIMD for (size_t i = 0; i < 3 * all; i++) image[i] += much * (image[i] - soft[i]);
  }
  if (P(jpeg) > 0) compressed(p, image, size);
  SIMD for (size_t i = 0; i < 3 * all; i++) image[i] = std::nearbyint(clamp(image[i], 0, 1) * 255) / 255;
  return change;
}
