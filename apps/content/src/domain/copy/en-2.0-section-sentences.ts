import type { Tires } from './copy-2.0-language';
import type { KOREAN_SECTION_SENTENCES } from './ko-2.0-section-sentences';

const verb = ({ isPlural }: Tires, one: string, several: string): string => (isPlural ? several : one);

/** As the Korean sentences, one for one. */
export const ENGLISH_SECTION_SENTENCES: typeof KOREAN_SECTION_SENTENCES = {
  'title.tread_wear': () => 'Tread depth',
  'title.braking_distance': () => 'Braking distance on a wet road',
  'title.wear_pattern': () => 'Uneven wear',
  'title.position_variance': () => 'Left and right',
  'title.sidewall_spec': () => 'Tire sizes',

  'tread.lowestOfAll': (depth) => `The lowest groove of all four tires was measured at ${depth}.`,
  'tread.lowestOfKnown': (depth) => `The lowest groove of the measured tires was measured at ${depth}.`,
  'tread.onlyKnown': (tires, depth) => `The lowest groove of ${tires.names} was measured at ${depth}.`,
  'tread.critical': (tires, legal) => `${tires.topic} ${verb(tires, 'is', 'are')} at the wear limit (${legal}) or below it.`,
  'tread.likely': (tires, legal) =>
    `${tires.topic} ${verb(tires, 'is', 'are')} likely at the wear limit (${legal}) or below it. Within the measuring error ${verb(tires, 'it', 'they')} may still be above it.`,
  'tread.bald': (tires) => `${tires.topic} ${verb(tires, 'seems', 'seem')} to have lost the tread pattern in places.`,
  'tread.wornSmooth': (tires) => `On ${tires.names} no groove was found. ${verb(tires, 'It', 'They')} may be worn smooth.`,
  'tread.nearLimit': (tires, legal) =>
    `${tires.topic} ${verb(tires, 'is', 'are')} near the wear limit (${legal}). Within the measuring error ${verb(tires, 'it', 'they')} may have reached it.`,
  'tread.caution': (tires, advised) =>
    `${tires.topic} ${verb(tires, 'was', 'were')} measured at the recommended minimum (${advised}) or below it.`,
  'tread.nearThreshold': (tires, advised) => `Within the measuring error ${tires.names} may be below the recommended minimum (${advised}).`,
  'tread.good': (tires, advised) =>
    `${tires.topic} ${verb(tires, 'was', 'were')} measured deeper than the recommended minimum (${advised}).`,
  'tread.shared': (tires) =>
    verb(
      tires,
      `The photograph of ${tires.names} is registered for another tire too, so it is unknown whose depth it shows.`,
      `The photographs of ${tires.names} are each registered for another tire too, so it is unknown whose depths they show.`,
    ),
  'tread.similar': (tires) =>
    verb(
      tires,
      `A photograph that is nearly the same as that of ${tires.names} is registered for another tire, so it is unknown whose depth it shows.`,
      `Photographs that are nearly the same as those of ${tires.names} are registered for other tires, so it is unknown whose depths they show.`,
    ),
  'tread.someUnknown': (tires) => `The groove depth of ${tires.names} is unknown.`,
  'tread.unread': () => 'The groove depth could not be measured. Photograph the tread again so that it is clearly visible.',
  'tread.noImage': () =>
    'There is no photograph of a tread, so the groove depth is unknown. Photograph the tread so that it is clearly visible.',
  'tread.notEntered': () => 'The groove depth is unknown. Measure the groove depth.',

  'braking.estimate': (speed, fresh, current) =>
    `Braking hard from ${speed} on a wet road, new tires are estimated to stop within about ${fresh}, these tires within about ${current}.`,
  'braking.same': (speed, current) =>
    `Braking hard from ${speed} on a wet road, these tires are estimated to stop within about ${current}, as new tires do.`,
  'braking.gap': (gap) => `The difference is about ${gap}.`,
  'braking.gapInCars': (gap, cars) => `The difference is about ${gap}, or ${cars}.`,
  'braking.lowestOfAll': () => 'The estimate is for the tire with the lowest groove.',
  'braking.lowestOfKnown': () => 'The estimate is only for the tires whose groove depth is known.',
  'braking.note': () => 'It is an estimate and depends on the road, the vehicle and the driving.',
  'braking.bald': () =>
    'A tire seems to be worn smooth, so the braking distance on a wet road could not be estimated. It may be much longer than with new tires.',
  'braking.unknown': () => 'Without a groove depth the braking distance on a wet road could not be estimated.',

  'pattern.allEven': () => 'All four tires seem to wear evenly.',
  'pattern.restEven': () => 'The other tires seem to wear evenly.',
  'pattern.center': (tires) =>
    `${tires.topic} ${verb(tires, 'seems', 'seem')} to be more worn in the center than on the edges. The pressure may have been too high, so check it.`,
  'pattern.bothShoulders': (tires) =>
    `${tires.topic} ${verb(tires, 'seems', 'seem')} to be more worn on both edges than in the center. The pressure may have been too low, so check it.`,
  'pattern.outside': (tires) =>
    `${tires.topic} ${verb(tires, 'seems', 'seem')} to be more worn on the outer edge. The wheel alignment may have been off, so have it checked.`,
  'pattern.inside': (tires) =>
    `${tires.topic} ${verb(tires, 'seems', 'seem')} to be more worn on the inner edge. The wheel alignment may have been off, so have it checked.`,
  'pattern.oneSide': (tires) =>
    `${tires.topic} ${verb(tires, 'seems', 'seem')} to be more worn on one edge. The wheel alignment may have been off, so have it checked.`,
  'pattern.uncertain': (tires) => `How ${tires.names} ${verb(tires, 'wears', 'wear')} is uncertain.`,

  'axle.frontEqual': () => 'The lowest grooves of the two front tires were measured equally deep.',
  'axle.rearEqual': () => 'The lowest grooves of the two rear tires were measured equally deep.',
  'axle.frontDelta': (delta) => `The lowest grooves of the two front tires were measured to differ by ${delta}.`,
  'axle.rearDelta': (delta) => `The lowest grooves of the two rear tires were measured to differ by ${delta}.`,
  'axle.frontUnknown': () => 'The difference between the two front tires is unknown.',
  'axle.rearUnknown': () => 'The difference between the two rear tires is unknown.',
  'axle.unknown': () => 'The differences between left and right are unknown, front and rear.',
  'axle.caution': () => 'The tires seem to wear differently left and right. Rotating them and checking the pressure is advised.',
  'axle.maybeAlike': () => 'Within the measuring error left and right may be alike. Have a workshop check with a gauge.',
  'axle.critical': () => 'The difference between left and right is large. Have a workshop check soon.',

  'size.match': (spec) => `All four tires have the size ${spec}.`,
  'size.front': (spec) => `The two front tires have the size ${spec}.`,
  'size.rear': (spec) => `The two rear tires have the size ${spec}.`,
  'size.frontOne': (tires, spec) => `Only one of the front tires was read. The size of ${tires.names} is ${spec}.`,
  'size.rearOne': (tires, spec) => `Only one of the rear tires was read. The size of ${tires.names} is ${spec}.`,
  'size.frontMixed': (left, right) =>
    `The two front tires have different sizes: ${left} on the left, ${right} on the right. Have a workshop check.`,
  'size.rearMixed': (left, right) =>
    `The two rear tires have different sizes: ${left} on the left, ${right} on the right. Have a workshop check.`,
  'size.frontUnread': () => 'The size of the front tires is unknown.',
  'size.rearUnread': () => 'The size of the rear tires is unknown.',
  'size.frontNoImage': () => 'There is no photograph of a front sidewall, so the size of the front tires is unknown.',
  'size.rearNoImage': () => 'There is no photograph of a rear sidewall, so the size of the rear tires is unknown.',
  'size.frontShared': () =>
    'The photograph of the front sidewall is registered for another tire too, so the size of the front tires is unknown.',
  'size.rearShared': () =>
    'The photograph of the rear sidewall is registered for another tire too, so the size of the rear tires is unknown.',
  'size.differ': () =>
    'The sizes differ, front and rear. Some vehicles are built that way; compare with the sizes that the vehicle maker recommends.',
  'size.diameter': (percent, limit) =>
    `By the sizes that were read, the overall diameters differ by about ${percent}, front to rear, which is more than ${limit}. Have a workshop check whether the sizes fit the vehicle.`,
  'size.check': (tires) =>
    `${tires.topic} ${verb(tires, 'was', 'were')} made at least 6 years ago. Have a workshop check ${verb(tires, 'it', 'them')} every year.`,
  'size.replace': (tires) =>
    `${tires.topic} ${verb(tires, 'was', 'were')} made at least 10 years ago. The rubber may have hardened even where the grooves are deep, so ask a workshop about a replacement.`,
  'size.unread': () => 'The tire sizes could not be read. Photograph the sidewall again so that its letters are clearly visible.',
  'size.noImage': () => 'There is no photograph of a sidewall, so the tire sizes are unknown.',
  'size.shared': () =>
    'The same photograph of a sidewall is registered for several tires, so the tire sizes are unknown. Photograph each tire separately.',
  'size.notEntered': () => 'The tire sizes are unknown. They are written on the sidewall.',
};
