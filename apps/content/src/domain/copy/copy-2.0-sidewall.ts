import type { SectionText } from './copy';
import type { AxleReading, AxleSizes } from '../verdicts/axle-sizes';
import type { Findings } from '../verdicts/findings';
import type { Severity } from '../verdicts/severity';
import type { Language } from './copy-2.0-language';
import { about, ageAdviceOf, tiresOf } from './copy-2.0-words';

export function sidewallText({ sidewall, manual, ruleset, tires }: Findings, language: Language): SectionText {
  if (!sidewall?.axles) throw new Error('A template without sidewall has no size section');
  const say = language.sentences;
  const { axles, severity } = sidewall;
  const limit = language.percent(ruleset.doubt?.diameterDifferenceMaxPercent ?? 0);
  const at = (positions: readonly string[]) => tires.filter(({ position }) => positions.includes(position));
  const advised = (positions: readonly string[]) => at(positions).filter((tire) => ageAdviceOf(tire) !== null);
  const paragraphs = [
    ...sizes(axles, manual, limit, language),
    ...about(language, at(axles.shared), say['size.shared']),
    ...about(language, at(axles.similar), say['size.similar']),
    ...about(language, advised(axles.replace), say['size.replace']),
    ...about(language, advised(axles.check), say['size.check']),
  ];
  return { title: say['title.sidewall_spec'](), badge: badge(axles, severity, language), paragraphs };
}

/** None where the sizes differ front and rear: whether the car is built for them is not known. */
function badge(
  { mixedAxles, diametersDiffer, recognizedCount, frontRearMatch }: AxleSizes,
  severity: Severity,
  { sentences: say }: Language,
) {
  if (mixedAxles.length > 0) return say['badge.size.mixed']();
  if (diametersDiffer) return say['badge.size.diameter']();
  if (severity === 'caution') return say['badge.size.old']();
  if (recognizedCount === 0) return say['severity.unknown']();
  if (frontRearMatch === null) return say['badge.size.partly']();
  return frontRearMatch ? say['badge.size.match']() : null;
}

function sizes(axles: AxleSizes, manual: boolean, limit: string, language: Language): string[] {
  const say = language.sentences;
  const { front, rear, recognizedCount, frontRearMatch, diametersDiffer, diameterDifferencePercent } = axles;
  if (recognizedCount === 0) {
    if (manual) return [say['size.notEntered']()];
    if (front.state === 'unread' && rear.state === 'unread') return [say['size.unread']()];
    if (front.state === 'no_image' && rear.state === 'no_image') return [say['size.noImage']()];
    // Images in two slots have a sentence of their own.
    return [
      ...(front.state === 'shared' ? [] : ofAxle('front', front, manual, language)),
      ...(rear.state === 'shared' ? [] : ofAxle('rear', rear, manual, language)),
    ];
  }
  const isConfirmed = !manual && (front.isManual || rear.isManual);
  if (frontRearMatch) return [say[isConfirmed ? 'size.matchConfirmed' : 'size.match'](front.specs[0]!)];
  const both = [...ofAxle('front', front, manual, language), ...ofAxle('rear', rear, manual, language)];
  if (diametersDiffer && diameterDifferencePercent !== null)
    both.push(say[isConfirmed ? 'size.diameterConfirmed' : 'size.diameter'](language.percent(diameterDifferencePercent), limit));
  else if (frontRearMatch === false) both.push(say[isConfirmed ? 'size.differConfirmed' : 'size.differ']());
  return both;
}

function ofAxle(axle: 'front' | 'rear', reading: AxleReading, manual: boolean, language: Language): string[] {
  const say = language.sentences;
  const { state, specs, read, isManual, diameterDifferencePercent: percent } = reading;
  // An automatic report has such a size only where a person confirmed it.
  const how = isManual && !manual ? 'Confirmed' : '';
  switch (state) {
    case 'both':
      return [say[`size.${axle}${how}`](specs[0]!)];
    case 'one':
      return [say[`size.${axle}One${how}`](tiresOf(language, [{ position: read[0]! }]), specs[0]!)];
    case 'mixed':
      return [
        say[`size.${axle}Mixed${how}`](specs[0]!, specs[1]!),
        ...(percent ? [say[`size.${axle}Diameter`](language.percent(percent))] : []),
      ];
    case 'shared':
    case 'unread':
      return [say[`size.${axle}Unread`]()];
    case 'no_image':
      return [say[manual ? (`size.${axle}Unread` as const) : (`size.${axle}NoImage` as const)]()];
  }
}
