import { Content, type ContentSection } from '@tire/contracts/api';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { everyReport, LOCALES, reportFixture } from '../../testing/reports.fixture';
import { contentFixture } from '../content.fixture';
import { carDrawing } from '../drawings/car';
import { assetIds, brakingBars, depthScale, footnote, remainingText, sidewallLines, sizeRows, tireDepth } from './facts';
import { baldText, listedDepths, listingOf } from './grooves';
import { reportPage } from '../document/report-page';
import { signOfCar, signOfDecision, signOfSection, signOfTire } from './severity';
import { wordsOf } from '../words/words';
import { ENGLISH } from '../words/words-en';
import { KOREAN } from '../words/words-ko';

const GOLDENS = join(__dirname, '../../../../content/src/domain/goldens');
const goldens = readdirSync(GOLDENS)
  .filter((file) => file.endsWith('.json'))
  .map((file): [string, Content] => [file, Content.parse(JSON.parse(readFileSync(join(GOLDENS, file), 'utf8')))]);
const today = LOCALES.flatMap(everyReport);

const pageOf = (content: Content): string =>
  reportPage({
    content,
    images: new Map(assetIds(content).map((id) => [id, { thumbnailUrl: id, smallUrl: id, orientation: 1, widthPx: 900, heightPx: 1_200 }])),
    imageOrigin: 'https://i.example',
    cardUrl: 'https://s.example/c.png',
    pdfUrl: 'https://s.example/p.pdf',
  }).html;
const metricsOf = <Id extends ContentSection['section_id']>({ sections }: Content, id: Id) =>
  sections.find((one): one is Extract<ContentSection, { section_id: Id }> => one.section_id === id)!;

describe('a green tick', () => {
  /** Every label that may stand beside one, of every version of the copy. */
  const REASSURING = ['양호', '앞뒤 같음', '모두 같음', '새 타이어와 비슷', 'Good', 'All the same', 'Like a new tire'];
  const REASSURING_DECISIONS = ['계속 사용 가능', '홈 깊이 충분', 'Enough tread'];

  it.each([...goldens, ...today])('of %s stands beside reassuring words only', (_, content) => {
    const { sections, tires, overall } = content;
    const labels = sections.flatMap((one) => (signOfSection(one, tires) === 'good' ? [one.badge_label] : []));
    const ofTires = tires.flatMap((one) => (signOfTire(one) === 'good' ? [one.severity_label] : []));
    const ofCar = overall && signOfCar(content) === 'good' ? [overall.severity_label] : [];
    expect([...labels, ...ofTires, ...ofCar].filter((label) => label === null || !REASSURING.includes(label))).toEqual([]);
    const decisions = tires.flatMap((one) => (signOfDecision(one) === 'good' ? [one.decision_label] : []));
    expect(decisions.filter((label) => !REASSURING_DECISIONS.includes(label))).toEqual([]);
    expect(signOfCar(content) === 'good' && tires.some((tire) => signOfTire(tire) === 'unknown')).toBe(false);
  });

  it.each(today)('of %s never differs from a badge that is not good', (_, content) => {
    for (const one of content.sections) {
      const sign = signOfSection(one, content.tires);
      expect([one.section_id, sign]).toEqual([
        one.section_id,
        one.severity === 'good' ? expect.stringMatching(/good|neutral/) : one.severity,
      ]);
    }
  });

  it('never belongs to a tire that is not sure, has a bald zone, or has no depth', () => {
    const [tire] = contentFixture().tires;
    expect(signOfTire({ ...tire!, depth_interval_mm: [5.8, 6.6] })).toBe('good');
    expect(signOfTire({ ...tire!, certainty: 'near_limit' })).toBe('unknown');
    expect(signOfTire({ ...tire!, minimum_remaining_depth_mm: null })).toBe('unknown');
    expect(signOfTire({ ...tire!, unseen_parts: [{ place: 'center', reason: 'groove_unclear' }] })).toBe('unknown');
    expect(signOfTire({ ...tire!, bald: { worn_smooth: false, share_of_width: 0.2, places: ['center'] } })).toBe('unknown');
  });
});

