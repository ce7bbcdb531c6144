import type { SectionText } from '../copy';
import type { Findings, TireFinding } from '../findings';
import { oneDecimal } from '../numbers';
import { withParticle } from '../particles';
import { mm, SEVERITY_LABELS, tireNames, WEAR_DESCRIPTIONS, WEAR_LABELS } from './ko-1.0-words';

const ESTIMATE_NOTE = '추정치이며 노면, 차량, 운전 조건에 따라 달라질 수 있습니다.';
const BAND_LABELS = { short: '새 타이어와 비슷', moderate: '조금 길어짐', long: '많이 길어짐' } as const;

const unreadTires = (tires: readonly TireFinding[]): TireFinding[] => tires.filter(({ minimumDepthMm }) => minimumDepthMm === null);

export function treadWearText({ tires, treadSeverity, minimumDepthMm, ruleset }: Findings): SectionText {
  const unread = unreadTires(tires);
  const legal = mm(ruleset.depth.legalLimitMm);
  const advised = mm(ruleset.depth.inspectionThresholdMm);
  const paragraphs: string[] = [];
  if (minimumDepthMm === null) {
    paragraphs.push('홈 깊이를 확인하지 못했습니다. 트레드가 잘 보이도록 다시 촬영해 주세요.');
  } else {
    paragraphs.push(`${unread.length === 0 ? '네 타이어' : '확인된 타이어'} 중 가장 얕은 홈 깊이는 ${mm(minimumDepthMm)}입니다.`);
    if (minimumDepthMm <= ruleset.depth.legalLimitMm) {
      paragraphs.push(`마모 한계선(${legal})에 이른 타이어가 있습니다. 빠른 교체가 필요합니다.`);
    } else if (minimumDepthMm <= ruleset.depth.inspectionThresholdMm) {
      paragraphs.push(`마모 한계선(${legal})보다는 깊지만 권장 기준(${advised}) 이하입니다. 교체 시기를 준비해 주세요.`);
    } else {
      paragraphs.push(`권장 기준(${advised})보다 깊게 남아 있습니다.`);
    }
    if (unread.length > 0) paragraphs.push(`${withParticle(tireNames(unread), '은/는')} 홈 깊이를 확인하지 못했습니다.`);
  }
  return { title: '트레드 마모', badge: SEVERITY_LABELS[treadSeverity], paragraphs };
}

export function brakingText({ braking, tires, ruleset }: Findings): SectionText {
  const title = '빗길 제동거리';
  if (!braking) return { title, badge: null, paragraphs: ['홈 깊이를 확인하지 못해 빗길 제동거리를 추정할 수 없습니다.'] };
  const paragraphs: string[] = [];
  const condition = `젖은 노면에서 시속 ${ruleset.braking.speedKmh}km로 달리다 급제동하면`;
  const current = oneDecimal(braking.currentTireDistanceM);
  if (braking.gapM === 0) {
    paragraphs.push(`${condition}, 현재 타이어는 새 타이어와 같은 약 ${current}m에서 멈추는 것으로 추정됩니다.`);
  } else {
    const fresh = oneDecimal(braking.newTireDistanceM);
    paragraphs.push(`${condition}, 새 타이어는 약 ${fresh}m, 현재 타이어는 약 ${current}m에서 멈추는 것으로 추정됩니다.`);
    const lengths = braking.gapCarLengths >= 1 ? `로, 승용차 약 ${oneDecimal(braking.gapCarLengths)}대 길이입니다` : '입니다';
    paragraphs.push(`차이는 약 ${oneDecimal(braking.gapM)}m${lengths}.`);
  }
  if (unreadTires(tires).length > 0) paragraphs.push('홈 깊이가 확인된 타이어만으로 계산했습니다.');
  paragraphs.push(ESTIMATE_NOTE);
  return { title, badge: BAND_LABELS[braking.band], paragraphs };
}

export function wearPatternText({ wear }: Findings): SectionText {
  if (!wear) throw new Error('A manual report has no wear pattern section');
  const title = '편마모';
  const paragraphs = wear.codes.map((code) => {
    const names = tireNames(wear.affected.filter((tire) => tire.wear?.code === code));
    return `${names}에서 ${withParticle(WEAR_LABELS[code], '이/가')} 보입니다. ${WEAR_DESCRIPTIONS[code]}`;
  });
  if (wear.affected.length === 0 && wear.uncertain.length === 0) paragraphs.push('모든 타이어가 고르게 닳고 있습니다.');
  if (wear.uncertain.length > 0) paragraphs.push(`${withParticle(tireNames(wear.uncertain), '은/는')} 마모 형태를 판단하기 어렵습니다.`);
  const badge = wear.affected.length > 0 ? '점검 권장' : SEVERITY_LABELS[wear.severity];
  return { title, badge, paragraphs };
}

export function positionVarianceText({ axle }: Findings): SectionText {
  const sentence = (label: string, deltaMm: number | null): string =>
    deltaMm === null
      ? `${label} 좌우 차이는 확인하지 못했습니다.`
      : deltaMm === 0
        ? `${label} 좌우 홈 깊이가 같습니다.`
        : `${label} 좌우 홈 깊이 차이는 ${mm(deltaMm)}입니다.`;
  const paragraphs =
    axle.maxDeltaMm === null
      ? ['좌우 타이어의 홈 깊이가 모두 확인된 축이 없어 비교하지 못했습니다.']
      : [sentence('앞바퀴', axle.frontDeltaMm), sentence('뒷바퀴', axle.rearDeltaMm)];
  if (axle.severity === 'caution') paragraphs.push('좌우가 다르게 닳고 있습니다. 위치 교환과 공기압 점검을 받아 보세요.');
  if (axle.severity === 'critical') paragraphs.push('좌우 차이가 큽니다. 가까운 정비소에서 점검을 받아 보세요.');
  return { title: '좌우 마모 차이', badge: SEVERITY_LABELS[axle.severity], paragraphs };
}

export function sidewallText({ sidewall }: Findings): SectionText {
  if (!sidewall) throw new Error('A template without sidewall has no size section');
  const title = '타이어 규격';
  const { frontSpec, rearSpec } = sidewall;
  if (sidewall.recognizedCount === 0) {
    return {
      title,
      badge: SEVERITY_LABELS.unknown,
      paragraphs: ['타이어 규격을 읽지 못했습니다. 옆면 글자가 잘 보이도록 다시 촬영해 주세요.'],
    };
  }
  if (sidewall.disputed) {
    return { title, badge: '확인 필요', paragraphs: ['같은 축의 타이어에서 서로 다른 규격이 읽혔습니다. 실제 규격을 확인해 보세요.'] };
  }
  if (frontSpec !== null && rearSpec !== null) {
    if (sidewall.frontRearMatch) return { title, badge: '앞뒤 같음', paragraphs: [`앞뒤 타이어 규격은 모두 ${frontSpec}입니다.`] };
    const differ = '앞뒤 규격이 다릅니다. 차량에 따라 정상일 수 있으니 제조사 권장 규격을 확인해 보세요.';
    return { title, badge: '앞뒤 다름', paragraphs: [`앞 타이어는 ${frontSpec}, 뒤 타이어는 ${rearSpec}입니다.`, differ] };
  }
  const [read, unread] =
    frontSpec !== null ? [`앞 타이어 규격은 ${frontSpec}입니다.`, '뒤'] : [`뒤 타이어 규격은 ${rearSpec}입니다.`, '앞'];
  return { title, badge: null, paragraphs: [read, `${unread} 타이어 규격은 확인하지 못했습니다.`] };
}
