import type { Sentences } from './copy-2.0-language';
import { withParticle } from './particles';

const entered = (value: string): string => `${withParticle(value, '으로/로')} 입력되었습니다`;

/** The sentences about values that a person entered. */
export const KOREAN_ENTERED: Partial<Sentences> = {
  'headline.good': () => '입력된 홈 깊이가 충분합니다.',

  'overall.axleFront': () => '앞 타이어 두 개의 홈 깊이가 서로 다르게 입력되었습니다. 정비소에서 점검을 받아 보세요.',
  'overall.axleRear': () => '뒤 타이어 두 개의 홈 깊이가 서로 다르게 입력되었습니다. 정비소에서 점검을 받아 보세요.',
  'overall.axleBoth': () => '앞 타이어끼리, 뒤 타이어끼리 홈 깊이가 서로 다르게 입력되었습니다. 정비소에서 점검을 받아 보세요.',
  'overall.mixedFront': () => '앞 타이어 두 개의 규격이 서로 다르게 입력되었습니다. 정비소에서 확인해 보세요.',
  'overall.mixedRear': () => '뒤 타이어 두 개의 규격이 서로 다르게 입력되었습니다. 정비소에서 확인해 보세요.',
  'overall.mixedBoth': () => '앞 타이어끼리, 뒤 타이어끼리 규격이 서로 다르게 입력되었습니다. 정비소에서 확인해 보세요.',
  'overall.diameter': () => '입력된 규격으로 계산한 앞뒤 타이어의 바깥지름 차이가 큽니다. 차량에 맞는 규격인지 정비소에서 확인해 보세요.',
  'overall.restGood': (tires, advised) => `${tires.topic} 입력된 홈 깊이가 권장 기준(${advised})보다 깊습니다.`,
  'overall.good': (advised) => `네 타이어 모두 입력된 홈 깊이가 권장 기준(${advised})보다 깊습니다.`,

  'tire.good': (tires, depth, advised) =>
    `${tires.names}의 최소 홈 깊이는 ${entered(depth)}. 입력된 값은 권장 기준(${advised})보다 깊습니다.`,
  'tire.caution': (tires, depth, advised) =>
    `${tires.names}의 최소 홈 깊이는 ${entered(depth)}. 입력된 값이 권장 기준(${advised}) 이하이니 교체를 준비해 주세요.`,
  'tire.critical': (tires, depth, legal) =>
    `${tires.names}의 최소 홈 깊이는 ${entered(depth)}. 마모 한계선(${legal})보다 얕아 즉시 교체가 필요합니다.`,
  'tire.criticalAtLimit': (tires, depth, legal) =>
    `${tires.names}의 최소 홈 깊이는 ${entered(depth)}. 마모 한계선(${legal})에 이르러 즉시 교체가 필요합니다.`,

  'tread.lowestOfAll': (depth) => `네 타이어 중 가장 얕은 홈 깊이는 ${entered(depth)}.`,
  'tread.lowestOfKnown': (depth) => `입력된 홈 깊이 중 가장 얕은 값은 ${depth}입니다.`,
  'tread.onlyKnown': (tires, depth) => `${tires.names}의 최소 홈 깊이는 ${entered(depth)}.`,
  'tread.critical': (tires, legal) => `${tires.topic} 마모 한계선(${legal}) 이하로 입력되었습니다.`,
  'tread.caution': (tires, advised) => `${tires.topic} 권장 기준(${advised}) 이하로 입력되었습니다.`,
  'tread.good': (tires, advised) => `${tires.topic} 권장 기준(${advised})보다 깊게 입력되었습니다.`,

  'axle.frontEqual': () => '앞 타이어의 좌우 최소 홈 깊이는 같게 입력되었습니다.',
  'axle.rearEqual': () => '뒤 타이어의 좌우 최소 홈 깊이는 같게 입력되었습니다.',
  'axle.frontDelta': (delta) => `입력된 값으로 앞 타이어의 좌우 최소 홈 깊이 차이는 ${delta}입니다.`,
  'axle.rearDelta': (delta) => `입력된 값으로 뒤 타이어의 좌우 최소 홈 깊이 차이는 ${delta}입니다.`,
  'axle.frontDiffersMuch': () => '입력된 값으로 앞 타이어의 좌우 차이가 큽니다. 가까운 시일 안에 정비소에서 점검을 받아 보세요.',
  'axle.rearDiffersMuch': () => '입력된 값으로 뒤 타이어의 좌우 차이가 큽니다. 가까운 시일 안에 정비소에서 점검을 받아 보세요.',

  'size.match': (spec) => `네 타이어의 규격은 모두 ${entered(spec)}.`,
  'size.front': (spec) => `앞 타이어 두 개의 규격은 ${entered(spec)}.`,
  'size.rear': (spec) => `뒤 타이어 두 개의 규격은 ${entered(spec)}.`,
  'size.frontOne': (tires, spec) => `앞 타이어는 한 개의 규격만 입력되었습니다. ${tires.names}의 규격은 ${entered(spec)}.`,
  'size.rearOne': (tires, spec) => `뒤 타이어는 한 개의 규격만 입력되었습니다. ${tires.names}의 규격은 ${entered(spec)}.`,
  'size.frontMixed': (left, right) =>
    `앞 타이어 두 개의 규격이 서로 다르게 입력되었습니다(왼쪽 ${left}, 오른쪽 ${right}). 정비소에서 확인해 보세요.`,
  'size.rearMixed': (left, right) =>
    `뒤 타이어 두 개의 규격이 서로 다르게 입력되었습니다(왼쪽 ${left}, 오른쪽 ${right}). 정비소에서 확인해 보세요.`,
  'size.differ': () => '앞뒤 규격이 다르게 입력되었습니다. 차량에 따라 정상일 수 있으니 제조사 권장 규격을 확인해 보세요.',
  'size.diameter': (percent, limit) =>
    `입력된 규격으로 계산한 앞뒤 타이어의 바깥지름 차이는 약 ${withParticle(percent, '으로/로')}, ${limit}보다 큽니다. 차량에 맞는 규격인지 정비소에서 확인해 보세요.`,
};