describe('the facts of a document', () => {
  const ko = reportFixture('near-limit', 'ko-KR');
  const en = reportFixture('near-limit', 'en-US');

  it('a depth with an interval is about, one without is plain', () => {
    expect(tireDepth(KOREAN, ko.tires[0]!)).toEqual({ about: '약', depth: '1.9mm', interval: '(1.4~2.4mm)' });
    expect(tireDepth(ENGLISH, en.tires[0]!)).toEqual({ about: 'about', depth: '1.9\u00a0mm', interval: '(1.4–\u20602.4\u00a0mm)' });
    expect(tireDepth(KOREAN, contentFixture().tires[0]!)).toEqual({ about: null, depth: '6.2mm', interval: null });
  });

  it('a braking distance with a range is that range', () => {
    expect(brakingBars(KOREAN, metricsOf(ko, 'braking_distance'))!.bars[1]!.value).toBe('약 69.3~75.6m');
    expect(brakingBars(KOREAN, metricsOf(contentFixture(), 'braking_distance'))!.bars[1]!.value).toBe('약 59.0m');
  });

  it('a braking distance whose far end is not known is a lower bound', () => {
    const bars = (locale: 'ko-KR' | 'en-US') => {
      const content = reportFixture('similar-photograph-critical', locale);
      return brakingBars(wordsOf(content), metricsOf(content, 'braking_distance'))!;
    };
    expect(bars('ko-KR').bars[1]!.value).toBe('약 73.7m 이상');
    expect(bars('en-US').bars[1]!.value).toBe('about 73.7\u00a0m or more');
    const exact = metricsOf(reportFixture('exact-depths', 'ko-KR'), 'braking_distance');
    const atLeast = brakingBars(KOREAN, { ...exact, metrics: { ...exact.metrics, distance_is_at_least: true } })!;
    expect([atLeast.bars[1]!.value, atLeast.note]).toEqual(['약 69.8m 이상', null]);
  });

  it('the order of the grooves is from the outside only where the side is known', () => {
    const [known] = ko.render_data.tread_overlays;
    const [unknown] = reportFixture('wear-side-unknown', 'ko-KR').render_data.tread_overlays;
    expect(listingOf(KOREAN, known!, ko.tires).depthsOrder).toBe('바깥쪽부터 (mm)');
    expect(listingOf(KOREAN, unknown!, ko.tires).depthsOrder).toBe('왼쪽부터 (mm)');
    expect(listingOf(ENGLISH, { ...known!, vehicle_side: 'unknown' }, ko.tires).depthsOrder).toBe('From the left (mm)');
    expect(listedDepths(ENGLISH, unknown!, ko.tires)[0]).toEqual({ text: '3.5', interval: '(3.0–\u20604.0)' });
  });

  it('bald zones name their places, and sides only where they are known', () => {
    const [known] = reportFixture('bald-shoulder-side-known', 'ko-KR').render_data.tread_overlays;
    expect(baldText(KOREAN, known!, ko.tires)).toBe('무늬가 없어 보이는 곳: 바깥쪽 가장자리 (보이는 폭의 약 20%)');
    expect(baldText(ENGLISH, known!, ko.tires)).toContain('outer edge');
    const [unknown] = reportFixture('bald-shoulder-side-unknown', 'ko-KR').render_data.tread_overlays;
    expect(baldText(ENGLISH, unknown!, ko.tires)).toContain('left edge of the photo, center');
  });

  it('a tire without a groove has words in place of a depth, and no mark on the scale', () => {
    const bald = reportFixture('worn-smooth', 'en-US');
    expect(pageOf(bald)).toContain('<p class="depth none">No groove found</p>');
    const { metrics } = metricsOf(bald, 'tread_wear');
    const scale = depthScale(ENGLISH, metrics, bald.tires);
    expect([scale.mark, scale.span, scale.legend[2]!.value]).toEqual([null, null, 'about 5.0\u00a0mm (4.5–\u20605.5\u00a0mm)']);
    const none = depthScale(ENGLISH, { ...metrics, minimum_remaining_depth_mm: null }, bald.tires);
    expect(none.legend[2]!.value).toBe('No groove found');
  });

  it('a tire that has lost its pattern in places never has only the depth of its other grooves', () => {
    const bald = reportFixture('bald-center', 'ko-KR');
    expect(pageOf(bald)).toContain('<p class="bald">무늬 없는 곳 있음</p>');
    expect(pageOf(reportFixture('good', 'ko-KR'))).not.toContain('무늬 없는 곳 있음');
    const scale = depthScale(KOREAN, metricsOf(bald, 'tread_wear').metrics, bald.tires);
    expect([scale.mark, scale.span]).toEqual([null, null]);
  });

  it('a speed is shown only for a single distance', () => {
    expect(brakingBars(KOREAN, metricsOf(ko, 'braking_distance'))!.note).toBeNull();
    expect(brakingBars(KOREAN, metricsOf(reportFixture('exact-depths', 'ko-KR'), 'braking_distance'))!.note).toContain('57km');
  });

  it('an axle of which one size was read names the tire', () => {
    const partly = reportFixture('sizes-one-of-each-axle', 'ko-KR');
    expect(sizeRows(KOREAN, metricsOf(partly, 'sidewall_spec').metrics, partly)).toEqual([
      { label: '앞 왼쪽', value: '225/45R17' },
      { label: '뒤 왼쪽', value: '225/45R17' },
    ]);
  });

  it('a photograph without a result has a text that states it', () => {
    const tread = (html: string) => /<b>앞 왼쪽 트레드<\/b>([\s\S]*?)<\/figcaption>/.exec(html)![1];
    expect(tread(pageOf(reportFixture('unread-and-near-limit', 'ko-KR')))).toContain('깊이 확인 불가');
    expect(tread(pageOf(reportFixture('worn-smooth', 'ko-KR')))).not.toContain('깊이 확인 불가');
    expect(tread(pageOf(reportFixture('good', 'ko-KR')))).not.toContain('깊이 확인 불가');
  });

  it('an axle with two sizes shows both', () => {
    const mixed = reportFixture('sizes-mixed-front', 'ko-KR');
    expect(sizeRows(KOREAN, metricsOf(mixed, 'sidewall_spec').metrics, mixed)).toEqual([
      { label: '앞 왼쪽', value: '205/55R16' },
      { label: '앞 오른쪽', value: '215/55R17' },
      { label: '뒤', value: '225/45R17' },
    ]);
  });

  it('a remaining distance is rounded outwards, and never stands beside a tire that has to be replaced', () => {
    const [tire] = reportFixture('good', 'en-US').tires;
    expect(remainingText(ENGLISH, { ...tire!, remaining_distance_km: [12_345, 23_456] })).toBe(
      'About 12,300–\u206023,500\u00a0km to the wear limit',
    );
    expect(remainingText(KOREAN, { ...tire!, remaining_distance_km: [0, 6_700] })).toBe('마모 한계선까지 많아야 약 6,700km');
    expect(remainingText(ENGLISH, { ...tire!, severity: 'critical' })).toBeNull();
    expect(remainingText(KOREAN, contentFixture().tires[0]!)).toBeNull();
  });

  it.each([
    [71, null],
    [72, KOREAN.olderThanSix],
    [119, KOREAN.olderThanSix],
    [120, KOREAN.olderThanTen],
  ])('at %i months the advice is %j', (age_months, advice) => {
    const [sidewall] = reportFixture('good', 'ko-KR').render_data.sidewall_specs;
    expect(sidewallLines(KOREAN, { ...sidewall!, manufactured: { week: 23, year: 2020, age_months } }).advice).toBe(advice);
  });

  it('a sidewall photograph that other positions share names them, and has no advice about an age', () => {
    const content = reportFixture('good', 'ko-KR');
    const [first, ...rest] = content.render_data.sidewall_specs;
    const old = { ...first!, manufactured: { week: 23, year: 2010, age_months: 130 }, same_image_slot_ids: [rest[0]!.slot_id] };
    expect(sidewallLines(KOREAN, old).advice).toBe('같거나 거의 같은 사진: 앞 오른쪽');
    expect(sidewallLines(KOREAN, { ...old, manufactured: null }).advice).toBe('같거나 거의 같은 사진: 앞 오른쪽');
    const html = pageOf({ ...content, render_data: { ...content.render_data, sidewall_specs: [old, ...rest] } });
    expect(/<b>앞 왼쪽 옆면<\/b>([\s\S]*?)<\/figcaption>/.exec(html)![1]).toMatch(/<p class="found caution">[\s\S]*앞 오른쪽<\/span>/);
    expect(html).not.toContain(KOREAN.olderThanTen);
  });
});

