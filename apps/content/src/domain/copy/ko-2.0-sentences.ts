import { withParticle } from './particles';
import type { Tires } from './copy-2.0-language';

const every = ({ count }: Tires): string => (count === 2 ? '두 타이어 모두' : '모두');

/**
 * Every text of this version, each a whole sentence or label. Sentences are not assembled from fragments. Arguments are names of tires,
 * depths with their unit and interval ("약 1.7mm (1.2~2.2mm)"), sizes ("225/45R17") and places of a tread.
 */
export const KOREAN_SENTENCES = {
  'severity.good': () => '양호',
  'severity.caution': () => '주의',
  'severity.critical': () => '위험',
  'severity.unknown': () => '확인 불가',

  'position.front_left': () => '앞 왼쪽',
  'position.front_right': () => '앞 오른쪽',
  'position.rear_left': () => '뒤 왼쪽',
  'position.rear_right': () => '뒤 오른쪽',

  'place.center': () => '가운데',
  'place.outside': () => '바깥쪽 가장자리',
  'place.inside': () => '안쪽 가장자리',
  'place.oneSide': () => '한쪽 가장자리',
  'place.bothSides': () => '양쪽 가장자리',

  'decision.good': () => '홈 깊이 충분',
  'decision.pattern': () => '정비소 점검 권장',
  'decision.caution': () => '교체 준비 권장',
  'decision.gauge': () => '게이지로 확인 권장',
  'decision.partUnseen': () => '트레드 전체 확인 권장',
  'decision.old': () => '교체 상담 권장',
  'decision.likely': () => '교체 필요 가능성 높음',
  'decision.critical': () => '즉시 교체 필요',
  'decision.check': () => '즉시 점검 필요',
  'decision.unread': () => '재촬영 필요',
  'decision.noImage': () => '촬영 필요',
  'decision.notEntered': () => '측정 필요',

  'badge.partlyUnknown': () => '일부 확인 불가',
  'badge.nearLimit': () => '한계선 근처',
  'badge.band.short': () => '새 타이어와 비슷',
  'badge.band.moderate': () => '조금 길어짐',
  'badge.band.long': () => '많이 길어짐',
  'badge.band.maybeLonger': () => '더 길어질 수 있음',
  'badge.band.longer': () => '길어짐',
  'badge.braking.aged': () => '고무 노화 미반영',
  'badge.axle.cannotTell': () => '차이 판단 어려움',
  'badge.wear.affected': () => '점검 권장',
  'badge.wear.partlyUncertain': () => '일부 판단 어려움',
  'badge.size.match': () => '모두 같음',
  'badge.size.mixed': () => '좌우 다름',
  'badge.size.diameter': () => '앞뒤 지름 차이 큼',
  'badge.size.old': () => '점검 권장',
  'badge.size.partly': () => '일부만 확인',

  'headline.good': () => '타이어의 홈 깊이가 충분한 것으로 측정되었습니다.',
  'headline.caution': () => '교체를 준비할 타이어가 있습니다.',
  'headline.nearLimit': () => '마모 한계선 근처인 타이어가 있습니다.',
  'headline.maybeAtLimit': () => '마모 한계선에 이르렀을 수도 있는 타이어가 있습니다.',
  'headline.nearThreshold': () => '권장 기준보다 얕을 수 있는 타이어가 있습니다.',
  'headline.uncertain': () => '측정이 불확실해 판단하기 어려운 타이어가 있습니다.',
  'headline.partUnseen': () => '트레드 일부를 확인하지 못한 타이어가 있습니다.',
  'headline.old': () => '판독된 제조 시기로 보아 10년이 지난 타이어가 있습니다.',
  'headline.inspect': () => '정비소 점검을 권장합니다.',
  'headline.likely': () => '교체가 필요할 가능성이 높은 타이어가 있습니다.',
  'headline.bald': () => '매끈하게 닳은 곳이 있는 것으로 보이는 타이어가 있습니다.',
  'headline.baldWhole': () => '무늬가 닳아 없어진 것으로 보이는 타이어가 있습니다.',
  'headline.wornSmooth': () => '매끈하게 닳았을 가능성이 높은 타이어가 있습니다.',
  'headline.check': () => '바로 점검이 필요한 타이어가 있습니다.',
  'headline.critical': () => '즉시 교체가 필요한 타이어가 있습니다.',
  'headline.partlyUnknown': () => '상태를 확인하지 못한 타이어가 있습니다.',
  'headline.unknown': () => '타이어 상태를 확인하지 못했습니다.',

  'overall.critical': (tires: Tires) => `${tires.topic} 즉시 교체가 필요합니다.`,
  'overall.likely': (tires: Tires) =>
    `${tires.topic} 교체가 필요할 가능성이 높지만, 측정 오차 때문에 확실하지 않습니다. 바로 정비소에서 게이지로 확인해 보세요.`,
  'overall.bald': (tires: Tires) => `${tires.topic} 매끈하게 닳은 곳이 있는 것으로 보입니다. 바로 정비소에서 확인해 보세요.`,
  'overall.baldWhole': (tires: Tires) => `${tires.topic} 트레드 전체가 매끈하게 닳은 것으로 보입니다. 바로 정비소에서 확인해 보세요.`,
  'overall.wornSmooth': (tires: Tires) =>
    `${tires.topic} 홈을 찾지 못했습니다. 매끈하게 닳았을 가능성이 높습니다. 바로 정비소에서 확인해 보세요.`,
  'overall.nearLimit': (tires: Tires) => `${tires.topic} 마모 한계선 근처입니다. 정비소에서 게이지로 확인해 보세요.`,
  'overall.maybeAtLimit': (tires: Tires) =>
    `${tires.topic} 측정 오차를 감안하면 마모 한계선에 이르렀을 수도 있습니다. 정비소에서 게이지로 확인해 보세요.`,
  'overall.caution': (tires: Tires) => `${tires.topic} 교체를 준비하는 것이 좋습니다.`,
  'overall.nearThreshold': (tires: Tires, advised: string) =>
    `${tires.topic} 측정 오차를 감안하면 권장 기준(${advised})보다 얕을 수 있습니다. 정비소에서 게이지로 확인해 보세요.`,
  'overall.uncertain': (tires: Tires) =>
    `${tires.topic} 측정이 불확실해 마모 정도를 판단하기 어렵습니다. 정비소에서 게이지로 확인해 보세요.`,
  'overall.partUnseen': (tires: Tires) =>
    `${tires.topic} 트레드 일부를 사진에서 확인하지 못해, 더 얕은 홈이 있는지 알 수 없습니다. 점검한 곳에 트레드 전체가 보이게 다시 찍어 달라고 요청하거나 정비소에서 확인해 보세요.`,
  'overall.uneven': (tires: Tires) => `${tires.topic} 고르지 않게 닳은 것으로 보입니다. 정비소에서 점검을 받아 보세요.`,
  'overall.axleFront': () => '앞 타이어 두 개의 홈 깊이가 서로 다르게 측정되었습니다. 정비소에서 점검을 받아 보세요.',
  'overall.axleRear': () => '뒤 타이어 두 개의 홈 깊이가 서로 다르게 측정되었습니다. 정비소에서 점검을 받아 보세요.',
  'overall.axleBoth': () => '앞 타이어끼리, 뒤 타이어끼리 홈 깊이가 서로 다르게 측정되었습니다. 정비소에서 점검을 받아 보세요.',
  'overall.mixedFront': () => '앞 타이어 두 개의 규격이 서로 다르게 판독되었습니다. 정비소에서 확인해 보세요.',
  'overall.mixedRear': () => '뒤 타이어 두 개의 규격이 서로 다르게 판독되었습니다. 정비소에서 확인해 보세요.',
  'overall.mixedBoth': () => '앞 타이어끼리, 뒤 타이어끼리 규격이 서로 다르게 판독되었습니다. 정비소에서 확인해 보세요.',
  'overall.diameter': () => '판독된 규격으로 계산한 앞뒤 타이어의 바깥지름 차이가 큽니다. 차량에 맞는 규격인지 정비소에서 확인해 보세요.',
  // A person confirmed a size of these: not all of them were read.
  'overall.mixedFrontConfirmed': () => '앞 타이어 두 개의 규격이 서로 다릅니다. 정비소에서 확인해 보세요.',
  'overall.mixedRearConfirmed': () => '뒤 타이어 두 개의 규격이 서로 다릅니다. 정비소에서 확인해 보세요.',
  'overall.mixedBothConfirmed': () => '앞 타이어끼리, 뒤 타이어끼리 규격이 서로 다릅니다. 정비소에서 확인해 보세요.',
  'overall.diameterConfirmed': () =>
    '확인된 규격으로 계산한 앞뒤 타이어의 바깥지름 차이가 큽니다. 차량에 맞는 규격인지 정비소에서 확인해 보세요.',
  'overall.old': (tires: Tires) =>
    `옆면에서 판독된 제조 시기에 따르면 ${tires.topic} 만들어진 지 10년이 지났습니다. 정비소에서 교체를 상담해 보세요.`,
  'overall.aging': (tires: Tires) =>
    `옆면에서 판독된 제조 시기에 따르면 ${tires.topic} 만들어진 지 6년이 지났습니다. 해마다 정비소에서 점검을 받아 보세요.`,
  'overall.shared': (tires: Tires) =>
    `${tires.topic} 같은 사진이 다른 타이어에도 등록되어 있어 상태를 확인하지 못했습니다. 점검한 곳에 타이어마다 따로 찍어 달라고 요청해 주세요.`,
  'overall.similar': (tires: Tires) =>
    `${tires.topic} 거의 같은 사진이 다른 타이어에도 등록되어 있어 상태를 확인하지 못했습니다. 점검한 곳에 타이어마다 따로 찍어 달라고 요청해 주세요.`,
  'overall.sharedDepth': (tires: Tires, depth: string) =>
    `가장 얕은 홈 깊이가 ${withParticle(depth, '으로/로')} 측정된 사진이 있습니다. ${tires.names}의 사진이 같거나 거의 같아 이 사진이 어느 타이어를 찍은 것인지 알 수 없으니, ${every(tires)} 바로 정비소에서 점검받으세요.`,
  'overall.sharedBald': (tires: Tires) =>
    `무늬가 닳아 없어진 곳이 있는 것으로 보이는 타이어의 사진이 있습니다. ${tires.names}의 사진이 같거나 거의 같아 이 사진이 어느 타이어를 찍은 것인지 알 수 없으니, ${every(tires)} 바로 정비소에서 점검받으세요.`,
  'overall.sharedBaldWhole': (tires: Tires) =>
    `무늬가 닳아 없어진 것으로 보이는 타이어의 사진이 있습니다. ${tires.names}의 사진이 같거나 거의 같아 이 사진이 어느 타이어를 찍은 것인지 알 수 없으니, ${every(tires)} 바로 정비소에서 점검받으세요.`,
  'overall.unread': (tires: Tires) =>
    `${tires.topic} 홈 깊이를 확인하지 못했습니다. 점검한 곳에 트레드가 잘 보이게 다시 찍어 달라고 요청해 주세요.`,
  'overall.noImage': (tires: Tires) =>
    `${tires.topic} 사진이 없어 상태를 확인하지 못했습니다. 점검한 곳에 트레드가 잘 보이게 찍어 달라고 요청해 주세요.`,
  'overall.notEntered': (tires: Tires) =>
    `${tires.topic} 홈 깊이 값이 없어 상태를 확인하지 못했습니다. 점검한 곳에 홈 깊이를 재 달라고 요청해 주세요.`,
  'overall.untilReplaced': () => '교체하기 전까지 운행을 삼가 주세요.',
  'overall.untilChecked': () => '점검을 받기 전까지 운행을 삼가 주세요.',
  'overall.restGood': (tires: Tires, advised: string) => `${tires.topic} 홈 깊이가 권장 기준(${advised})보다 깊은 것으로 측정되었습니다.`,
  'overall.good': (advised: string) => `네 타이어 모두 홈 깊이가 권장 기준(${advised})보다 깊은 것으로 측정되었습니다.`,
  'overall.goodLongStop': () => '다만 빗길에서는 새 타이어보다 제동거리가 길어질 수 있으니, 교체 시기를 미리 살펴보세요.',
  'overall.noRange': () => '다만 오차가 얼마나 되는지 알 수 없는 측정값이 있습니다.',

  'tire.good': (tires: Tires, depth: string, advised: string) =>
    `${tires.names}의 최소 홈 깊이는 ${withParticle(depth, '으로/로')} 측정되었습니다. 측정값은 권장 기준(${advised})보다 깊습니다.`,
  'tire.lowEnd': (advised: string) => `다만 오차 범위의 아래쪽 끝이 권장 기준(${advised})보다 조금 얕으니, 다음 정비 때 확인해 보세요.`,
  'tire.caution': (tires: Tires, depth: string, advised: string) =>
    `${tires.names}의 최소 홈 깊이는 ${withParticle(depth, '으로/로')} 측정되었습니다. 측정값이 권장 기준(${advised}) 이하이니 교체를 준비해 주세요.`,
  'tire.nearThreshold': (tires: Tires, depth: string, advised: string) =>
    `${tires.names}의 최소 홈 깊이는 ${withParticle(depth, '으로/로')} 측정되었습니다. 측정 오차를 감안하면 권장 기준(${advised})보다 얕을 수 있습니다. 정비소에서 게이지로 확인해 보세요.`,
  'tire.uncertain': (tires: Tires, depth: string) =>
    `${tires.names}의 최소 홈 깊이는 ${withParticle(depth, '으로/로')} 측정되었습니다. 오차 범위가 넓어 마모 정도를 판단하기 어렵습니다. 정비소에서 게이지로 확인해 보세요.`,
  'tire.partUnseen': (tires: Tires, depth: string) =>
    `${tires.names}에서 찾은 홈 중 가장 얕은 홈은 ${withParticle(depth, '으로/로')} 측정되었습니다.`,
  'tire.unseenOutside': () => '트레드 일부가 사진 밖에 있어, 그곳에 더 얕은 홈이 있는지는 알 수 없습니다.',
  'tire.unseenUnclear': () => '트레드에 홈이 있는지 분명하지 않은 부분이 있어, 그곳에 더 얕은 홈이 있는지는 알 수 없습니다.',
  'tire.unseenBoth': () =>
    '트레드 일부가 사진 밖에 있고 홈이 있는지 분명하지 않은 부분도 있어, 그곳에 더 얕은 홈이 있는지는 알 수 없습니다.',
  'tire.unseenCheck': () => '점검한 곳에 트레드 전체가 보이게 다시 찍어 달라고 요청하거나 정비소에서 확인해 보세요.',
  'tire.nearLimit': (tires: Tires, depth: string, legal: string) =>
    `${tires.names}의 최소 홈 깊이는 ${withParticle(depth, '으로/로')} 측정되었습니다. 마모 한계선(${legal}) 근처입니다. 정비소에서 게이지로 확인해 보세요.`,
  'tire.maybeAtLimit': (tires: Tires, depth: string, legal: string) =>
    `${tires.names}의 최소 홈 깊이는 ${withParticle(depth, '으로/로')} 측정되었습니다. 측정 오차를 감안하면 마모 한계선(${legal})에 이르렀을 수도 있습니다. 정비소에서 게이지로 확인해 보세요.`,
  'tire.likely': (tires: Tires, depth: string, legal: string) =>
    `${tires.names}의 최소 홈 깊이는 ${withParticle(depth, '으로/로')} 측정되었습니다. 마모 한계선(${legal})에 이르렀을 가능성이 높지만, 측정 오차 때문에 확실하지 않습니다. 바로 정비소에서 게이지로 확인해 보세요.`,
  'tire.critical': (tires: Tires, depth: string, legal: string) =>
    `${tires.names}의 최소 홈 깊이는 ${withParticle(depth, '으로/로')} 측정되었습니다. 마모 한계선(${legal})보다 얕아 즉시 교체가 필요합니다.`,
  'tire.criticalAtLimit': (tires: Tires, depth: string, legal: string) =>
    `${tires.names}의 최소 홈 깊이는 ${withParticle(depth, '으로/로')} 측정되었습니다. 마모 한계선(${legal})에 이르러 즉시 교체가 필요합니다.`,
  'tire.noRange': () => '이 측정값의 오차가 얼마나 되는지는 알 수 없습니다.',
  'tire.bald': (tires: Tires, places: string) =>
    `${tires.topic} 트레드 ${places}에 무늬가 닳아 없어진 곳이 있는 것으로 보입니다. 다른 홈이 남아 있어도 위험할 수 있으니 바로 정비소에서 확인해 보세요.`,
  'tire.baldWhole': (tires: Tires) => `${tires.topic} 트레드 전체의 무늬가 닳아 없어진 것으로 보입니다. 바로 정비소에서 확인해 보세요.`,
  'tire.baldWholeAndWorn': (tires: Tires) => `${tires.topic} 트레드 전체의 무늬가 닳아 없어진 것으로 보입니다. 즉시 교체가 필요합니다.`,
  'tire.baldAndWorn': (tires: Tires, places: string) => `${tires.topic} 트레드 ${places}에 무늬가 닳아 없어진 곳이 있는 것으로 보입니다.`,
  'tire.restDepth': (depth: string) => `남은 홈의 최소 깊이는 ${withParticle(depth, '으로/로')} 측정되었습니다.`,
  'tire.restAtLimit': (legal: string) => `남은 홈도 마모 한계선(${legal}) 이하이니 즉시 교체가 필요합니다.`,
  'tire.wornSmooth': (tires: Tires) =>
    `${tires.names}에서 홈을 찾지 못했습니다. 매끈하게 닳았을 가능성이 높습니다. 바로 정비소에서 확인해 보세요.`,
  'tire.shared': (tires: Tires, others: Tires) =>
    `${withParticle(tires.names, '과/와')} ${others.names}에 같은 사진이 등록되어 있어, 어느 타이어의 사진인지 알 수 없습니다.`,
  'tire.similar': (tires: Tires, others: Tires) =>
    `${withParticle(tires.names, '과/와')} ${others.names}에 거의 같은 사진이 등록되어 있어, 어느 타이어의 사진인지 알 수 없습니다.`,
  'tire.sharedDepth': (depth: string) => `등록된 사진에서 최소 홈 깊이가 ${withParticle(depth, '으로/로')} 측정되었습니다.`,
  'tire.sharedBald': () => '등록된 사진에 트레드 무늬가 닳아 없어진 곳이 있는 것으로 보입니다.',
  'tire.sharedBaldWhole': () => '등록된 사진에서 트레드 무늬가 닳아 없어진 것으로 보입니다.',
  'tire.sharedCheck': (tires: Tires) => `${every(tires)} 바로 정비소에서 점검받으세요.`,
  'tire.sharedRetake': () => '점검한 곳에 타이어마다 따로 찍어 달라고 요청해 주세요.',
  'tire.old': () =>
    '옆면에서 판독된 제조 시기에 따르면 만들어진 지 10년이 지났습니다. 홈이 깊어도 고무가 굳었을 수 있으니 정비소에서 교체를 상담해 보세요.',
  'tire.aging': () => '옆면에서 판독된 제조 시기에 따르면 만들어진 지 6년이 지났으니, 해마다 정비소에서 점검을 받아 보세요.',
  'tire.unread': (tires: Tires) =>
    `${tires.names}의 홈 깊이를 확인하지 못했습니다. 점검한 곳에 트레드가 잘 보이게 다시 찍어 달라고 요청해 주세요.`,
  'tire.noImage': (tires: Tires) =>
    `${tires.names}의 사진이 없어 홈 깊이를 확인하지 못했습니다. 점검한 곳에 트레드가 잘 보이게 찍어 달라고 요청해 주세요.`,
  'tire.notEntered': (tires: Tires) => `${tires.names}의 홈 깊이를 확인하지 못했습니다. 점검한 곳에 홈 깊이를 재 달라고 요청해 주세요.`,

  'wearLabel.even_wear': () => '고른 마모',
  'wearLabel.center_wear_overinflation_candidate': () => '중앙 마모',
  'wearLabel.both_shoulder_wear_underinflation_candidate': () => '양쪽 가장자리 마모',
  'wearLabel.outside': () => '한쪽 마모 (바깥쪽)',
  'wearLabel.inside': () => '한쪽 마모 (안쪽)',
  'wearLabel.oneSide': () => '한쪽 마모',
  'wearLabel.mixed_or_uncertain': () => '판단 어려움',

  'wear.even': () => '홈의 깊이가 서로 비슷하게 측정되었습니다.',
  'wear.likeNew': () => '새 타이어에 가까운 깊이로 측정되었습니다. 홈마다 깊이가 조금 다른 것은 설계에 따른 차이일 수 있습니다.',
  'wear.center': () => '가운데가 가장자리보다 더 닳은 것으로 보입니다. 공기압이 높았을 가능성이 있으니 공기압을 확인해 보세요.',
  'wear.bothShoulders': () => '양쪽 가장자리가 가운데보다 더 닳은 것으로 보입니다. 공기압이 낮았을 가능성이 있으니 공기압을 확인해 보세요.',
  'wear.baldCenter': () => '가운데가 먼저 닳은 것은 공기압이 높았기 때문일 수 있으니 공기압도 확인해 보세요.',
  'wear.baldBothShoulders': () => '양쪽 가장자리가 먼저 닳은 것은 공기압이 낮았기 때문일 수 있으니 공기압도 확인해 보세요.',
  'wear.baldOneShoulder': () => '한쪽 가장자리가 먼저 닳은 것은 휠 얼라인먼트가 맞지 않았기 때문일 수 있으니 함께 점검을 받아 보세요.',
  'wear.outside': () => '바깥쪽 가장자리가 더 닳은 것으로 보입니다. 휠 얼라인먼트가 맞지 않았을 가능성이 있으니 점검을 받아 보세요.',
  'wear.inside': () => '안쪽 가장자리가 더 닳은 것으로 보입니다. 휠 얼라인먼트가 맞지 않았을 가능성이 있으니 점검을 받아 보세요.',
  'wear.oneSide': () => '한쪽 가장자리가 더 닳은 것으로 보입니다. 휠 얼라인먼트가 맞지 않았을 가능성이 있으니 점검을 받아 보세요.',
  'wear.noPattern': () => '홈마다 깊이가 다르게 측정되었지만 한 가지 마모 형태로 판단하기 어렵습니다.',
  'wear.fewGrooves': () => '깊이가 확인된 홈이 적어 마모 형태를 판단하기 어렵습니다.',
  'wear.lowConfidence': () => '측정값이 확실하지 않아 마모 형태를 판단하기 어렵습니다.',
  'wear.wideInterval': () => '측정 오차를 감안하면 홈이 고르게 닳았는지 판단하기 어렵습니다.',
  'wear.noDepth': () => '홈 깊이를 확인하지 못해 마모 형태를 판단하지 못했습니다.',
  'wear.bald': () => '무늬가 닳아 없어진 곳이 있는 것으로 보여 마모 형태를 판단하지 못했습니다.',
  'wear.baldWhole': () => '무늬가 닳아 없어진 것으로 보여 마모 형태를 판단하지 못했습니다.',
  'wear.wornSmooth': () => '홈을 찾지 못해 마모 형태를 판단하지 못했습니다.',
  'wear.partUnseen': () => '트레드 일부를 확인하지 못해 마모 형태를 판단하지 못했습니다.',
  'wear.shared': () => '어느 타이어의 사진인지 알 수 없어 마모 형태를 판단하지 못했습니다.',
} as const;
