import type { Content, ContentSection } from '@tire/contracts/api';
import { everyReport, LOCALES, reportFixture } from '../../testing/reports.fixture';
import { reportPage } from '../document/report-page';
import { LANGUAGES, wordsOf } from '../words/words';
import { ENGLISH } from '../words/words-en';
import { KOREAN } from '../words/words-ko';
import { assetIds, axleRows, depthScale, unseenNote } from './facts';
import { unseenTexts } from './grooves';
import { signOfDecision } from './severity';

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

describe('ranges', () => {
  it.each(today)('the lowest groove of %s has one range, beside the scale and in the text', (_, content) => {
    const wear = metricsOf(content, 'tread_wear');
    const [, , lowest] = depthScale(wordsOf(content), wear.metrics, content.tires).legend;
    const range = /\([\d.]+[~–][\d.]+/.exec(lowest!.value.replaceAll(/[\u00a0\u2060]/g, ''))?.[0];
    const ranges = wear.paragraphs.flatMap((text) => text.match(/\([\d.]+[~–][\d.]+/g) ?? []);
    if (ranges.length > 0) expect(ranges).toEqual([range]);
  });

  it('the range of the lowest groove is that of the document: any tire may have it', () => {
    const { tires, sections } = reportFixture('good', 'ko-KR');
    const ranged = tires.map((tire, index) => ({
      ...tire,
      minimum_remaining_depth_mm: [2.8, 3.4, 5, 5][index]!,
      depth_interval_mm: ([[0.2, 7], [2.2, 5], null, [4, 6]] as ([number, number] | null)[])[index]!,
    }));
    const wear = sections.find(({ section_id }) => section_id === 'tread_wear')!.metrics as { legal_limit_mm: number };
    const metrics = { ...wear, minimum_remaining_depth_mm: 2.8, inspection_threshold_mm: 3 };
    const { legend, span } = depthScale(KOREAN, metrics, ranged);
    expect(legend[2]!.value).toBe('약 2.8mm (0.2~5.0mm)');
    expect(span).toEqual({ from: 0.2 / 8, to: 5 / 8 });
    expect(
      depthScale(
        KOREAN,
        metrics,
        ranged.map((tire) => ({ ...tire, depth_interval_mm: null })),
      ).legend[2]!.value,
    ).toBe('2.8mm');
  });

  it('a difference of depths with intervals is about, one of entered depths is exact', () => {
    const rowsOf = (name: string) => {
      const content = reportFixture(name, 'ko-KR');
      return axleRows(KOREAN, metricsOf(content, 'position_variance').metrics, content.tires).map(({ value }) => value);
    };
    expect(rowsOf('axle-difference')).toEqual(['약 2.0mm', '약 0.8mm']);
    expect(rowsOf('part-outside-photograph')).toEqual(['확인 불가', '약 0.0mm']);
    expect(rowsOf('manual-critical')).toEqual(['1.0mm', '확인 불가']);
  });

  it('the note on ranges promises no share of true depths: it was never measured on photographs', () => {
    for (const { intervalsNote } of LANGUAGES) expect(intervalsNote).not.toMatch(/열에|퍼센트|%|in ten/);
  });
});

describe('a part of the tread that was not seen', () => {
  const name = 'part-outside-photograph';

  it.each([
    [KOREAN, 'ko-KR', '일부만 확인됨', '사진 밖으로 잘린 곳: 바깥쪽 가장자리'],
    [ENGLISH, 'en-US', 'Checked in part only', 'Cut off by the photo: outer edge'],
  ] as const)('stands under the depth and the photograph (%#)', (words, locale, note, line) => {
    const content = reportFixture(name, locale);
    const [tire, other] = content.tires;
    expect([unseenNote(words, tire!), unseenNote(words, other!)]).toEqual([note, null]);
    expect(unseenNote(words, { ...tire!, severity: 'critical' })).toBeNull();
    const [overlay, whole] = content.render_data.tread_overlays;
    expect(unseenTexts(words, overlay!, content.tires)).toEqual([line]);
    expect(unseenTexts(words, whole!, content.tires)).toEqual([]);
    for (const text of [note, line]) expect(pageOf(content).replaceAll(/[\u00a0\u2060]/g, ' ')).toContain(text);
    expect(signOfDecision(tire!)).toBe('caution');
  });

  it('names the edges as the photograph shows them where the side is not known, and each reason once', () => {
    const content = reportFixture(name, 'ko-KR');
    const overlay = {
      ...content.render_data.tread_overlays[0]!,
      vehicle_side: 'unknown' as const,
      unseen_parts: [
        { place: 'first_shoulder' as const, reason: 'outside_image' as const },
        { place: 'center' as const, reason: 'groove_unclear' as const },
        { place: 'last_shoulder' as const, reason: 'groove_unclear' as const },
      ],
    };
    expect(unseenTexts(KOREAN, overlay, content.tires)).toEqual([
      '사진 밖으로 잘린 곳: 사진 왼쪽 가장자리',
      '홈이 있는지 분명하지 않은 곳: 가운데, 사진 오른쪽 가장자리',
    ]);
    expect(unseenTexts(KOREAN, { ...overlay, unseen_parts: undefined }, content.tires)).toEqual([]);
  });
});