describe('a photograph in two slots', () => {
  const [ko, en] = [reportFixture('similar-photograph-critical', 'ko-KR'), reportFixture('similar-photograph-critical', 'en-US')];
  const [left, right] = ko.render_data.tread_overlays;

  it('has no tire: neither the depths in their places nor the drawing of the car claim one', () => {
    const places = (html: string) => [...html.matchAll(/<li class="at \w+">([\s\S]*?)<\/li>/g)].map(([, place]) => place!);
    const [frontLeft, frontRight, rearLeft] = places(pageOf(ko));
    for (const place of [frontLeft!, frontRight!]) {
      expect(place).toContain('어느 타이어인지 모름');
      expect(place).not.toMatch(/\dmm|위험/);
      expect(place).toMatch(/badge critical[\s\S]*즉시 점검 필요/);
    }
    expect(rearLeft).toContain('6.0mm');
    expect(places(pageOf(en))[0]).toContain('Tire not known');
    const wheels = carDrawing(ko.tires).shapes.flatMap(({ look }) => (look.startsWith('wheel') ? [look] : []));
    expect(wheels).toEqual(['wheel unknown', 'wheel unknown', 'wheel good', 'wheel good']);
  });

  it('has a left and a right as it is shown, and no outside', () => {
    const depths = (overlay: typeof left, change: Partial<NonNullable<typeof left>>) =>
      listedDepths(KOREAN, { ...overlay!, remaining_depths_mm: [1, 2, 3, 4], ...change }, ko.tires).map(({ text }) => text);
    expect(listingOf(KOREAN, left!, ko.tires).depthsOrder).toBe('왼쪽부터 (mm)');
    expect(listingOf(ENGLISH, right!, en.tires).depthsOrder).toBe('From the left (mm)');
    expect(pageOf(en).match(/From the outside/g)).toHaveLength(2);
    // The first groove is the outermost: on the right where the inside of the car is shown on the left.
    expect(depths(left, { vehicle_side: 'right' })).toEqual(['1.0', '2.0', '3.0', '4.0']);
    expect(depths(left, { vehicle_side: 'left' })).toEqual(['4.0', '3.0', '2.0', '1.0']);
    const mirrored = { vehicle_side: 'left', coordinate_system: { ...left!.coordinate_system, mirror_x: true } } as const;
    expect(depths(left, mirrored)).toEqual(['1.0', '2.0', '3.0', '4.0']);
    expect(depths(left, { vehicle_side: null })).toEqual(['1.0', '2.0', '3.0', '4.0']);
    const [bald] = reportFixture('bald-shoulder-side-known', 'ko-KR').render_data.tread_overlays;
    expect(baldText(KOREAN, { ...bald!, vehicle_side: 'right' }, ko.tires)).toContain('사진 왼쪽 가장자리');
    expect(baldText(KOREAN, { ...bald!, vehicle_side: 'left' }, ko.tires)).toContain('사진 오른쪽 가장자리');
  });

  it('is not flipped: both slots show it as it was taken', () => {
    const golden = (name: string): Content => JSON.parse(readFileSync(join(GOLDENS, `2.0-ko-KR/${name}.json`), 'utf8')) as Content;
    const mirrors = ({ render_data }: Content) => render_data.tread_overlays.map(({ coordinate_system }) => coordinate_system.mirror_x);
    expect(mirrors(golden('good'))).toEqual([false, true, false, true]);
    expect(mirrors(golden('similar-photograph-critical'))).toEqual([false, false, false, true]);
  });
});

