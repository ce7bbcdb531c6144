"""Random textures. Random numbers are drawn on the CPU, picture by picture, so that every device and batch size gives the same ones."""

import torch
import torch.nn.functional as F


class Dice:
    """One generator for each picture of the batch."""

    def __init__(self, seeds, device):
        self.seeds = seeds
        self.generators = [torch.Generator().manual_seed((int(s) * 2654435761 + 12345) % (1 << 62)) for s in seeds]
        self.device = device

    def apart(self, salt):
        """Dice of their own for what only some pictures need, so that the others' throws do not depend on it."""
        return Dice([int(s) + (salt << 44) for s in self.seeds], self.device)

    def uniform(self, *shape):
        return torch.stack([torch.rand(shape, generator=g) for g in self.generators]).to(self.device)

    def normal(self, *shape):
        return torch.stack([torch.randn(shape, generator=g) for g in self.generators]).to(self.device)

    def smooth(self, height, width, cells, stretch=1.0):
        """Value noise in -1..1 with `cells` across, periodic from top to bottom; `stretch` lengthens it downwards."""
        rows = max(2, round(cells * height / width / stretch))
        grid = self.uniform(1, rows, cells + 1) * 2 - 1
        grid = torch.cat([grid[:, :, -1:], grid, grid[:, :, :1]], 2)
        if cells <= width // 12:
            grid = F.interpolate(grid, scale_factor=4, mode="bicubic", align_corners=False)
        up = F.interpolate(grid, size=(height * (rows + 2) // rows, width), mode="bilinear", align_corners=False)
        margin = (up.shape[2] - height) // 2
        return up[:, 0, margin : margin + height]

    def fractal(self, height, width, cells, octaves=3, stretch=1.0):
        total = 0
        for k in range(octaves):
            total = total + self.smooth(height, width, min(width, cells * 2**k), stretch) * 0.6**k
        return total


def blurred(image, radius):
    """Box blur of [B,H,W], periodic in neither direction."""
    return F.avg_pool2d(F.pad(image[:, None], [radius] * 4, mode="replicate"), 2 * radius + 1, 1)[:, 0]
