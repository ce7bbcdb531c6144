import { withParticle } from './particles';

/**
 * Every text of this version, each a whole sentence or label. Sentences are not assembled from fragments. Arguments are depths
 * with their unit ("2.7mm"), sizes ("225/45R17"), and names of tires from `ko-1.0-words.ts`.
 */
export const SENTENCES = {
  'severity.good': () => '양호',
  'severity.caution': () => '주의',
  'severity.critical': () => '위험',
  'severity.unknown': () => '확인 불가',

  'position.front_left': () => '앞 왼쪽',
  'position.front_right': () => '앞 오른쪽',
  'position.rear_left': () => '뒤 왼쪽',
  'position.rear_right': () => '뒤 오른쪽',

  'tires.all': () => '네 타이어 모두',

  'decision.good': () => '계속 사용 가능',
  'decision.caution': () => '교체 준비 권장',
  'decision.pattern': () => '정비소 점검 권장',
  'decision.critical': () => '즉시 교체 필요',
  'decision.unread': () => '재촬영 필요',
  'decision.noImage': () => '촬영 필요',
  'decision.notEntered': () => '측정 필요',

  'badge.partlyUnknown': () => '일부 확인 불가',
  'badge.band.short': () => '새 타이어와 비슷',
  'badge.band.moderate': () => '조금 길어짐',
  'badge.band.long': () => '많이 길어짐',
  'badge.wear.affected': () => '점검 권장',
  'badge.wear.partlyUncertain': () => '일부 판단 어려움',
  'badge.size.match': () => '앞뒤 같음',
  'badge.size.differ': () => '앞뒤 다름',
  'badge.size.disputed': () => '확인 필요',

  'headline.good': () => '타이어 상태가 양호합니다.',
  'headline.caution': () => '교체를 준비할 타이어가 있습니다.',
  'headline.inspect': () => '정비소 점검을 권장합니다.',
  'headline.critical': () => '즉시 교체가 필요한 타이어가 있습니다.',
  'headline.partlyUnknown': () => '상태를 확인하지 못한 타이어가 있습니다.',
  'headline.unknown': () => '타이어 상태를 확인하지 못했습니다.',

  'overall.critical': (tires: string) => `${tires} 즉시 교체가 필요합니다.`,
  'overall.caution': (tires: string) => `${tires} 교체를 준비할 때가 되었습니다.`,
  'overall.uneven': (tires: string) => `${tires} 고르지 않게 닳았습니다. 정비소에서 점검을 받아 보세요.`,
  'overall.axle': () => '좌우 타이어의 홈 깊이에 차이가 있습니다. 정비소에서 점검을 받아 보세요.',
  'overall.unevenAndAxle': (tires: string) =>
    `${tires} 고르지 않게 닳았고, 좌우 타이어의 홈 깊이에도 차이가 있습니다. 정비소에서 점검을 받아 보세요.`,
  'overall.unread': (tires: string) => `${tires} 홈 깊이를 확인하지 못했습니다. 트레드가 잘 보이도록 다시 촬영해 주세요.`,
  'overall.noImage': (tires: string) => `${tires} 사진이 없어 상태를 확인하지 못했습니다. 트레드가 잘 보이도록 촬영해 주세요.`,
  'overall.notEntered': (tires: string) => `${tires} 홈 깊이 값이 없어 상태를 확인하지 못했습니다. 홈 깊이를 측정해 주세요.`,
  'overall.restGood': (advised: string) => `확인된 타이어의 홈 깊이는 권장 기준(${advised})보다 깊습니다.`,
  'overall.good': (advised: string) => `모든 타이어의 홈 깊이가 권장 기준(${advised})보다 깊습니다. 계속 사용하실 수 있습니다.`,
  'overall.goodLongStop': () => '다만 빗길에서는 새 타이어보다 제동거리가 길어질 수 있으니, 교체 시기를 미리 살펴보세요.',

  'tire.good': (tire: string, depth: string, advised: string) =>
    `${tire}의 최소 홈 깊이가 ${withParticle(depth, '으로/로')} 권장 기준(${advised})보다 깊습니다.`,
  'tire.caution': (tire: string, depth: string, advised: string) =>
    `${tire}의 최소 홈 깊이가 ${withParticle(depth, '으로/로')} 권장 기준(${advised})보다 얕습니다. 교체를 준비해 주세요.`,
  'tire.cautionAtThreshold': (tire: string, depth: string, advised: string) =>
    `${tire}의 최소 홈 깊이가 ${withParticle(depth, '으로/로')} 권장 기준(${advised})과 같습니다. 교체를 준비해 주세요.`,
  'tire.critical': (tire: string, depth: string, legal: string) =>
    `${tire}의 최소 홈 깊이가 ${withParticle(depth, '으로/로')} 마모 한계선(${legal})보다 얕습니다. 즉시 교체가 필요합니다.`,
  'tire.criticalAtLimit': (tire: string, depth: string, legal: string) =>
    `${tire}의 최소 홈 깊이가 ${withParticle(depth, '으로/로')} 마모 한계선(${legal})에 이르렀습니다. 즉시 교체가 필요합니다.`,
  'tire.unread': (tire: string) => `${tire}의 홈 깊이를 확인하지 못했습니다. 트레드가 잘 보이도록 다시 촬영해 주세요.`,
  'tire.noImage': (tire: string) => `${tire}의 사진이 없어 홈 깊이를 확인하지 못했습니다. 트레드가 잘 보이도록 촬영해 주세요.`,
  'tire.notEntered': (tire: string) => `${tire}의 홈 깊이를 확인하지 못했습니다. 홈 깊이를 측정해 주세요.`,

  'wearLabel.even_wear': () => '고른 마모',
  'wearLabel.center_wear_overinflation_candidate': () => '중앙 마모',
  'wearLabel.both_shoulder_wear_underinflation_candidate': () => '양쪽 가장자리 마모',
  'wearLabel.outside': () => '한쪽 마모 (바깥쪽)',
  'wearLabel.inside': () => '한쪽 마모 (안쪽)',
  'wearLabel.oneSide': () => '한쪽 마모',
  'wearLabel.mixed_or_uncertain': () => '판단 어려움',

  'wear.even': () => '홈 깊이가 전체적으로 고르게 남아 있습니다.',
  'wear.likeNew': () => '새 타이어에 가까운 깊이입니다. 홈마다 깊이가 조금 다른 것은 설계에 따른 차이일 수 있습니다.',
  'wear.center': () => '가운데가 가장자리보다 더 닳았습니다. 공기압이 높았을 가능성이 있으니 공기압을 확인해 보세요.',
  'wear.bothShoulders': () => '양쪽 가장자리가 가운데보다 더 닳았습니다. 공기압이 낮았을 가능성이 있으니 공기압을 확인해 보세요.',
  'wear.outside': () => '바깥쪽 가장자리가 더 닳았습니다. 휠 얼라인먼트가 맞지 않았을 가능성이 있으니 점검을 받아 보세요.',
  'wear.inside': () => '안쪽 가장자리가 더 닳았습니다. 휠 얼라인먼트가 맞지 않았을 가능성이 있으니 점검을 받아 보세요.',
  'wear.oneSide': () => '한쪽 가장자리가 더 닳았습니다. 휠 얼라인먼트가 맞지 않았을 가능성이 있으니 점검을 받아 보세요.',
  'wear.noPattern': () => '홈마다 깊이가 다르지만 한 가지 마모 형태로 판단하기 어렵습니다.',
  'wear.fewGrooves': () => '깊이가 확인된 홈이 적어 마모 형태를 판단하기 어렵습니다.',
  'wear.lowConfidence': () => '측정값이 확실하지 않아 마모 형태를 판단하기 어렵습니다.',
  'wear.noDepth': () => '홈 깊이를 확인하지 못해 마모 형태를 판단하지 못했습니다.',

  'title.tread_wear': () => '트레드 마모',
  'title.braking_distance': () => '빗길 제동거리',
  'title.wear_pattern': () => '편마모',
  'title.position_variance': () => '좌우 마모 차이',
  'title.sidewall_spec': () => '타이어 규격',

  'tread.lowestOfAll': (depth: string) => `네 타이어 중 가장 얕은 홈 깊이는 ${depth}입니다.`,
  'tread.lowestOfKnown': (depth: string) => `확인된 타이어 중 가장 얕은 홈 깊이는 ${depth}입니다.`,
  'tread.onlyKnown': (tire: string, depth: string) => `${tire}의 최소 홈 깊이는 ${depth}입니다.`,
  'tread.good': (advised: string) => `이 깊이는 권장 기준(${advised})보다 깊습니다.`,
  'tread.caution': (legal: string, advised: string) =>
    `마모 한계선(${legal})보다는 깊지만 권장 기준(${advised}) 이하입니다. 교체를 준비해 주세요.`,
  'tread.critical': (legal: string) => `홈 깊이가 마모 한계선(${legal})보다 얕은 타이어가 있습니다. 즉시 교체가 필요합니다.`,
  'tread.criticalAtLimit': (legal: string) => `홈 깊이가 마모 한계선(${legal})에 이른 타이어가 있습니다. 즉시 교체가 필요합니다.`,
  'tread.someUnknown': (tires: string) => `${tires}의 홈 깊이는 확인하지 못했습니다.`,
  'tread.unread': () => '홈 깊이를 확인하지 못했습니다. 트레드가 잘 보이도록 다시 촬영해 주세요.',
  'tread.noImage': () => '트레드 사진이 없어 홈 깊이를 확인하지 못했습니다. 트레드가 잘 보이도록 촬영해 주세요.',
  'tread.notEntered': () => '홈 깊이를 확인하지 못했습니다. 홈 깊이를 측정해 주세요.',

  'braking.estimate': (speed: string, fresh: string, current: string) =>
    `젖은 노면에서 ${speed}로 달리다 급제동하면, 새 타이어는 약 ${fresh}, 현재 타이어는 약 ${current}에서 멈추는 것으로 추정됩니다.`,
  'braking.same': (speed: string, current: string) =>
    `젖은 노면에서 ${speed}로 달리다 급제동하면, 현재 타이어도 새 타이어와 마찬가지로 약 ${current}에서 멈추는 것으로 추정됩니다.`,
  'braking.gap': (gap: string) => `차이는 약 ${gap}입니다.`,
  'braking.gapInCars': (gap: string, cars: string) => `차이는 약 ${withParticle(gap, '으로/로')}, 승용차 약 ${cars} 길이입니다.`,
  'braking.lowestOfAll': () => '홈이 가장 얕은 타이어를 기준으로 계산했습니다.',
  'braking.lowestOfKnown': () => '홈 깊이가 확인된 타이어만으로 계산했습니다.',
  'braking.note': () => '추정치이며 노면, 차량, 운전 조건에 따라 달라질 수 있습니다.',
  'braking.unknown': () => '홈 깊이를 확인하지 못해 빗길 제동거리를 추정하지 못했습니다.',

  'pattern.allEven': () => '네 타이어 모두 고르게 닳고 있습니다.',
  'pattern.restEven': () => '나머지 타이어는 고르게 닳고 있습니다.',
  'pattern.center': (tires: string) =>
    `${tires} 가운데가 가장자리보다 더 닳았습니다. 공기압이 높았을 가능성이 있으니 공기압을 확인해 보세요.`,
  'pattern.bothShoulders': (tires: string) =>
    `${tires} 양쪽 가장자리가 가운데보다 더 닳았습니다. 공기압이 낮았을 가능성이 있으니 공기압을 확인해 보세요.`,
  'pattern.outside': (tires: string) =>
    `${tires} 바깥쪽 가장자리가 더 닳았습니다. 휠 얼라인먼트가 맞지 않았을 가능성이 있으니 점검을 받아 보세요.`,
  'pattern.inside': (tires: string) =>
    `${tires} 안쪽 가장자리가 더 닳았습니다. 휠 얼라인먼트가 맞지 않았을 가능성이 있으니 점검을 받아 보세요.`,
  'pattern.oneSide': (tires: string) =>
    `${tires} 한쪽 가장자리가 더 닳았습니다. 휠 얼라인먼트가 맞지 않았을 가능성이 있으니 점검을 받아 보세요.`,
  'pattern.uncertain': (tires: string) => `${tires} 마모 형태를 판단하기 어렵습니다.`,

  'axle.frontEqual': () => '앞바퀴는 좌우 최소 홈 깊이가 같습니다.',
  'axle.rearEqual': () => '뒷바퀴는 좌우 최소 홈 깊이가 같습니다.',
  'axle.frontDelta': (delta: string) => `앞바퀴의 좌우 최소 홈 깊이 차이는 ${delta}입니다.`,
  'axle.rearDelta': (delta: string) => `뒷바퀴의 좌우 최소 홈 깊이 차이는 ${delta}입니다.`,
  'axle.frontUnknown': () => '앞바퀴의 좌우 차이는 확인하지 못했습니다.',
  'axle.rearUnknown': () => '뒷바퀴의 좌우 차이는 확인하지 못했습니다.',
  'axle.unknown': () => '앞바퀴와 뒷바퀴 모두 좌우 차이를 확인하지 못했습니다.',
  'axle.caution': () => '좌우 타이어가 다르게 닳고 있습니다. 위치 교환과 공기압 점검을 권장합니다.',
  'axle.critical': () => '좌우 차이가 큽니다. 가까운 정비소에서 점검을 받아 보세요.',

  'size.match': (spec: string) => `앞뒤 타이어의 규격은 ${withParticle(spec, '으로/로')} 같습니다.`,
  'size.front': (spec: string) => `앞 타이어의 규격은 ${spec}입니다.`,
  'size.rear': (spec: string) => `뒤 타이어의 규격은 ${spec}입니다.`,
  'size.differ': () => '앞뒤 규격이 다릅니다. 차량에 따라 정상일 수 있으니 제조사 권장 규격을 확인해 보세요.',
  'size.frontSettled': () => '앞 타이어 두 개의 규격이 서로 다르게 확인되어, 뒤 타이어에서도 확인된 규격을 표시했습니다.',
  'size.rearSettled': () => '뒤 타이어 두 개의 규격이 서로 다르게 확인되어, 앞 타이어에서도 확인된 규격을 표시했습니다.',
  'size.frontDisputed': () => '앞 타이어 두 개의 규격이 서로 다르게 확인되었습니다. 실제 규격을 확인해 보세요.',
  'size.rearDisputed': () => '뒤 타이어 두 개의 규격이 서로 다르게 확인되었습니다. 실제 규격을 확인해 보세요.',
  'size.frontUnread': () => '앞 타이어의 규격은 확인하지 못했습니다.',
  'size.rearUnread': () => '뒤 타이어의 규격은 확인하지 못했습니다.',
  'size.frontNoImage': () => '앞 타이어는 옆면 사진이 없어 규격을 확인하지 못했습니다.',
  'size.rearNoImage': () => '뒤 타이어는 옆면 사진이 없어 규격을 확인하지 못했습니다.',
  'size.unread': () => '타이어 규격을 읽지 못했습니다. 옆면 글자가 잘 보이도록 다시 촬영해 주세요.',
  'size.noImage': () => '옆면 사진이 없어 타이어 규격을 확인하지 못했습니다.',
  'size.notEntered': () => '타이어 규격을 확인하지 못했습니다. 옆면에 적힌 규격을 살펴봐 주세요.',
} as const;

export type Sentences = typeof SENTENCES;
