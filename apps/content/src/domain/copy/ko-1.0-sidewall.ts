import type { SectionText } from './copy';
import type { Findings } from '../verdicts/findings';
import type { AxleSize, SidewallSummary } from '../verdicts/sidewall-summary';
import type { Sentences } from './ko-1.0-sentences';

export function sidewallText({ sidewall, manual }: Findings, say: Sentences): SectionText {
  if (!sidewall) throw new Error('A template without sidewall has no size section');
  return { title: say['title.sidewall_spec'](), badge: badge(sidewall, say), paragraphs: paragraphs(sidewall, manual, say) };
}

function badge({ severity, frontRearMatch }: SidewallSummary, say: Sentences): string {
  if (severity === 'unknown') return say['severity.unknown']();
  if (severity === 'caution') return say['badge.size.disputed']();
  if (frontRearMatch === null) return say['badge.partlyUnknown']();
  return say[frontRearMatch ? 'badge.size.match' : 'badge.size.differ']();
}

function paragraphs(
  { front, rear, recognizedCount, frontSpec, frontRearMatch }: SidewallSummary,
  manual: boolean,
  say: Sentences,
): string[] {
  if (recognizedCount === 0) {
    if (manual) return [say['size.notEntered']()];
    const hasImage = front.state === 'unread' || rear.state === 'unread';
    return [say[hasImage ? 'size.unread' : 'size.noImage']()];
  }
  const settled = [
    ...(front.state === 'read' && front.settled ? [say['size.frontSettled']()] : []),
    ...(rear.state === 'read' && rear.settled ? [say['size.rearSettled']()] : []),
  ];
  if (frontRearMatch && frontSpec !== null) return [say['size.match'](frontSpec), ...settled];
  const axles = [ofAxle('front', front, manual, say), ofAxle('rear', rear, manual, say)];
  return [...axles, ...(frontRearMatch === false ? [say['size.differ']()] : []), ...settled];
}

function ofAxle(axle: 'front' | 'rear', size: AxleSize, manual: boolean, say: Sentences): string {
  switch (size.state) {
    case 'read':
      return say[`size.${axle}`](size.spec);
    case 'disputed':
      return say[`size.${axle}Disputed`]();
    case 'unread':
      return say[`size.${axle}Unread`]();
    case 'no_image':
      return manual ? say[`size.${axle}Unread`]() : say[`size.${axle}NoImage`]();
  }
}