describe('a depth of a photograph without an interval', () => {
  const [ko, en] = [reportFixture('good-without-intervals', 'ko-KR'), reportFixture('good-without-intervals', 'en-US')];

  it('is neither green nor in doubt: its error is not known', () => {
    expect(ko.tires.map(signOfTire)).toEqual(['neutral', 'neutral', 'neutral', 'neutral']);
    expect(ko.tires.map(signOfDecision)).toEqual(['neutral', 'neutral', 'neutral', 'neutral']);
    expect(signOfCar(ko)).toBe('neutral');
    const signs = ko.sections.map((one) => [one.section_id, signOfSection(one, ko.tires)]);
    expect(signs).toEqual([
      ['tread_wear', 'neutral'],
      ['braking_distance', 'neutral'],
      ['wear_pattern', 'neutral'],
      ['position_variance', 'neutral'],
      ['sidewall_spec', 'good'],
    ]);
    expect(pageOf(ko)).toContain('오차가 얼마나 되는지');
    expect(pageOf(en)).toContain('not known how exact');
  });

  it('has its sentence on the page where an older document has none', () => {
    const old = contentFixture();
    expect(signOfTire(old.tires[0]!)).toBe('neutral');
    expect(pageOf(old)).toContain('이 측정값의 오차가 얼마나 되는지는 알 수 없습니다.');
    expect(pageOf(ko)).not.toContain(`<p class="fine">${KOREAN.noRange}</p>`);
    expect(pageOf(reportFixture('good', 'ko-KR'))).not.toContain('오차가 얼마나 되는지');
  });

  it('stays a fault where it is one, and what a person entered stays what it is', () => {
    const exact = reportFixture('exact-depths', 'ko-KR');
    expect(signOfTire(exact.tires[0]!)).toBe('caution');
    const manual = reportFixture('manual-good', 'ko-KR');
    expect(signOfCar(manual)).toBe('good');
    expect(pageOf(manual)).not.toContain('오차 범위');
  });
});

