import { Content } from '@tire/contracts/api';
import { generateContent } from './generate';
import { API_URL, type Car, CONTENT_REVISION, even, NO_IMAGE, type Size, snapshotOf } from '../fixtures/snapshot.fixture';

type Four<T> = readonly [T, T, T, T];

const generate = (car: Car) => Content.parse(generateContent(snapshotOf(car), CONTENT_REVISION, API_URL).content);
const everyFour = <T>(states: readonly T[]): Four<T>[] =>
  states.flatMap((a) => states.flatMap((b) => states.flatMap((c) => states.map((d): Four<T> => [a, b, c, d]))));

const section = (content: Content, id: string) => {
  const found = content.sections.find(({ section_id }) => section_id === id)!;
  return { ...found, text: found.paragraphs.join(' ') };
};

const LABELS = ['앞 왼쪽', '앞 오른쪽', '뒤 왼쪽', '뒤 오른쪽'] as const;
const ALL = '네 타이어 모두';
/** The tires that a text names. */
const named = (text: string) => (text.includes(ALL) ? [...LABELS] : LABELS.filter((label) => text.includes(label)));
const labelsWhere = (states: Four<State>, holds: (state: State) => boolean) => LABELS.filter((_label, index) => holds(states[index]!));

const DEPTHS = { good: even(6), caution: even(2.4), unread: null, empty: [], noImage: NO_IMAGE } as const;
type State = keyof typeof DEPTHS;
const carOf = (states: Four<State>): Car => ({
  depths: [DEPTHS[states[0]], DEPTHS[states[1]], DEPTHS[states[2]], DEPTHS[states[3]]],
});
const isKnown = (state: State) => state === 'good' || state === 'caution';
const isUnread = (state: State) => state === 'unread' || state === 'empty';

describe('every combination of tires that are good, worn, unread, empty or without a photo', () => {
  const cases = everyFour(Object.keys(DEPTHS) as State[]).map((states) => ({ states, content: generate(carOf(states)) }));

  it('is 625 cars', () => {
    expect(cases).toHaveLength(625);
  });

  it('names exactly the tires that could not be read, that have no photo and that need a replacement', () => {
    for (const { states, content } of cases) {
      const namedWith = (end: string) => content.overall!.paragraphs.filter((paragraph) => paragraph.includes(end)).flatMap(named);
      expect(namedWith('홈 깊이를 확인하지 못했습니다.')).toEqual(labelsWhere(states, isUnread));
      expect(namedWith('사진이 없어')).toEqual(labelsWhere(states, (state) => state === 'noImage'));
      expect(namedWith('교체를 준비할')).toEqual(labelsWhere(states, (state) => state === 'caution'));
    }
  });

  it('mentions all tires only where all are known', () => {
    for (const { states, content } of cases) {
      const all = states.every(isKnown);
      const texts = [...content.overall!.paragraphs, section(content, 'tread_wear').text, section(content, 'braking_distance').text].join(
        ' ',
      );
      expect(/모든 타이어|네 타이어 중|계속 사용/.test(texts)).toBe(all);
      expect(texts.includes('홈 깊이가 확인된 타이어만으로')).toBe(!all && states.some(isKnown));
      expect(section(content, 'wear_pattern').text.includes('네 타이어 모두 고르게')).toBe(all);
    }
  });

  it('is good only where every tire is good, and has no number for an unknown tire', () => {
    for (const { states, content } of cases) {
      expect(content.overall!.severity === 'good').toBe(states.every((state) => state === 'good'));
      for (const [index, state] of states.entries()) {
        const tire = content.tires[index]!;
        expect(tire.minimum_remaining_depth_mm === null).toBe(!isKnown(state));
        if (!isKnown(state)) expect(tire.narrative).not.toMatch(/\d/);
        expect(tire.decision_label).toBe(
          { good: '계속 사용 가능', caution: '교체 준비 권장', unread: '재촬영 필요', empty: '재촬영 필요', noImage: '촬영 필요' }[state],
        );
      }
    }
  });

  it('has no braking distance without a depth, and no short one that an unread tire could lengthen', () => {
    for (const { states, content } of cases) {
      const { severity, metrics, paragraphs } = section(content, 'braking_distance');
      if (!states.some(isKnown)) {
        expect(paragraphs).toEqual(['홈 깊이를 확인하지 못해 빗길 제동거리를 추정하지 못했습니다.']);
        expect(metrics).toMatchObject({ current_tire_distance_m: null, distance_gap_m: null, distance_gap_percent: null, band: null });
      }
      if (!states.every(isKnown)) expect(severity).not.toBe('good');
    }
  });

  it('compares the two sides of an axle where both are known', () => {
    for (const { states, content } of cases) {
      const { text, metrics } = section(content, 'position_variance');
      const front = isKnown(states[0]) && isKnown(states[1]);
      const rear = isKnown(states[2]) && isKnown(states[3]);
      expect(Object.values(metrics).map((value) => value !== null)).toEqual([front, rear, front || rear]);
      expect(text.includes('앞바퀴의 좌우 차이는 확인하지 못했습니다.')).toBe(!front && rear);
      expect(text.includes('뒷바퀴의 좌우 차이는 확인하지 못했습니다.')).toBe(front && !rear);
      expect(text.includes('앞바퀴와 뒷바퀴 모두')).toBe(!front && !rear);
    }
  });

  it('requests a measurement, never a photo, in a manual report', () => {
    for (const states of everyFour<State>(['good', 'caution', 'unread', 'empty', 'noImage'])) {
      const content = generate({ ...carOf(states), sizes: [null, null, null, null], mode: 'manual' });
      expect(JSON.stringify(content)).not.toMatch(/촬영|사진/);
      expect(content.tires.map(({ decision_label }) => decision_label === '측정 필요')).toEqual(states.map((state) => !isKnown(state)));
    }
  });
});

