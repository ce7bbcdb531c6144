import { Content, type ContentSection } from '@tire/contracts/api';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOCALES, REPORT_NAMES, reportFixture } from '../testing/reports.fixture';
import { contentFixture } from './content.fixture';
import { assetIds, brakingBars, depthScale, remainingText, sidewallLines, sizeRows, tireDepth } from './facts';
import { baldText, listedDepths, sided } from './grooves';
import { reportPage } from './report-page';
import { signOfCar, signOfSection, signOfTire } from './severity';
import { wordsOf } from './words';
import { ENGLISH } from './words-en';
import { KOREAN } from './words-ko';

const GOLDENS = join(__dirname, '../../../content/src/domain/goldens');
const goldens = readdirSync(GOLDENS)
  .filter((file) => file.endsWith('.json'))
  .map((file): [string, Content] => [file, Content.parse(JSON.parse(readFileSync(join(GOLDENS, file), 'utf8')))]);
const today = REPORT_NAMES.flatMap((name) =>
  LOCALES.map((locale): [string, Content] => [`${name} ${locale}`, reportFixture(name, locale)]),
);

const pageOf = (content: Content): string =>
  reportPage({
    content,
    images: new Map(assetIds(content).map((id) => [id, { url: id, smallUrl: id, orientation: 1, widthPx: 900, heightPx: 1_200 }])),
    imageOrigin: 'https://i.example',
    cardUrl: 'https://s.example/c.png',
    pdfUrl: 'https://s.example/p.pdf',
  }).html;
const metricsOf = <Id extends ContentSection['section_id']>({ sections }: Content, id: Id) =>
  sections.find((one): one is Extract<ContentSection, { section_id: Id }> => one.section_id === id)!;

describe('a green tick', () => {
  // Every label that may stand beside one, in the language of the document.
  const REASSURING = /^(양호|앞뒤 같음|새 타이어와 비슷|Good|Front and rear match|Close to a new tire)$/;

  it.each([...goldens, ...today])('of %s stands beside reassuring words only', (_, content) => {
    const labels = content.sections.flatMap((one) => (signOfSection(one, content.tires) === 'good' ? [one.badge_label ?? ''] : []));
    expect(labels.filter((label) => !REASSURING.test(label))).toEqual([]);
    expect(signOfCar(content) === 'good' && content.tires.some((tire) => signOfTire(tire) === 'unknown')).toBe(false);
  });

  it('never belongs to a tire that is not sure, has a bald zone, or has no depth', () => {
    const [tire] = contentFixture().tires;
    expect(signOfTire(tire!)).toBe('good');
    expect(signOfTire({ ...tire!, certainty: 'near_limit' })).toBe('unknown');
    expect(signOfTire({ ...tire!, minimum_remaining_depth_mm: null })).toBe('unknown');
    expect(signOfTire({ ...tire!, bald: { worn_smooth: false, share_of_width: 0.2, places: ['center'] } })).toBe('unknown');
  });
});

