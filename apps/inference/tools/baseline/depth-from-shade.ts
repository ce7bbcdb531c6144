/**
 * Depth from shade. The floor of a long groove of width w and depth D, under an even sky, sees the share (w/2) / sqrt((w/2)^2 + D^2) of the
 * light that a rib sees. Solved for depth: D = w/2 * sqrt(1/r^2 - 1), where r is the linear luminance of floor over rib. Light reflected by
 * the walls raises r; `wallLightShare`, fitted on the rendered samples, corrects that. Sun, flash, dirt and water break the assumption: the
 * depth is an estimate and was never compared with a gauge.
 */
export interface DepthCalibration {
  readonly treadWidthMm: number;
  readonly wallLightShare: number;
  readonly scale: number;
  readonly offsetMm: number;
  readonly deepestMm: number;
}

export function depthFromShade(darkness: number, widthMm: number, calibration: DepthCalibration): number {
  const direct = Math.min(1, Math.max(0.02, (darkness - calibration.wallLightShare) / (1 - calibration.wallLightShare)));
  const raw = (widthMm / 2) * Math.sqrt(1 / (direct * direct) - 1);
  return Math.min(calibration.deepestMm, Math.max(0, calibration.scale * raw + calibration.offsetMm));
}
