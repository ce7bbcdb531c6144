import type { ContentSection } from '@tire/contracts/api';

/** The figures of one distance, in place of a range. */
const OF_ONE_DISTANCE = ['distance_gap_m', 'distance_gap_car_lengths', 'distance_gap_percent', 'speed_at_new_tire_stop_kmh'];

/** Beside a range they would be too exact, and the bars show the range itself. */
const isTooExact = ({ metrics }: ContentSection, name: string): boolean =>
  'current_tire_distance_range_m' in metrics &&
  metrics.current_tire_distance_range_m !== null &&
  (OF_ONE_DISTANCE.includes(name) || name === 'current_tire_distance_range_m');

/** That a distance is no lower bound says nothing, and is wrong where no distance is known. */
const isNoBound = ({ metrics }: ContentSection, name: string): boolean =>
  name === 'distance_is_at_least' && 'distance_is_at_least' in metrics && !metrics.distance_is_at_least;

export const isLeftOut = (section: ContentSection, name: string): boolean => isTooExact(section, name) || isNoBound(section, name);