describe('the facts of a document', () => {
  const ko = reportFixture('worn', 'ko-KR');
  const en = reportFixture('worn', 'en-US');

  it('a depth with an interval is about, one without is plain', () => {
    expect(tireDepth(KOREAN, ko.tires[0]!)).toEqual({ about: '약', depth: '1.7mm', interval: '(1.2~2.2mm)' });
    expect(tireDepth(ENGLISH, en.tires[0]!)).toEqual({ about: 'about', depth: '1.7\u00a0mm', interval: '(1.2–2.2\u00a0mm)' });
    expect(tireDepth(KOREAN, contentFixture().tires[0]!)).toEqual({ about: null, depth: '6.2mm', interval: null });
  });

  it('a braking distance with a range is that range', () => {
    expect(brakingBars(KOREAN, metricsOf(ko, 'braking_distance'))!.bars[1]!.value).toBe('약 74.1~88.3m');
    expect(brakingBars(KOREAN, metricsOf(contentFixture(), 'braking_distance'))!.bars[1]!.value).toBe('약 59.0m');
  });

  it('the order of the grooves is from the outside only where the side is known', () => {
    const [known, unknown] = ko.render_data.tread_overlays;
    expect(sided(KOREAN, known!).depthsOrder).toBe('바깥쪽부터 (mm)');
    expect(sided(KOREAN, unknown!).depthsOrder).toBe('왼쪽부터 (mm)');
    expect(sided(ENGLISH, { ...known!, vehicle_side: 'unknown' }).depthsOrder).toBe('From the left (mm)');
    expect(listedDepths(ENGLISH, unknown!)[0]).toEqual({ text: '1.0', interval: '(0.5–1.5)' });
  });

  it('bald zones name their places, and sides only where they are known', () => {
    const [overlay] = reportFixture('bald', 'ko-KR').render_data.tread_overlays;
    expect(baldText(KOREAN, overlay!)).toBe('무늬가 보이지 않는 곳: 가운데 (보이는 폭의 약 28%)');
    const zones = [{ ...overlay!.bald_zones!.zones[0]!, place: 'first_shoulder' as const }];
    const shoulder = { ...overlay!, bald_zones: { ...overlay!.bald_zones!, zones } };
    expect(baldText(ENGLISH, shoulder)).toContain('outer edge');
    expect(baldText(ENGLISH, { ...shoulder, vehicle_side: null })).toContain('left edge');
  });

  it('a tire without a groove has words in place of a depth, and no mark on the scale', () => {
    const bald = reportFixture('bald', 'en-US');
    expect(pageOf(bald)).toContain('<p class="depth none">No groove visible</p>');
    const scale = depthScale(ENGLISH, metricsOf(bald, 'tread_wear').metrics, bald.tires);
    expect([scale.mark, scale.span, scale.legend[2]!.value]).toEqual([null, null, 'No groove visible']);
  });

  it('an axle with two sizes shows both', () => {
    const mixed = reportFixture('mixed-sizes', 'ko-KR');
    expect(sizeRows(KOREAN, metricsOf(mixed, 'sidewall_spec').metrics, mixed)).toEqual([
      { label: '앞 왼쪽', value: '205/55R16' },
      { label: '앞 오른쪽', value: '225/45R17' },
      { label: '뒤', value: '225/45R17' },
    ]);
  });

  it('a remaining distance is rounded outwards, and never stands beside a tire that has to be replaced', () => {
    const [tire] = reportFixture('good', 'en-US').tires;
    expect(remainingText(ENGLISH, { ...tire!, remaining_distance_km: [12_345, 23_456] })).toBe(
      'About 12,300–23,500\u00a0km to the wear limit',
    );
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
});

it.each(today)('%s is less than 100 KB before its images', (_, content) => {
  expect(Buffer.byteLength(pageOf(content))).toBeLessThan(100_000);
});

describe('English', () => {
  it.each(REPORT_NAMES)('%s has no Korean letter, and its language', (name) => {
    const html = pageOf(reportFixture(name, 'en-US'));
    // The font names and the masked plate are no words of the page.
    expect(html.replace(/<bdi>.*?<\/bdi>/, '')).not.toMatch(/\p{Script=Hangul}/u);
    expect(html).toContain('<html lang="en-US">');
  });

  it('has every word of the Korean page, and an unknown locale has Korean ones', () => {
    expect(Object.keys(ENGLISH).sort()).toEqual(Object.keys(KOREAN).sort());
    expect(wordsOf(contentFixture({ content_profile: { key: 'tire-standard', version: '1.0', locale: 'fr-FR' } }))).toBe(KOREAN);
  });

  it('has no term of its own for the wear limit', () => {
    for (const [, content] of [...goldens, ...today]) expect(pageOf(content)).not.toContain('법정 한계');
  });
});
