import type { Position, TireFinding } from '../findings';
import { oneDecimal } from '../numbers';
import type { Severity } from '../verdict';
import type { WearCode } from '../wear-pattern';

export const SEVERITY_LABELS: Record<Severity, string> = { good: '양호', caution: '주의', critical: '위험', unknown: '확인 불가' };

export const POSITION_LABELS: Record<Position, string> = {
  front_left: '앞 왼쪽',
  front_right: '앞 오른쪽',
  rear_left: '뒤 왼쪽',
  rear_right: '뒤 오른쪽',
};

export const WEAR_LABELS: Record<WearCode, string> = {
  even_wear: '고른 마모',
  center_wear_overinflation_candidate: '중앙 마모',
  both_shoulder_wear_underinflation_candidate: '양쪽 가장자리 마모',
  one_shoulder_wear_alignment_candidate: '한쪽 마모',
  mixed_or_uncertain: '판단 어려움',
};

export const WEAR_DESCRIPTIONS: Record<WearCode, string> = {
  even_wear: '홈 깊이가 전체적으로 고르게 남아 있습니다.',
  center_wear_overinflation_candidate: '가운데가 가장자리보다 더 닳았습니다. 공기압이 높았을 가능성이 있으니 공기압을 확인해 보세요.',
  both_shoulder_wear_underinflation_candidate:
    '양쪽 가장자리가 가운데보다 더 닳았습니다. 공기압이 낮았을 가능성이 있으니 공기압을 확인해 보세요.',
  one_shoulder_wear_alignment_candidate: '한쪽 가장자리가 더 닳았습니다. 휠 얼라인먼트가 맞지 않았을 가능성이 있으니 점검을 받아 보세요.',
  mixed_or_uncertain: '사진에서 읽은 홈 깊이만으로는 마모 형태를 판단하기 어렵습니다.',
};

export const mm = (depthMm: number): string => `${oneDecimal(depthMm)}mm`;

/** "앞 왼쪽, 뒤 오른쪽 타이어", or "네 타이어 모두" where it is all of them. */
export function tireNames(tires: readonly Pick<TireFinding, 'position'>[]): string {
  return `${tires.map(({ position }) => POSITION_LABELS[position]).join(', ')} 타이어`;
}
