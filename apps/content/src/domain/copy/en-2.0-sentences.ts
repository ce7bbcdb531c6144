import type { Tires } from './copy-2.0-language';
import { anyOf, it, verb } from './en-2.0-words';
import type { KOREAN_SENTENCES } from './ko-2.0-sentences';

const every = ({ count }: Tires): string => (count === 2 ? 'both' : 'all of them');

const measured = (tires: Tires, depth: string): string => `The shallowest groove of ${tires.names} was measured at ${depth}.`;

/** Translations of the Korean sentences, one for one. */
export const ENGLISH_SENTENCES: typeof KOREAN_SENTENCES = {
  'severity.good': () => 'Good',
  'severity.caution': () => 'Caution',
  'severity.critical': () => 'Critical',
  'severity.unknown': () => 'Unknown',

  'position.front_left': () => 'Front left',
  'position.front_right': () => 'Front right',
  'position.rear_left': () => 'Rear left',
  'position.rear_right': () => 'Rear right',

  'place.center': () => 'in the center',
  'place.outside': () => 'on the outer edge',
  'place.inside': () => 'on the inner edge',
  'place.oneSide': () => 'on one edge',
  'place.bothSides': () => 'on both edges',

  'decision.good': () => 'Enough tread',
  'decision.pattern': () => 'Have it checked',
  'decision.caution': () => 'Plan a replacement',
  'decision.gauge': () => 'Check with a gauge',
  'decision.partUnseen': () => 'Check the whole tread',
  'decision.old': () => 'Ask about replacement',
  'decision.likely': () => 'Likely needs replacement',
  'decision.critical': () => 'Replace now',
  'decision.check': () => 'Have it checked now',
  'decision.unread': () => 'Retake the photo',
  'decision.noImage': () => 'Take a photo',
  'decision.notEntered': () => 'Measure the depth',

  'badge.partlyUnknown': () => 'Partly unknown',
  'badge.nearLimit': () => 'Near the limit',
  'badge.band.short': () => 'Like a new tire',
  'badge.band.moderate': () => 'Somewhat longer',
  'badge.band.long': () => 'Much longer',
  'badge.band.maybeLonger': () => 'May be longer',
  'badge.band.longer': () => 'Longer',
  'badge.braking.aged': () => 'Aging not included',
  'badge.axle.cannotTell': () => 'Cannot tell',
  'badge.wear.affected': () => 'Check advised',
  'badge.wear.partlyUncertain': () => 'Partly uncertain',
  'badge.size.match': () => 'All the same',
  'badge.size.mixed': () => 'Left and right differ',
  'badge.size.diameter': () => 'Front and rear diameters differ',
  'badge.size.old': () => 'Check advised',
  'badge.size.partly': () => 'Partly read',

  'headline.good': () => 'The grooves are deep enough, by this measurement.',
  'headline.caution': () => 'A replacement should be planned for at least one tire.',
  'headline.nearLimit': () => 'At least one tire is near the wear limit.',
  'headline.maybeAtLimit': () => 'At least one tire may have reached the wear limit.',
  'headline.nearThreshold': () => 'At least one tire may be below the recommended minimum.',
  'headline.uncertain': () => 'The measurement of at least one tire is too uncertain to judge it.',
  'headline.partUnseen': () => 'A part of the tread of at least one tire could not be checked.',
  'headline.old': () => 'By the date code, at least one tire is 10 years old or more.',
  'headline.inspect': () => 'A check at a tire shop is advised.',
  'headline.likely': () => 'At least one tire likely needs replacement.',
  'headline.bald': () => 'At least one tire seems to be worn smooth in places.',
  'headline.baldWhole': () => 'At least one tire seems to have lost its tread pattern.',
  'headline.wornSmooth': () => 'At least one tire is likely worn smooth.',
  'headline.check': () => 'At least one tire should be checked now.',
  'headline.critical': () => 'At least one tire must be replaced now.',
  'headline.partlyUnknown': () => 'The condition of some tires is unknown.',
  'headline.unknown': () => 'The condition of the tires is unknown.',

  'overall.critical': (tires) => `${tires.topic} must be replaced now.`,
  'overall.likely': (tires) =>
    `${tires.topic} likely ${verb(tires, 'needs', 'need')} replacement. The measurement is not exact enough to be certain. Have a tire shop check ${it(tires)} with a gauge now.`,
  'overall.bald': (tires) =>
    `${tires.topic} ${verb(tires, 'seems', 'seem')} to be worn smooth in places. Have a tire shop check ${it(tires)} now.`,
  'overall.baldWhole': (tires) =>
    `${tires.topic} ${verb(tires, 'seems', 'seem')} to be worn smooth across the whole width. Have a tire shop check ${it(tires)} now.`,
  'overall.wornSmooth': (tires) =>
    `No groove was found on ${anyOf(tires)}. ${verb(tires, 'The tire is', 'The tires are')} likely worn smooth. Have a tire shop check ${it(tires)} now.`,
  'overall.nearLimit': (tires) =>
    `${tires.topic} ${verb(tires, 'is', 'are')} near the wear limit. Have a tire shop check ${it(tires)} with a gauge.`,
  'overall.maybeAtLimit': (tires) =>
    `Given the measurement error, ${tires.names} may have reached the wear limit. Have a tire shop check ${it(tires)} with a gauge.`,
  'overall.caution': (tires) => `A replacement should be planned for ${tires.names}.`,
  'overall.nearThreshold': (tires, advised) =>
    `Given the measurement error, ${tires.names} may be below the recommended minimum (${advised}). Have a tire shop check ${it(tires)} with a gauge.`,
  'overall.uncertain': (tires) =>
    `The measurement of ${tires.names} is too uncertain to judge the wear. Have a tire shop check ${it(tires)} with a gauge.`,
  'overall.partUnseen': (tires) =>
    `A part of the tread of ${tires.names} could not be checked in the photo, so it is not known whether there is a shallower groove. Ask whoever inspected the car for a photo of the whole tread, or have a tire shop check ${it(tires)}.`,
  'overall.uneven': (tires) => `${tires.topic} ${verb(tires, 'seems', 'seem')} to be worn unevenly. Have a tire shop check ${it(tires)}.`,
  'overall.axleFront': () => 'The two front tires were measured at different groove depths. Have a tire shop check them.',
  'overall.axleRear': () => 'The two rear tires were measured at different groove depths. Have a tire shop check them.',
  'overall.axleBoth': () => 'On both axles, left and right were measured at different groove depths. Have a tire shop check them.',
  'overall.mixedFront': () => 'The two front tires were read as different sizes. Have a tire shop check them.',
  'overall.mixedRear': () => 'The two rear tires were read as different sizes. Have a tire shop check them.',
  'overall.mixedBoth': () =>
    'The two front tires were read as different sizes, and so were the two rear tires. Have a tire shop check them.',
  'overall.diameter': () =>
    'By the sizes that were read, the overall diameters differ a lot, front to rear. Have a tire shop check whether the sizes fit the vehicle.',
  'overall.mixedFrontConfirmed': () => 'The two front tires have different sizes. Have a tire shop check them.',
  'overall.mixedRearConfirmed': () => 'The two rear tires have different sizes. Have a tire shop check them.',
  'overall.mixedBothConfirmed': () =>
    'The two front tires have different sizes, and so have the two rear tires. Have a tire shop check them.',
  'overall.diameterConfirmed': () =>
    'By the known sizes, the overall diameters differ a lot, front to rear. Have a tire shop check whether the sizes fit the vehicle.',
  'overall.old': (tires) =>
    `By the date code that was read on the sidewall, ${tires.names} ${verb(tires, 'was', 'were')} made at least 10 years ago. Ask a tire shop about a replacement.`,
  'overall.aging': (tires) =>
    `By the date code that was read on the sidewall, ${tires.names} ${verb(tires, 'was', 'were')} made at least 6 years ago. Have ${verb(tires, 'it', 'them')} checked every year.`,
  'overall.shared': (tires) =>
    verb(
      tires,
      `The photo of ${tires.names} is registered for another tire too, so the condition of this tire is unknown. Ask whoever inspected the car for a separate photo of each tire.`,
      `The photos of ${tires.names} are each registered for another tire too, so the condition of these tires is unknown. Ask whoever inspected the car for a separate photo of each tire.`,
    ),
  'overall.similar': (tires) =>
    verb(
      tires,
      `A photo that is nearly the same as that of ${tires.names} is registered for another tire, so the condition of this tire is unknown. Ask whoever inspected the car for a separate photo of each tire.`,
      `Photos that are nearly the same as those of ${tires.names} are registered for other tires, so the condition of these tires is unknown. Ask whoever inspected the car for a separate photo of each tire.`,
    ),
  'overall.sharedDepth': (tires, depth) =>
    `A photo shows a tire whose shallowest groove was measured at ${depth}. The photos of ${tires.names} are the same or nearly the same. It is not known which tire this photo shows, so have ${every(tires)} checked now.`,
  'overall.sharedBald': (tires) =>
    `A photo shows a tire that seems to have lost its tread pattern in places. The photos of ${tires.names} are the same or nearly the same. It is not known which tire this photo shows, so have ${every(tires)} checked now.`,
  'overall.sharedBaldWhole': (tires) =>
    `A photo shows a tire that seems to have lost its tread pattern. The photos of ${tires.names} are the same or nearly the same. It is not known which tire this photo shows, so have ${every(tires)} checked now.`,
  'overall.unread': (tires) =>
    `The groove depth of ${tires.names} could not be measured. Ask whoever inspected the car to take a clearer photo of the tread.`,
  'overall.noImage': (tires) =>
    `There is no photo of ${tires.names}, so the condition is unknown. Ask whoever inspected the car to take a clear photo of the tread.`,
  'overall.notEntered': (tires) =>
    `No groove depth was entered for ${tires.names}, so the condition is unknown. Ask whoever inspected the car to measure it.`,
  'overall.untilReplaced': () => 'Do not drive before the replacement.',
  'overall.untilChecked': () => 'Do not drive before the check.',
  'overall.restGood': (tires, advised) =>
    `${tires.topic} ${verb(tires, 'was', 'were')} measured deeper than the recommended minimum (${advised}).`,
  'overall.good': (advised) => `The grooves of all four tires were measured deeper than the recommended minimum (${advised}).`,
  'overall.goodLongStop': () => 'On a wet road, braking may still take longer than with new tires, so plan ahead for a replacement.',
  'overall.noRange': () => 'However, it is not known how exact some of the measurements are.',

  'tire.good': (tires, depth, advised) => `${measured(tires, depth)} The measured depth is above the recommended minimum (${advised}).`,
  'tire.lowEnd': (advised) =>
    `The lower end of its range lies just below that minimum (${advised}), so have it checked at the next visit to a tire shop.`,
  'tire.caution': (tires, depth, advised) =>
    `${measured(tires, depth)} The measured depth is at the recommended minimum (${advised}) or below it, so plan a replacement.`,
  'tire.nearThreshold': (tires, depth, advised) =>
    `${measured(tires, depth)} Given the measurement error, it may be below the recommended minimum (${advised}). Have a tire shop check it with a gauge.`,
  'tire.uncertain': (tires, depth) =>
    `${measured(tires, depth)} This is too uncertain to judge the wear. Have a tire shop check it with a gauge.`,
  'tire.partUnseen': (tires, depth) => `The shallowest groove that was found on ${tires.names} was measured at ${depth}.`,
  'tire.unseenOutside': () => 'A part of the tread lies outside of the photo, so it is not known whether there is a shallower groove.',
  'tire.unseenUnclear': () =>
    'In a part of the tread it is not clear whether there is a groove, so it is not known whether there is a shallower one.',
  'tire.unseenBoth': () =>
    'A part of the tread lies outside of the photo, and in another part it is not clear whether there is a groove, so it is not known whether there is a shallower one.',
  'tire.unseenCheck': () => 'Ask whoever inspected the car for a photo of the whole tread, or have a tire shop check it.',
  'tire.nearLimit': (tires, depth, legal) =>
    `${measured(tires, depth)} This is near the wear limit (${legal}). Have a tire shop check it with a gauge.`,
  'tire.maybeAtLimit': (tires, depth, legal) =>
    `${measured(tires, depth)} Given the measurement error, it may have reached the wear limit (${legal}). Have a tire shop check it with a gauge.`,
  'tire.likely': (tires, depth, legal) =>
    `${measured(tires, depth)} It has likely reached the wear limit (${legal}), but the measurement is not exact enough to be certain. Have a tire shop check it with a gauge now.`,
  'tire.critical': (tires, depth, legal) =>
    `${measured(tires, depth)} This is below the wear limit (${legal}). The tire must be replaced now.`,
  'tire.criticalAtLimit': (tires, depth, legal) =>
    `${measured(tires, depth)} This is the wear limit (${legal}). The tire must be replaced now.`,
  'tire.noRange': () => 'It is not known how exact this measurement is.',
  'tire.bald': (tires, places) =>
    `${tires.topic} ${verb(tires, 'seems', 'seem')} to have lost the tread pattern ${places}. Even with other grooves left it may be dangerous. Have a tire shop check ${it(tires)} now.`,
  'tire.baldWhole': (tires) =>
    `${tires.topic} ${verb(tires, 'seems', 'seem')} to have lost the tread pattern across the whole width. Have a tire shop check it now.`,
  'tire.baldWholeAndWorn': (tires) =>
    `${tires.topic} ${verb(tires, 'seems', 'seem')} to have lost the tread pattern across the whole width. The tire must be replaced now.`,
  'tire.baldAndWorn': (tires, places) => `${tires.topic} ${verb(tires, 'seems', 'seem')} to have lost the tread pattern ${places}.`,
  'tire.restDepth': (depth) => `The shallowest of the remaining grooves was measured at ${depth}.`,
  'tire.restAtLimit': (legal) => `That is at the wear limit (${legal}) or below it, so the tire must be replaced now.`,
  'tire.wornSmooth': (tires) => `No groove was found on ${anyOf(tires)}. The tire is likely worn smooth. Have a tire shop check it now.`,
  'tire.shared': (tires, others) =>
    `The same photo is registered for ${tires.names} and for ${others.names}, so it is not known which tire it shows.`,
  'tire.similar': (tires, others) =>
    `Nearly the same photo is registered for ${tires.names} and for ${others.names}, so it is not known which tire it shows.`,
  'tire.sharedDepth': (depth) => `In the registered photo the shallowest groove was measured at ${depth}.`,
  'tire.sharedBald': () => 'In the registered photo the tire seems to have lost its tread pattern in places.',
  'tire.sharedBaldWhole': () => 'In the registered photo the tire seems to have lost its tread pattern.',
  'tire.sharedCheck': (tires) => `Have ${every(tires)} checked now.`,
  'tire.sharedRetake': () => 'Ask whoever inspected the car for a separate photo of each tire.',
  'tire.old': () =>
    'By the date code that was read on the sidewall, it was made at least 10 years ago. Even where the grooves are deep, the rubber may have hardened, so ask a tire shop about a replacement.',
  'tire.aging': () => 'By the date code that was read on the sidewall, it was made at least 6 years ago, so have it checked every year.',
  'tire.unread': (tires) =>
    `The groove depth of ${tires.names} could not be measured. Ask whoever inspected the car to take a clearer photo of the tread.`,
  'tire.noImage': (tires) =>
    `There is no photo of ${tires.names}, so the groove depth is unknown. Ask whoever inspected the car to take a clear photo of the tread.`,
  'tire.notEntered': (tires) => `The groove depth of ${tires.names} is unknown. Ask whoever inspected the car to measure it.`,

  'wearLabel.even_wear': () => 'Even wear',
  'wearLabel.center_wear_overinflation_candidate': () => 'Center wear',
  'wearLabel.both_shoulder_wear_underinflation_candidate': () => 'Wear on both edges',
  'wearLabel.outside': () => 'Wear on one edge (outer)',
  'wearLabel.inside': () => 'Wear on one edge (inner)',
  'wearLabel.oneSide': () => 'Wear on one edge',
  'wearLabel.mixed_or_uncertain': () => 'Uncertain',

  'wear.even': () => 'The grooves were measured about equally deep.',
  'wear.likeNew': () => 'The grooves were measured nearly as deep as those of a new tire. Small differences between them may be by design.',
  'wear.center': () => 'The center seems to be more worn than the edges. The pressure may have been too high, so check it.',
  'wear.bothShoulders': () => 'Both edges seem to be more worn than the center. The pressure may have been too low, so check it.',
  'wear.baldCenter': () => 'Wear in the center can come from too much pressure, so have the pressure checked too.',
  'wear.baldBothShoulders': () => 'Wear on both edges can come from too little pressure, so have the pressure checked too.',
  'wear.baldOneShoulder': () => 'Wear on one edge can come from the wheel alignment, so have it checked too.',
  'wear.outside': () => 'The outer edge seems to be more worn. The wheel alignment may have been off, so have it checked.',
  'wear.inside': () => 'The inner edge seems to be more worn. The wheel alignment may have been off, so have it checked.',
  'wear.oneSide': () => 'One edge seems to be more worn. The wheel alignment may have been off, so have it checked.',
  'wear.noPattern': () => 'The grooves were measured at different depths, in no pattern that can be named.',
  'wear.fewGrooves': () => 'Too few grooves were measured to tell how the tire wears.',
  'wear.lowConfidence': () => 'The measurement is not certain enough to tell how the tire wears.',
  'wear.wideInterval': () => 'Given the measurement error, uneven wear cannot be ruled out.',
  'wear.noDepth': () => 'Without a groove depth it is unknown how the tire wears.',
  'wear.bald': () => 'The tread pattern seems to be gone in places, so it is unknown how the tire wears.',
  'wear.baldWhole': () => 'The tread pattern seems to be gone, so it is unknown how the tire wears.',
  'wear.wornSmooth': () => 'No groove was found, so it is unknown how the tire wears.',
  'wear.partUnseen': () => 'A part of the tread could not be checked, so it is unknown how the tire wears.',
  'wear.shared': () => 'It is unknown which tire the photo shows, and so how this tire wears.',
};
