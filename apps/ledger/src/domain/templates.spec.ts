import { slotId } from '@tire/kernel';
import { TEMPLATES, hasSlot, meetsRequirements, slotsOf, templateOf } from './templates';

const positions = ['front_left', 'front_right', 'rear_left', 'rear_right'] as const;
const treads = positions.map((position) => ({ position, image_type: 'tread' as const }));
const sidewalls = positions.map((position) => ({ position, image_type: 'sidewall' as const }));

describe('templates', () => {
  it.each([
    ['tire_4t_2s', 8, 2],
    ['tire_4t_4s', 8, 2],
    ['tire_4t_0s', 4, 1],
  ] as const)('%s has %i slots and %i requirements', (key, slots, requirements) => {
    expect(slotsOf(TEMPLATES[key])).toHaveLength(slots);
    expect(TEMPLATES[key].requirements).toHaveLength(requirements);
    expect(TEMPLATES[key].version).toBe('1.0');
  });

  it('has no sidewall slot where the template has no sidewall', () => {
    expect(hasSlot(TEMPLATES.tire_4t_0s, 'tire.sidewall.front_left')).toBe(false);
    expect(hasSlot(TEMPLATES.tire_4t_2s, 'tire.sidewall.front_left')).toBe(true);
    expect(hasSlot(TEMPLATES.tire_4t_2s, 'tire.dashboard.front_left')).toBe(false);
  });

  const pairs = sidewalls.flatMap((first, index) => sidewalls.slice(index + 1).map((second) => [first, second] as const));

  it.each(pairs.map((pair) => [pair.map(slotId).join(' + '), pair] as const))('tire_4t_2s is met with %s', (_, pair) => {
    expect(meetsRequirements(TEMPLATES.tire_4t_2s, [...treads, ...pair])).toBe(true);
    expect(meetsRequirements(TEMPLATES.tire_4t_4s, [...treads, ...pair])).toBe(false);
  });

  it.each([
    ['tire_4t_2s', 4, 1, false],
    ['tire_4t_2s', 3, 4, false],
    ['tire_4t_2s', 4, 4, true],
    ['tire_4t_4s', 4, 3, false],
    ['tire_4t_4s', 4, 4, true],
    ['tire_4t_0s', 3, 0, false],
    ['tire_4t_0s', 4, 0, true],
  ] as const)('%s with %i treads and %i sidewalls: %s', (key, treadCount, sidewallCount, met) => {
    expect(meetsRequirements(TEMPLATES[key], [...treads.slice(0, treadCount), ...sidewalls.slice(0, sidewallCount)])).toBe(met);
  });

  it('finds the version that a report was made with, and no other', () => {
    expect(templateOf('tire_4t_2s', '1.0')).toBe(TEMPLATES.tire_4t_2s);
    expect(() => templateOf('tire_4t_2s', '9.0')).toThrow('tire_4t_2s 9.0');
  });
});