describe('a manual report', () => {
  it.each(LOCALES)('in %s states that its values were entered', (locale) => {
    for (const name of ['manual-good', 'manual-critical']) {
      const page = pageOf(reportFixture(name, locale));
      expect(page).not.toMatch(/측정되|측정값|읽혔|읽은|판독|measured|was read|were read|사진/);
      expect(page).toMatch(locale === 'ko-KR' ? /입력된 값/ : /entered values/);
    }
    const words = wordsOf(reportFixture('good', locale));
    expect(footnote(words, reportFixture('good', locale))).toBe(words.footnote);
    expect(footnote(words, reportFixture('manual-good', locale))).toBe(words.footnoteEntered);
  });
});

it.each(today)('%s is less than 100 KB before its images', (_, content) => {
  expect(Buffer.byteLength(pageOf(content))).toBeLessThan(100_000);
});

describe('English', () => {
  it.each(everyReport('en-US'))('%s has no Korean letter, and its language', (_, content) => {
    const html = pageOf(content);
    // The font names and the masked plate are no words of the page.
    expect(html.replace(/<bdi>.*?<\/bdi>/, '')).not.toMatch(/\p{Script=Hangul}/u);
    expect(html).toContain('<html lang="en-US">');
  });

  it('keeps a number on one line with its unit', () => {
    expect(pageOf(reportFixture('good', 'en-US'))).toContain('about 5.8\u00a0mm (5.3–\u20606.3\u00a0mm).</p>');
    expect(pageOf(reportFixture('good', 'en-US'))).not.toMatch(/\d (mm|m|km)\b/);
  });

  it('has every word of the Korean page, and an unknown locale has Korean ones', () => {
    expect(Object.keys(ENGLISH).sort()).toEqual(Object.keys(KOREAN).sort());
    expect(wordsOf(contentFixture({ content_profile: { key: 'tire-standard', version: '1.0', locale: 'fr-FR' } }))).toBe(KOREAN);
  });

  it('has no term of its own for the wear limit', () => {
    for (const [, content] of [...goldens, ...today]) expect(pageOf(content)).not.toContain('법정 한계');
  });
});
