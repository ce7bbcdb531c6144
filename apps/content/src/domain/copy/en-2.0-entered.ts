import type { Sentences, Tires } from './copy-2.0-language';

const depthOf = ({ names, isPlural }: Tires): string =>
  isPlural ? `The depths entered for ${names} are` : `The depth entered for ${names} is`;
const lowest = (tires: Tires, depth: string): string => `The shallowest groove of ${tires.names} was entered as ${depth}.`;

/** Translations of the Korean sentences, one for one. */
export const ENGLISH_ENTERED: Partial<Sentences> = {
  'headline.good': () => 'The groove depths that were entered are enough.',

  'overall.axleFront': () => 'Different groove depths were entered for the two front tires. Have a tire shop check them.',
  'overall.axleRear': () => 'Different groove depths were entered for the two rear tires. Have a tire shop check them.',
  'overall.axleBoth': () => 'On both axles, different groove depths were entered for left and right. Have a tire shop check them.',
  'overall.mixedFront': () => 'Different sizes were entered for the two front tires. Have a tire shop check them.',
  'overall.mixedRear': () => 'Different sizes were entered for the two rear tires. Have a tire shop check them.',
  'overall.mixedBoth': () =>
    'Different sizes were entered for the two front tires, and for the two rear tires. Have a tire shop check them.',
  'overall.diameter': () =>
    'By the sizes that were entered, the overall diameters differ a lot, front to rear. Have a tire shop check whether the sizes fit the vehicle.',
  'overall.restGood': (tires, advised) => `${depthOf(tires)} above the recommended minimum (${advised}).`,
  'overall.good': (advised) => `The depths entered for all four tires are above the recommended minimum (${advised}).`,

  'tire.good': (tires, depth, advised) => `${lowest(tires, depth)} The entered depth is above the recommended minimum (${advised}).`,
  'tire.caution': (tires, depth, advised) =>
    `${lowest(tires, depth)} The entered depth is at the recommended minimum (${advised}) or below it, so plan a replacement.`,
  'tire.critical': (tires, depth, legal) =>
    `${lowest(tires, depth)} This is below the wear limit (${legal}). The tire must be replaced now.`,
  'tire.criticalAtLimit': (tires, depth, legal) =>
    `${lowest(tires, depth)} This is the wear limit (${legal}). The tire must be replaced now.`,

  'tread.lowestOfAll': (depth) => `The shallowest groove of all four tires was entered as ${depth}.`,
  'tread.lowestOfKnown': (depth) => `The shallowest groove depth that was entered is ${depth}.`,
  'tread.onlyKnown': lowest,
  'tread.critical': (tires, legal) => `${depthOf(tires)} at or below the wear limit (${legal}).`,
  'tread.caution': (tires, advised) => `${depthOf(tires)} at or below the recommended minimum (${advised}).`,
  'tread.good': (tires, advised) => `${depthOf(tires)} above the recommended minimum (${advised}).`,

  'axle.frontEqual': () => 'The shallowest grooves of the two front tires were entered as equally deep.',
  'axle.rearEqual': () => 'The shallowest grooves of the two rear tires were entered as equally deep.',
  'axle.frontDelta': (delta) => `By the entered values, the shallowest grooves of the two front tires differ by ${delta}.`,
  'axle.rearDelta': (delta) => `By the entered values, the shallowest grooves of the two rear tires differ by ${delta}.`,
  'axle.frontDiffersMuch': () =>
    'By the entered values, the groove depths of the two front tires differ a lot. Have a tire shop check them soon.',
  'axle.rearDiffersMuch': () =>
    'By the entered values, the groove depths of the two rear tires differ a lot. Have a tire shop check them soon.',

  'size.match': (spec) => `The size of all four tires was entered as ${spec}.`,
  'size.front': (spec) => `The size of the two front tires was entered as ${spec}.`,
  'size.rear': (spec) => `The size of the two rear tires was entered as ${spec}.`,
  'size.frontOne': (tires, spec) => `The size of only one front tire was entered. The size of ${tires.names} was entered as ${spec}.`,
  'size.rearOne': (tires, spec) => `The size of only one rear tire was entered. The size of ${tires.names} was entered as ${spec}.`,
  'size.frontMixed': (left, right) =>
    `Different sizes were entered for the two front tires: ${left} on the left, ${right} on the right. Have a tire shop check them.`,
  'size.rearMixed': (left, right) =>
    `Different sizes were entered for the two rear tires: ${left} on the left, ${right} on the right. Have a tire shop check them.`,
  'size.differ': () =>
    'Different sizes were entered front and rear. Some vehicles are built that way; compare with the sizes that the vehicle maker recommends.',
  'size.diameter': (percent, limit) =>
    `By the sizes that were entered, the overall diameters differ by about ${percent}, front to rear, which is more than ${limit}. Have a tire shop check whether the sizes fit the vehicle.`,
};
