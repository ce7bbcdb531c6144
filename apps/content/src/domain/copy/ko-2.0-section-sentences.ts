import { withParticle } from './particles';
import type { Tires } from './copy-2.0-language';

/** The sentences of the sections. */
export const KOREAN_SECTION_SENTENCES = {
  'title.tread_wear': () => '트레드 마모',
  'title.braking_distance': () => '빗길 제동거리',
  'title.wear_pattern': () => '마모 형태',
  'title.position_variance': () => '좌우 마모 차이',
  'title.sidewall_spec': () => '타이어 규격',

  'tread.lowestOfAll': (depth: string) => `네 타이어 중 가장 얕은 홈 깊이는 ${withParticle(depth, '으로/로')} 측정되었습니다.`,
  'tread.lowestOfKnown': (depth: string) => `확인된 타이어 중 가장 얕은 홈 깊이는 ${withParticle(depth, '으로/로')} 측정되었습니다.`,
  'tread.lowestMeasured': (depth: string) => `가장 얕은 홈 깊이는 ${withParticle(depth, '으로/로')} 측정되었습니다.`,
  'tread.onlyKnown': (tires: Tires, depth: string) => `${tires.names}의 최소 홈 깊이는 ${withParticle(depth, '으로/로')} 측정되었습니다.`,
  'tread.lowestOfRest': (depth: string) => `남은 홈 중 가장 얕은 홈은 ${withParticle(depth, '으로/로')} 측정되었습니다.`,
  'tread.critical': (tires: Tires, legal: string) => `${tires.topic} 마모 한계선(${legal}) 이하로 측정되었습니다.`,
  'tread.likely': (tires: Tires, legal: string) =>
    `${tires.topic} 마모 한계선(${legal}) 이하일 가능성이 높습니다. 측정 오차를 감안하면 한계선보다 깊을 수도 있습니다.`,
  'tread.bald': (tires: Tires) => `${tires.topic} 무늬가 닳아 없어진 곳이 있는 것으로 보입니다.`,
  'tread.baldWhole': (tires: Tires) => `${tires.topic} 트레드 전체의 무늬가 닳아 없어진 것으로 보입니다.`,
  'tread.wornSmooth': (tires: Tires) => `${tires.topic} 홈을 찾지 못했습니다. 매끈하게 닳았을 가능성이 높습니다.`,
  'tread.nearLimit': (tires: Tires, legal: string) =>
    `${tires.topic} 마모 한계선(${legal}) 근처입니다. 측정 오차를 감안하면 한계선에 이르렀을 수도 있습니다.`,
  'tread.maybeAtLimit': (tires: Tires, legal: string) =>
    `${tires.topic} 측정 오차를 감안하면 마모 한계선(${legal})에 이르렀을 수도 있습니다.`,
  'tread.caution': (tires: Tires, advised: string) => `${tires.topic} 권장 기준(${advised}) 이하로 측정되었습니다.`,
  'tread.nearThreshold': (tires: Tires, advised: string) =>
    `${tires.topic} 측정 오차를 감안하면 권장 기준(${advised})보다 얕을 수 있습니다.`,
  'tread.uncertain': (tires: Tires) => `${tires.topic} 오차 범위가 넓어 마모 정도를 판단하기 어렵습니다.`,
  'tread.partUnseen': (tires: Tires) => `${tires.topic} 트레드 일부를 사진에서 확인하지 못해, 더 얕은 홈이 있는지 알 수 없습니다.`,
  'tread.good': (tires: Tires, advised: string) => `${tires.topic} 권장 기준(${advised})보다 깊은 것으로 측정되었습니다.`,
  'tread.lowEnd': (tires: Tires, advised: string) =>
    `${tires.topic} 오차 범위의 아래쪽 끝이 권장 기준(${advised})보다 조금 얕으니, 다음 정비 때 확인해 보세요.`,
  'tread.shared': (tires: Tires) => `${tires.topic} 같은 사진이 다른 타이어에도 등록되어 있어 어느 타이어의 깊이인지 알 수 없습니다.`,
  'tread.similar': (tires: Tires) => `${tires.topic} 거의 같은 사진이 다른 타이어에도 등록되어 있어 어느 타이어의 깊이인지 알 수 없습니다.`,
  'tread.sharedBald': () => '무늬가 닳아 없어진 곳이 있는 것으로 보이는 타이어의 사진이 있습니다.',
  'tread.sharedBaldWhole': () => '무늬가 닳아 없어진 것으로 보이는 타이어의 사진이 있습니다.',
  'tread.someUnknown': (tires: Tires) => `${tires.names}의 홈 깊이는 확인하지 못했습니다.`,
  'tread.noRange': (tires: Tires) => `${tires.names}의 측정값은 오차가 얼마나 되는지 알 수 없습니다.`,
  'tread.unread': () => '홈 깊이를 확인하지 못했습니다. 점검한 곳에 트레드가 잘 보이게 다시 찍어 달라고 요청해 주세요.',
  'tread.noImage': () => '트레드 사진이 없어 홈 깊이를 확인하지 못했습니다. 점검한 곳에 트레드가 잘 보이게 찍어 달라고 요청해 주세요.',
  'tread.notEntered': () => '홈 깊이를 확인하지 못했습니다. 점검한 곳에 홈 깊이를 재 달라고 요청해 주세요.',

  'braking.estimate': (speed: string, fresh: string, current: string) =>
    `젖은 노면에서 ${speed}로 달리다 급제동하면, 새 타이어는 약 ${fresh}, 현재 타이어는 약 ${current}에서 멈추는 것으로 추정됩니다.`,
  'braking.same': (speed: string, current: string) =>
    `젖은 노면에서 ${speed}로 달리다 급제동하면, 현재 타이어도 새 타이어와 마찬가지로 약 ${current}에서 멈추는 것으로 추정됩니다.`,
  'braking.gap': (gap: string) => `차이는 약 ${gap}입니다.`,
  'braking.gapUpTo': (gap: string) => `차이는 최대 약 ${gap}입니다.`,
  'braking.gapInCars': (gap: string, cars: string) => `차이는 약 ${withParticle(gap, '으로/로')}, 승용차 약 ${cars} 길이입니다.`,
  'braking.estimateAtLeast': (speed: string, fresh: string, current: string) =>
    `젖은 노면에서 ${speed}로 달리다 급제동하면, 새 타이어는 약 ${fresh}, 현재 타이어는 적어도 약 ${withParticle(current, '을/를')} 지나서 멈추는 것으로 추정됩니다.`,
  'braking.gapAtLeast': (gap: string, cars: string) => `차이는 적어도 약 ${withParticle(gap, '으로/로')}, 승용차 약 ${cars} 길이입니다.`,
  'braking.lowestOfAll': () => '홈이 가장 얕은 타이어를 기준으로 계산했습니다.',
  'braking.lowestOfKnown': () => '홈 깊이가 확인된 타이어만으로 계산했습니다.',
  'braking.lowestMeasured': () => '측정된 홈 중 가장 얕은 홈을 기준으로 계산했습니다.',
  'braking.note': () => '추정치이며 노면, 차량, 운전 조건에 따라 달라질 수 있습니다.',
  'braking.aged': () =>
    '판독된 제조 시기로 보아 10년이 지난 타이어가 있습니다. 고무가 오래되면 홈 깊이로 추정한 것보다 제동거리가 길어질 수 있는데, 위 수치에는 반영되지 않았습니다.',
  'braking.bald': () =>
    '매끈하게 닳은 곳이 있는 것으로 보이는 타이어가 있어 빗길 제동거리를 추정하지 못했습니다. 새 타이어보다 훨씬 길어질 수 있습니다.',
  'braking.baldWhole': () =>
    '무늬가 닳아 없어진 것으로 보이는 타이어가 있어 빗길 제동거리를 추정하지 못했습니다. 새 타이어보다 훨씬 길어질 수 있습니다.',
  'braking.wornSmooth': () =>
    '매끈하게 닳았을 가능성이 높은 타이어가 있어 빗길 제동거리를 추정하지 못했습니다. 새 타이어보다 훨씬 길어질 수 있습니다.',
  'braking.maybeBald': () =>
    '매끈하게 닳은 타이어가 있을 가능성을 배제할 수 없어 빗길 제동거리를 추정하지 못했습니다. 새 타이어보다 훨씬 길어질 수 있습니다.',
  'braking.unknown': () => '홈 깊이를 확인하지 못해 빗길 제동거리를 추정하지 못했습니다.',

  'pattern.allEven': () => '네 타이어 모두 고르게 닳은 것으로 보입니다.',
  'pattern.restEven': () => '나머지 타이어는 고르게 닳은 것으로 보입니다.',
  'pattern.center': (tires: Tires) =>
    `${tires.topic} 가운데가 가장자리보다 더 닳은 것으로 보입니다. 공기압이 높았을 가능성이 있으니 공기압을 확인해 보세요.`,
  'pattern.bothShoulders': (tires: Tires) =>
    `${tires.topic} 양쪽 가장자리가 가운데보다 더 닳은 것으로 보입니다. 공기압이 낮았을 가능성이 있으니 공기압을 확인해 보세요.`,
  'pattern.outside': (tires: Tires) =>
    `${tires.topic} 바깥쪽 가장자리가 더 닳은 것으로 보입니다. 휠 얼라인먼트가 맞지 않았을 가능성이 있으니 점검을 받아 보세요.`,
  'pattern.inside': (tires: Tires) =>
    `${tires.topic} 안쪽 가장자리가 더 닳은 것으로 보입니다. 휠 얼라인먼트가 맞지 않았을 가능성이 있으니 점검을 받아 보세요.`,
  'pattern.oneSide': (tires: Tires) =>
    `${tires.topic} 한쪽 가장자리가 더 닳은 것으로 보입니다. 휠 얼라인먼트가 맞지 않았을 가능성이 있으니 점검을 받아 보세요.`,
  'pattern.worn': (tires: Tires) => `다만 ${tires.topic} 홈 깊이를 기준으로 위에서 안내한 조치가 필요합니다.`,
  'pattern.uncertain': (tires: Tires) => `${tires.topic} 마모 형태를 판단하기 어렵습니다.`,

  'axle.frontEqual': () => '앞 타이어의 좌우 최소 홈 깊이는 같게 측정되었습니다.',
  'axle.rearEqual': () => '뒤 타이어의 좌우 최소 홈 깊이는 같게 측정되었습니다.',
  'axle.frontDelta': (delta: string) => `앞 타이어의 좌우 최소 홈 깊이 차이는 ${withParticle(delta, '으로/로')} 측정되었습니다.`,
  'axle.rearDelta': (delta: string) => `뒤 타이어의 좌우 최소 홈 깊이 차이는 ${withParticle(delta, '으로/로')} 측정되었습니다.`,
  'axle.frontUnknown': () => '앞 타이어의 좌우 차이는 확인하지 못했습니다.',
  'axle.rearUnknown': () => '뒤 타이어의 좌우 차이는 확인하지 못했습니다.',
  'axle.frontBald': () => '앞 타이어에 홈이나 무늬가 없어 보이는 곳이 있어 좌우 차이를 비교하지 못했습니다.',
  'axle.rearBald': () => '뒤 타이어에 홈이나 무늬가 없어 보이는 곳이 있어 좌우 차이를 비교하지 못했습니다.',
  'axle.unknown': () => '앞 타이어와 뒤 타이어 모두 좌우 차이를 확인하지 못했습니다.',
  'axle.frontDiffers': () => '앞 타이어 두 개의 남은 홈 깊이가 서로 다른 것으로 보입니다. 정비소에서 점검을 받아 보세요.',
  'axle.rearDiffers': () => '뒤 타이어 두 개의 남은 홈 깊이가 서로 다른 것으로 보입니다. 정비소에서 점검을 받아 보세요.',
  'axle.frontMaybeAlike': () => '다만 측정 오차를 감안하면 앞 타이어의 좌우 차이가 없을 수도 있습니다. 정비소에서 게이지로 확인해 보세요.',
  'axle.rearMaybeAlike': () => '다만 측정 오차를 감안하면 뒤 타이어의 좌우 차이가 없을 수도 있습니다. 정비소에서 게이지로 확인해 보세요.',
  'axle.frontCannotTell': () => '다만 측정 오차를 감안하면 앞 타이어의 좌우 차이가 있는지 확인할 수 없습니다.',
  'axle.rearCannotTell': () => '다만 측정 오차를 감안하면 뒤 타이어의 좌우 차이가 있는지 확인할 수 없습니다.',
  'axle.frontDiffersMuch': () => '이 측정값으로는 앞 타이어의 좌우 홈 깊이 차이가 큽니다. 가까운 시일 안에 정비소에서 점검을 받아 보세요.',
  'axle.rearDiffersMuch': () => '이 측정값으로는 뒤 타이어의 좌우 홈 깊이 차이가 큽니다. 가까운 시일 안에 정비소에서 점검을 받아 보세요.',
  'axle.worn': (tires: Tires) => `다만 ${tires.topic} 좌우 차이와 상관없이 홈 깊이를 기준으로 위에서 안내한 조치가 필요합니다.`,

  'size.match': (spec: string) => `네 타이어의 규격은 모두 ${withParticle(spec, '으로/로')} 판독되었습니다.`,
  'size.front': (spec: string) => `앞 타이어 두 개의 규격은 ${withParticle(spec, '으로/로')} 판독되었습니다.`,
  'size.rear': (spec: string) => `뒤 타이어 두 개의 규격은 ${withParticle(spec, '으로/로')} 판독되었습니다.`,
  'size.frontOne': (tires: Tires, spec: string) =>
    `앞 타이어는 한 개의 규격만 확인되었습니다. ${tires.names}의 규격은 ${withParticle(spec, '으로/로')} 판독되었습니다.`,
  'size.rearOne': (tires: Tires, spec: string) =>
    `뒤 타이어는 한 개의 규격만 확인되었습니다. ${tires.names}의 규격은 ${withParticle(spec, '으로/로')} 판독되었습니다.`,
  'size.frontMixed': (left: string, right: string) =>
    `앞 타이어 두 개의 규격이 서로 다르게 판독되었습니다(왼쪽 ${left}, 오른쪽 ${right}). 정비소에서 확인해 보세요.`,
  'size.frontDiameter': (percent: string) => `이 규격으로 계산한 앞 타이어 두 개의 바깥지름은 약 ${percent} 다릅니다.`,
  'size.rearMixed': (left: string, right: string) =>
    `뒤 타이어 두 개의 규격이 서로 다르게 판독되었습니다(왼쪽 ${left}, 오른쪽 ${right}). 정비소에서 확인해 보세요.`,
  'size.rearDiameter': (percent: string) => `이 규격으로 계산한 뒤 타이어 두 개의 바깥지름은 약 ${percent} 다릅니다.`,
  'size.frontUnread': () => '앞 타이어의 규격은 확인하지 못했습니다.',
  'size.rearUnread': () => '뒤 타이어의 규격은 확인하지 못했습니다.',
  'size.frontNoImage': () => '앞 타이어는 옆면 사진이 없어 규격을 확인하지 못했습니다.',
  'size.rearNoImage': () => '뒤 타이어는 옆면 사진이 없어 규격을 확인하지 못했습니다.',
  'size.differ': () => '앞뒤 규격이 다르게 판독되었습니다. 차량에 따라 정상일 수 있으니 제조사 권장 규격을 확인해 보세요.',
  'size.diameter': (percent: string, limit: string) =>
    `판독된 규격으로 계산한 앞뒤 타이어의 바깥지름 차이는 약 ${withParticle(percent, '으로/로')}, ${limit}보다 큽니다. 차량에 맞는 규격인지 정비소에서 확인해 보세요.`,
  // A person confirmed a size of these: not all of them were read.
  'size.matchConfirmed': (spec: string) => `네 타이어의 규격은 모두 ${spec}입니다.`,
  'size.frontConfirmed': (spec: string) => `앞 타이어 두 개의 규격은 ${spec}입니다.`,
  'size.rearConfirmed': (spec: string) => `뒤 타이어 두 개의 규격은 ${spec}입니다.`,
  'size.frontOneConfirmed': (tires: Tires, spec: string) =>
    `앞 타이어는 한 개의 규격만 확인되었습니다. ${tires.names}의 규격은 ${spec}입니다.`,
  'size.rearOneConfirmed': (tires: Tires, spec: string) =>
    `뒤 타이어는 한 개의 규격만 확인되었습니다. ${tires.names}의 규격은 ${spec}입니다.`,
  'size.frontMixedConfirmed': (left: string, right: string) =>
    `앞 타이어 두 개의 규격이 서로 다릅니다(왼쪽 ${left}, 오른쪽 ${right}). 정비소에서 확인해 보세요.`,
  'size.rearMixedConfirmed': (left: string, right: string) =>
    `뒤 타이어 두 개의 규격이 서로 다릅니다(왼쪽 ${left}, 오른쪽 ${right}). 정비소에서 확인해 보세요.`,
  'size.differConfirmed': () => '앞뒤 규격이 다릅니다. 차량에 따라 정상일 수 있으니 제조사 권장 규격을 확인해 보세요.',
  'size.diameterConfirmed': (percent: string, limit: string) =>
    `이 규격으로 계산한 앞뒤 타이어의 바깥지름 차이는 약 ${withParticle(percent, '으로/로')}, ${limit}보다 큽니다. 차량에 맞는 규격인지 정비소에서 확인해 보세요.`,
  'size.check': (tires: Tires) =>
    `옆면에서 판독된 제조 시기에 따르면 ${tires.topic} 만들어진 지 6년이 지났습니다. 해마다 정비소에서 점검을 받아 보세요.`,
  'size.replace': (tires: Tires) =>
    `옆면에서 판독된 제조 시기에 따르면 ${tires.topic} 만들어진 지 10년이 지났습니다. 홈이 깊어도 고무가 굳었을 수 있으니 정비소에서 교체를 상담해 보세요.`,
  'size.unread': () => '타이어 규격을 판독하지 못했습니다. 점검한 곳에 옆면 글자가 잘 보이게 다시 찍어 달라고 요청해 주세요.',
  'size.noImage': () => '옆면 사진이 없어 타이어 규격을 확인하지 못했습니다.',
  'size.shared': (tires: Tires) =>
    `${tires.topic} 같은 옆면 사진이 다른 타이어에도 등록되어 있어 규격을 확인하지 못했습니다. 점검한 곳에 타이어마다 따로 찍어 달라고 요청해 주세요.`,
  'size.similar': (tires: Tires) =>
    `${tires.topic} 거의 같은 옆면 사진이 다른 타이어에도 등록되어 있어 규격을 확인하지 못했습니다. 점검한 곳에 타이어마다 따로 찍어 달라고 요청해 주세요.`,
  'size.notEntered': () => '타이어 규격을 확인하지 못했습니다. 옆면에 적힌 규격을 살펴봐 주세요.',
} as const;
