import type { Copy, TireText } from '../copy';
import type { Findings, TireFinding } from '../findings';
import { withParticle } from '../particles';
import { isUneven } from '../wear-pattern';
import { brakingText, positionVarianceText, sidewallText, treadWearText, wearPatternText } from './ko-1.0-sections';
import { mm, POSITION_LABELS, SEVERITY_LABELS, tireNames, WEAR_DESCRIPTIONS, WEAR_LABELS } from './ko-1.0-words';

/** Issued: its output never changes. */
export const COPY_KO_1_0: Copy = {
  version: '1.0',
  locale: 'ko-KR',
  severityLabel: (severity) => SEVERITY_LABELS[severity],
  positionLabel: (position) => POSITION_LABELS[position],
  overall,
  tire: tireText,
  treadWear: treadWearText,
  brakingDistance: brakingText,
  wearPattern: wearPatternText,
  positionVariance: positionVarianceText,
  sidewallSpec: sidewallText,
};

function overall(findings: Findings): { headline: string; paragraphs: string[] } {
  const at = (severity: TireFinding['severity']) => findings.tires.filter((tire) => tire.severity === severity);
  const paragraphs: string[] = [];
  if (at('critical').length > 0) paragraphs.push(`${withParticle(tireNames(at('critical')), '은/는')} 즉시 교체가 필요합니다.`);
  if (at('caution').length > 0) paragraphs.push(`${withParticle(tireNames(at('caution')), '은/는')} 교체 시기를 준비해 주세요.`);
  if (findings.wear && findings.wear.affected.length > 0) {
    paragraphs.push(`${tireNames(findings.wear.affected)}에서 편마모가 보입니다. 정비소에서 점검을 받아 보세요.`);
  }
  if (findings.axle.severity === 'caution' || findings.axle.severity === 'critical') {
    paragraphs.push('좌우 타이어의 홈 깊이가 다르게 남아 있습니다. 정비소에서 점검을 받아 보세요.');
  }
  if (at('unknown').length > 0) {
    paragraphs.push(`${withParticle(tireNames(at('unknown')), '은/는')} 상태를 확인하지 못했습니다. 다시 촬영해 주세요.`);
  }
  if (paragraphs.length === 0) paragraphs.push('모든 타이어의 홈 깊이가 권장 기준보다 깊습니다. 계속 사용하실 수 있습니다.');
  return { headline: headline(findings), paragraphs };
}

function headline({ severity, treadSeverity }: Findings): string {
  if (severity === 'critical') return '즉시 교체가 필요한 타이어가 있습니다.';
  if (severity === 'unknown') return '상태를 확인하지 못한 타이어가 있습니다.';
  if (severity === 'good') return '타이어 상태가 양호합니다.';
  return treadSeverity === 'caution' ? '교체를 준비할 타이어가 있습니다.' : '점검이 필요한 부분이 있습니다.';
}

function tireText(tire: TireFinding, { ruleset }: Findings): TireText {
  const { wear } = tire;
  return {
    positionLabel: POSITION_LABELS[tire.position],
    decisionLabel: decisionLabel(tire),
    narrative: narrative(tire, mm(ruleset.depth.legalLimitMm), mm(ruleset.depth.inspectionThresholdMm)),
    wear: wear && { label: wearLabel(wear), description: WEAR_DESCRIPTIONS[wear.code] },
  };
}

function wearLabel(wear: NonNullable<TireFinding['wear']>): string {
  const label = WEAR_LABELS[wear.code];
  return wear.wornSide === null ? label : `${label} (${wear.wornSide === 'inside' ? '안쪽' : '바깥쪽'})`;
}

function decisionLabel({ severity, wear }: TireFinding): string {
  if (severity === 'critical') return '즉시 교체 필요';
  if (severity === 'caution') return '교체 준비 권장';
  if (severity === 'unknown') return '재촬영 필요';
  return wear && isUneven(wear.code) ? '정비소 점검 권장' : '계속 사용 가능';
}

function narrative({ position, minimumDepthMm, severity }: TireFinding, legal: string, advised: string): string {
  const name = `${POSITION_LABELS[position]} 타이어`;
  if (minimumDepthMm === null) return `${name}의 홈 깊이를 확인하지 못했습니다. 트레드가 잘 보이도록 다시 촬영해 주세요.`;
  const depth = `${name}의 최소 홈 깊이가 ${withParticle(mm(minimumDepthMm), '으로/로')}`;
  if (severity === 'critical') {
    const reached = mm(minimumDepthMm) === legal ? `마모 한계선(${legal})에 이르렀습니다` : `마모 한계선(${legal})보다 얕습니다`;
    return `${depth} ${reached}. 즉시 교체가 필요합니다.`;
  }
  if (severity === 'caution') {
    if (mm(minimumDepthMm) === advised) return `${depth} 권장 기준(${advised})과 같습니다. 교체 시기를 준비해 주세요.`;
    return `${depth} 권장 기준(${advised})보다 얕습니다. 교체 시기를 준비해 주세요.`;
  }
  return `${depth} 권장 기준(${advised})보다 깊습니다.`;
}
