import { emptyField, type Field } from '../field';
import { grooveDirection } from './groove-direction';
import type { TreadMaps } from './tread-maps';

const MIN_TREAD = 0.4;

export interface GroovesOnTread {
  /** Groove probability, where there is tread. */
  readonly onTread: Field;
  readonly directionRad: number;
}

/** The search for the main tread and the measurement need those of the same maps. */
const computed = new WeakMap<TreadMaps, GroovesOnTread>();

export function groovesOnTread(maps: TreadMaps): GroovesOnTread {
  const before = computed.get(maps);
  if (before) return before;
  const { tread, groove, rotationRad } = maps;
  const onTread = emptyField(groove.width, groove.height);
  for (let i = 0; i < onTread.data.length; i++) if (tread.data[i]! > MIN_TREAD) onTread.data[i] = groove.data[i]!;
  const result = { onTread, directionRad: grooveDirection(onTread, rotationRad) };
  computed.set(maps, result);
  return result;
}