describe('every combination of two sizes, an unread size and no photo', () => {
  const ONE: Size = [225, 45, 17];
  const OTHER: Size = [205, 55, 16];
  const cases = everyFour<Size | null | typeof NO_IMAGE>([ONE, OTHER, null, NO_IMAGE]).map((sizes) => {
    const content = generate({ sizes });
    return { sizes, content, size: section(content, 'sidewall_spec') };
  });

  it('is 256 cars', () => {
    expect(cases).toHaveLength(256);
  });

  it('shows a size of an axle only where a tire of that axle has it', () => {
    const texts = { front: (sizes: readonly unknown[]) => sizes.slice(0, 2), rear: (sizes: readonly unknown[]) => sizes.slice(2) };
    for (const { sizes, size } of cases) {
      const { front_spec, rear_spec, recognized_count, front_rear_match } = size.metrics as Record<string, unknown>;
      for (const [axle, spec] of [
        ['front', front_spec],
        ['rear', rear_spec],
      ] as const) {
        const read = texts[axle](sizes).flatMap((one) => (one === ONE ? ['225/45R17'] : one === OTHER ? ['205/55R16'] : []));
        if (new Set(read).size === 1) expect(spec).toBe(read[0]);
        else expect(spec === null || read.includes(spec as string)).toBe(true);
      }
      expect(recognized_count).toBe(sizes.filter((one) => one === ONE || one === OTHER).length);
      expect(front_rear_match).toBe(front_spec === null || rear_spec === null ? null : front_spec === rear_spec);
      expect((size.text.match(/\d+\/\d+R\d+/g) ?? []).every((spec) => spec === front_spec || spec === rear_spec)).toBe(true);
    }
  });

  it('describes each axle: a size, a dispute, an unread size, or no photo', () => {
    for (const { sizes, size } of cases) {
      if (size.severity === 'unknown') {
        expect(size.text).toMatch(sizes.some((one) => one === null) ? '읽지 못했습니다.' : '옆면 사진이 없어');
        continue;
      }
      if (size.text.startsWith('앞뒤 타이어의 규격은')) continue;
      for (const [label, [left, right]] of [
        ['앞', [sizes[0], sizes[1]]],
        ['뒤', [sizes[2], sizes[3]]],
      ] as const) {
        const sentence = size.paragraphs.find((paragraph) => paragraph.startsWith(`${label} 타이어`))!;
        const read = [left, right].filter((one) => one === ONE || one === OTHER);
        if (read.length === 0) expect(sentence).toMatch(left === NO_IMAGE && right === NO_IMAGE ? '사진이 없어' : '확인하지 못했습니다.');
        else expect(sentence).toMatch(/R1[67]입니다\.|서로 다르게 확인되었습니다/);
      }
    }
  });

  it('settles a dispute only where the other axle has one of the two sizes', () => {
    const read = (pair: readonly unknown[]) => [ONE, OTHER].filter((size) => pair.includes(size));
    for (const { sizes, size } of cases) {
      const [front, rear] = [read(sizes.slice(0, 2)), read(sizes.slice(2))];
      const { front_spec, rear_spec } = size.metrics as Record<string, unknown>;
      if (front.length === 2) expect(front_spec === null).toBe(rear.length !== 1);
      if (rear.length === 2) expect(rear_spec === null).toBe(front.length !== 1);
    }
  });

  it('never makes a size critical', () => {
    expect(new Set(cases.map(({ size }) => size.severity))).toEqual(new Set(['good', 'caution', 'unknown']));
    expect(new Set(cases.map(({ content }) => content.overall!.severity))).toEqual(new Set(['good']));
  });
});
