import { anyOf, it, verb } from './en-2.0-words';
import type { KOREAN_SECTION_SENTENCES } from './ko-2.0-section-sentences';

/** Translations of the Korean sentences, one for one. */
export const ENGLISH_SECTION_SENTENCES: typeof KOREAN_SECTION_SENTENCES = {
  'title.tread_wear': () => 'Tread depth',
  'title.braking_distance': () => 'Braking distance on a wet road',
  'title.wear_pattern': () => 'Wear pattern',
  'title.position_variance': () => 'Left and right',
  'title.sidewall_spec': () => 'Tire sizes',

  'tread.lowestOfAll': (depth) => `The shallowest groove of all four tires was measured at ${depth}.`,
  'tread.lowestOfKnown': (depth) => `The shallowest groove of the measured tires was measured at ${depth}.`,
  'tread.lowestMeasured': (depth) => `The shallowest groove was measured at ${depth}.`,
  'tread.onlyKnown': (tires, depth) => `The shallowest groove of ${tires.names} was measured at ${depth}.`,
  'tread.lowestOfRest': (depth) => `The shallowest of the remaining grooves was measured at ${depth}.`,
  'tread.critical': (tires, legal) => `${tires.topic} ${verb(tires, 'was', 'were')} measured at the wear limit (${legal}) or below it.`,
  'tread.likely': (tires, legal) =>
    `${tires.topic} ${verb(tires, 'is', 'are')} likely at the wear limit (${legal}) or below it. Given the measurement error, ${verb(tires, 'it', 'they')} may still be above it.`,
  'tread.bald': (tires) => `${tires.topic} ${verb(tires, 'seems', 'seem')} to have lost the tread pattern in places.`,
  'tread.baldWhole': (tires) => `${tires.topic} ${verb(tires, 'seems', 'seem')} to have lost the tread pattern across the whole width.`,
  'tread.wornSmooth': (tires) => `No groove was found on ${anyOf(tires)}. ${verb(tires, 'It is', 'They are')} likely worn smooth.`,
  'tread.nearLimit': (tires, legal) =>
    `${tires.topic} ${verb(tires, 'is', 'are')} near the wear limit (${legal}). Given the measurement error, ${verb(tires, 'it', 'they')} may have reached it.`,
  'tread.maybeAtLimit': (tires, legal) => `Given the measurement error, ${tires.names} may have reached the wear limit (${legal}).`,
  'tread.caution': (tires, advised) =>
    `${tires.topic} ${verb(tires, 'was', 'were')} measured at the recommended minimum (${advised}) or below it.`,
  'tread.nearThreshold': (tires, advised) =>
    `Given the measurement error, ${tires.names} may be below the recommended minimum (${advised}).`,
  'tread.uncertain': (tires) => `The measurement of ${tires.names} is too uncertain to judge the wear.`,
  'tread.partUnseen': (tires) =>
    `A part of the tread of ${tires.names} could not be checked in the photo, so it is not known whether there is a shallower groove.`,
  'tread.good': (tires, advised) =>
    `${tires.topic} ${verb(tires, 'was', 'were')} measured deeper than the recommended minimum (${advised}).`,
  'tread.lowEnd': (tires, advised) =>
    `The lower end of the range of ${tires.names} lies just below ${advised}, so have ${verb(tires, 'it', 'them')} checked at the next visit to a tire shop.`,
  'tread.shared': (tires) =>
    verb(
      tires,
      `The photo of ${tires.names} is registered for another tire too, so it is unknown whose depth it shows.`,
      `The photos of ${tires.names} are each registered for another tire too, so it is unknown whose depths they show.`,
    ),
  'tread.similar': (tires) =>
    verb(
      tires,
      `A photo that is nearly the same as that of ${tires.names} is registered for another tire, so it is unknown whose depth it shows.`,
      `Photos that are nearly the same as those of ${tires.names} are registered for other tires, so it is unknown whose depths they show.`,
    ),
  'tread.sharedBald': () => 'A photo shows a tire that seems to have lost its tread pattern in places.',
  'tread.sharedBaldWhole': () => 'A photo shows a tire that seems to have lost its tread pattern.',
  'tread.someUnknown': (tires) => `The groove depth of ${tires.names} is unknown.`,
  'tread.noRange': (tires) =>
    `It is not known how exact the ${verb(tires, 'measurement', 'measurements')} of ${tires.names} ${verb(tires, 'is', 'are')}.`,
  'tread.unread': () => 'The groove depth could not be measured. Ask whoever inspected the car to take a clearer photo of the tread.',
  'tread.noImage': () =>
    'There is no photo of a tread, so the groove depth is unknown. Ask whoever inspected the car to take a clear photo of the tread.',
  'tread.notEntered': () => 'The groove depth is unknown. Ask whoever inspected the car to measure it.',

  'braking.estimate': (speed, fresh, current) =>
    `Braking hard from ${speed} on a wet road, new tires are estimated to stop after about ${fresh}, these tires after about ${current}.`,
  'braking.same': (speed, current) =>
    `Braking hard from ${speed} on a wet road, these tires are estimated to stop after about ${current}, as new tires do.`,
  'braking.gap': (gap) => `The difference is about ${gap}.`,
  'braking.gapUpTo': (gap) => `The difference is up to about ${gap}.`,
  'braking.gapInCars': (gap, cars) => `The difference is about ${gap}, or ${cars}.`,
  'braking.estimateAtLeast': (speed, fresh, current) =>
    `Braking hard from ${speed} on a wet road, new tires are estimated to stop after about ${fresh}, these tires after at least about ${current}.`,
  'braking.gapAtLeast': (gap, cars) => `The difference is at least about ${gap}, or ${cars}.`,
  'braking.lowestOfAll': () => 'The estimate is for the tire with the shallowest groove.',
  'braking.lowestOfKnown': () => 'The estimate is only for the tires whose groove depth is known.',
  'braking.lowestMeasured': () => 'The estimate is for the shallowest groove that was measured.',
  'braking.note': () => 'It is an estimate and depends on the road, the vehicle and the driving.',
  'braking.aged': () =>
    'By the date code that was read, a tire is 10 years old or more. Aged rubber may brake worse than the groove depth alone tells, and this is not in the figures.',
  'braking.bald': () =>
    'A tire seems to be worn smooth in places, so the braking distance on a wet road could not be estimated. It may be much longer than with new tires.',
  'braking.baldWhole': () =>
    'A tire seems to have lost its tread pattern, so the braking distance on a wet road could not be estimated. It may be much longer than with new tires.',
  'braking.wornSmooth': () =>
    'A tire is likely worn smooth, so the braking distance on a wet road could not be estimated. It may be much longer than with new tires.',
  'braking.maybeBald': () =>
    'It cannot be ruled out that a tire is worn smooth, so the braking distance on a wet road could not be estimated. It may be much longer than with new tires.',
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
  'pattern.worn': (tires) => `Even so, ${tires.names} must be dealt with as described above.`,
  'pattern.uncertain': (tires) => `It is uncertain how ${tires.names} ${verb(tires, 'wears', 'wear')}.`,

  'axle.frontEqual': () => 'The shallowest grooves of the two front tires were measured equally deep.',
  'axle.rearEqual': () => 'The shallowest grooves of the two rear tires were measured equally deep.',
  'axle.frontDelta': (delta) => `The shallowest grooves of the two front tires differed by ${delta} in the measurement.`,
  'axle.rearDelta': (delta) => `The shallowest grooves of the two rear tires differed by ${delta} in the measurement.`,
  'axle.frontUnknown': () => 'The difference between the two front tires is unknown.',
  'axle.rearUnknown': () => 'The difference between the two rear tires is unknown.',
  'axle.frontBald': () => 'Grooves or pattern seem to be missing on a front tire, so left and right could not be compared.',
  'axle.rearBald': () => 'Grooves or pattern seem to be missing on a rear tire, so left and right could not be compared.',
  'axle.unknown': () => 'The differences between left and right are unknown, front and rear.',
  'axle.frontDiffers': () => 'The two front tires seem to have different groove depths. Have a tire shop check them.',
  'axle.rearDiffers': () => 'The two rear tires seem to have different groove depths. Have a tire shop check them.',
  'axle.frontMaybeAlike': () =>
    'Given the measurement error, the two front tires may still be alike. Have a tire shop check them with a gauge.',
  'axle.rearMaybeAlike': () =>
    'Given the measurement error, the two rear tires may still be alike. Have a tire shop check them with a gauge.',
  'axle.frontCannotTell': () => 'However, given the measurement error, it cannot be told whether the two front tires differ.',
  'axle.rearCannotTell': () => 'However, given the measurement error, it cannot be told whether the two rear tires differ.',
  'axle.frontDiffersMuch': () =>
    'By this measurement, the groove depths of the two front tires differ a lot. Have a tire shop check them soon.',
  'axle.rearDiffersMuch': () =>
    'By this measurement, the groove depths of the two rear tires differ a lot. Have a tire shop check them soon.',
  'axle.worn': (tires) => `Whatever the difference, ${tires.names} must be dealt with as described above.`,

  'size.match': (spec) => `The size of all four tires was read as ${spec}.`,
  'size.front': (spec) => `The size of the two front tires was read as ${spec}.`,
  'size.rear': (spec) => `The size of the two rear tires was read as ${spec}.`,
  'size.frontOne': (tires, spec) => `The size of only one front tire is known. The size of ${tires.names} was read as ${spec}.`,
  'size.rearOne': (tires, spec) => `The size of only one rear tire is known. The size of ${tires.names} was read as ${spec}.`,
  'size.frontMixed': (left, right) =>
    `The two front tires were read as different sizes: ${left} on the left, ${right} on the right. Have a tire shop check them.`,
  'size.frontDiameter': (percent) => `By these sizes, the overall diameters of the two front tires differ by about ${percent}.`,
  'size.rearMixed': (left, right) =>
    `The two rear tires were read as different sizes: ${left} on the left, ${right} on the right. Have a tire shop check them.`,
  'size.rearDiameter': (percent) => `By these sizes, the overall diameters of the two rear tires differ by about ${percent}.`,
  'size.frontUnread': () => 'The size of the front tires is unknown.',
  'size.rearUnread': () => 'The size of the rear tires is unknown.',
  'size.frontNoImage': () => 'There is no photo of a front sidewall, so the size of the front tires is unknown.',
  'size.rearNoImage': () => 'There is no photo of a rear sidewall, so the size of the rear tires is unknown.',
  'size.differ': () =>
    'Front and rear were read as different sizes. Some vehicles are built that way; compare with the sizes that the vehicle maker recommends.',
  'size.diameter': (percent, limit) =>
    `By the sizes that were read, the overall diameters differ by about ${percent}, front to rear, which is more than ${limit}. Have a tire shop check whether the sizes fit the vehicle.`,
  'size.matchConfirmed': (spec) => `The size of all four tires is ${spec}.`,
  'size.frontConfirmed': (spec) => `The size of the two front tires is ${spec}.`,
  'size.rearConfirmed': (spec) => `The size of the two rear tires is ${spec}.`,
  'size.frontOneConfirmed': (tires, spec) => `The size of only one front tire is known. The size of ${tires.names} is ${spec}.`,
  'size.rearOneConfirmed': (tires, spec) => `The size of only one rear tire is known. The size of ${tires.names} is ${spec}.`,
  'size.frontMixedConfirmed': (left, right) =>
    `The two front tires have different sizes: ${left} on the left, ${right} on the right. Have a tire shop check them.`,
  'size.rearMixedConfirmed': (left, right) =>
    `The two rear tires have different sizes: ${left} on the left, ${right} on the right. Have a tire shop check them.`,
  'size.differConfirmed': () =>
    'Front and rear have different sizes. Some vehicles are built that way; compare with the sizes that the vehicle maker recommends.',
  'size.diameterConfirmed': (percent, limit) =>
    `By these sizes, the overall diameters differ by about ${percent}, front to rear, which is more than ${limit}. Have a tire shop check whether the sizes fit the vehicle.`,
  'size.check': (tires) =>
    `By the date code that was read on the sidewall, ${tires.names} ${verb(tires, 'was', 'were')} made at least 6 years ago. Have a tire shop check ${it(tires)} every year.`,
  'size.replace': (tires) =>
    `By the date code that was read on the sidewall, ${tires.names} ${verb(tires, 'was', 'were')} made at least 10 years ago. The rubber may have hardened even where the grooves are deep, so ask a tire shop about a replacement.`,
  'size.unread': () =>
    'The tire sizes could not be read. Ask whoever inspected the car to take a clearer photo of the letters on the sidewall.',
  'size.noImage': () => 'There is no photo of a sidewall, so the tire sizes are unknown.',
  'size.shared': (tires) =>
    `The sidewall ${verb(tires, 'photo', 'photos')} of ${tires.names} ${verb(tires, 'is', 'are each')} registered for another tire too, so ${verb(tires, 'its size is', 'their sizes are')} unknown. Ask whoever inspected the car for a separate photo of each tire.`,
  'size.similar': (tires) =>
    `Sidewall photos that are nearly the same as ${verb(tires, 'that', 'those')} of ${tires.names} are registered for other tires, so ${verb(tires, 'its size is', 'their sizes are')} unknown. Ask whoever inspected the car for a separate photo of each tire.`,
  'size.notEntered': () => 'The tire sizes are unknown. They are written on the sidewall.',
};
