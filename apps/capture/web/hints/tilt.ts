/** A phone that lies flatter than this has no up and down. */
const FLAT = 0.35;
export const LEVEL_DEGREES = 5;

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/**
 * How far the picture is turned against the horizon, in degrees, from the angles of a DeviceOrientationEvent; null for a phone that lies
 * flat. A phone held across is as level as an upright one.
 */
export function tiltOf(beta: number | null, gamma: number | null): number | null {
  if (beta === null || gamma === null) return null;
  // Gravity in the plane of the screen: to the right and downwards.
  const right = Math.sin(radians(gamma)) * Math.cos(radians(beta));
  const down = Math.sin(radians(beta));
  if (Math.hypot(right, down) < FLAT) return null;
  const degrees = (Math.atan2(right, down) * 180) / Math.PI;
  const quarter = Math.round(degrees / 90) * 90;
  const tilt = degrees - quarter;
  return tilt === 0 ? 0 : tilt;
}
