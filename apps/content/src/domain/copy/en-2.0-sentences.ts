import type { Tires } from './copy-2.0-language';
import type { KOREAN_SENTENCES } from './ko-2.0-sentences';

/** One tire or several. */
const verb = ({ isPlural }: Tires, one: string, several: string): string => (isPlural ? several : one);

const measured = (tires: Tires, depth: string): string => `The lowest groove of ${tires.names} was measured at ${depth}.`;

/** As the Korean sentences, one for one. */
export const ENGLISH_SENTENCES: typeof KOREAN_SENTENCES = {
  'severity.good': () => 'Good',
  'severity.caution': () => 'Caution',
  'severity.critical': () => 'Critical',
  'severity.unknown': () => 'Unknown',

  'position.front_left': () => 'Front left',
  'position.front_right': () => 'Front right',
  'position.rear_left': () => 'Rear left',
  'position.rear_right': () => 'Rear right',

  'place.whole': () => 'across the whole width',
  'place.center': () => 'in the center',
  'place.outside': () => 'on the outer edge',
  'place.inside': () => 'on the inner edge',
  'place.oneSide': () => 'on one edge',
  'place.bothSides': () => 'on both edges',

  'decision.good': () => 'Enough tread',
  'decision.pattern': () => 'Have it checked',
  'decision.caution': () => 'Plan a replacement',
  'decision.gauge': () => 'Check with a gauge',
  'decision.likely': () => 'Likely needs replacement',
  'decision.critical': () => 'Replace now',
  'decision.check': () => 'Have it checked now',
  'decision.unread': () => 'Retake the photograph',
  'decision.noImage': () => 'Take a photograph',
  'decision.notEntered': () => 'Measure the depth',

  'badge.partlyUnknown': () => 'Partly unknown',
  'badge.nearLimit': () => 'Near the limit',
  'badge.band.short': () => 'Like a new tire',
  'badge.band.moderate': () => 'Somewhat longer',
  'badge.band.long': () => 'Much longer',
  'badge.wear.affected': () => 'Check advised',
  'badge.wear.partlyUncertain': () => 'Partly uncertain',
  'badge.size.match': () => 'All the same',
  'badge.size.mixed': () => 'Left and right differ',
  'badge.size.diameter': () => 'Diameters differ',
  'badge.size.old': () => 'Check advised',
  'badge.size.partly': () => 'Partly read',

  'headline.good': () => 'The tires have enough tread.',
  'headline.caution': () => 'It is time to plan a replacement.',
  'headline.nearLimit': () => 'At least one tire is near the wear limit.',
  'headline.nearThreshold': () => 'At least one tire is near the recommended minimum.',
  'headline.inspect': () => 'A check by a workshop is advised.',
  'headline.likely': () => 'At least one tire likely needs replacement.',
  'headline.bald': () => 'At least one tire seems to be worn smooth in places.',
  'headline.check': () => 'At least one tire should be checked now.',
  'headline.critical': () => 'At least one tire must be replaced now.',
  'headline.partlyUnknown': () => 'The condition of some tires is unknown.',
  'headline.unknown': () => 'The condition of the tires is unknown.',

  'overall.critical': (tires) => `${tires.topic} must be replaced now.`,
  'overall.likely': (tires) =>
    `${tires.topic} likely ${verb(tires, 'needs', 'need')} replacement. The measurement is not exact enough to be certain. Have a workshop check with a gauge now.`,
  'overall.bald': (tires) => `${tires.topic} ${verb(tires, 'seems', 'seem')} to be worn smooth in places. Have a workshop check now.`,
  'overall.wornSmooth': (tires) =>
    `On ${tires.names} no groove was found. ${verb(tires, 'The tire', 'The tires')} may be worn smooth. Have a workshop check now.`,
  'overall.nearLimit': (tires) => `${tires.topic} ${verb(tires, 'is', 'are')} near the wear limit. Have a workshop check with a gauge.`,
  'overall.caution': (tires) => `It is time to plan a replacement for ${tires.names}.`,
  'overall.nearThreshold': (tires, advised) =>
    `${tires.topic} ${verb(tires, 'is', 'are')} near the recommended minimum (${advised}). Have a workshop check with a gauge.`,
  'overall.uneven': (tires) => `${tires.topic} ${verb(tires, 'seems', 'seem')} to be worn unevenly. Have a workshop check.`,
  'overall.axle': () => 'The groove depths were found to differ between left and right. Have a workshop check.',
  'overall.unevenAndAxle': (tires) =>
    `${tires.topic} ${verb(tires, 'seems', 'seem')} to be worn unevenly, and the groove depths were found to differ between left and right. Have a workshop check.`,
  'overall.mixedFront': () => 'The two front tires have different sizes. Have a workshop check.',
  'overall.mixedRear': () => 'The two rear tires have different sizes. Have a workshop check.',
  'overall.mixedBoth': () => 'The two front tires have different sizes, and so have the two rear tires. Have a workshop check.',
  'overall.diameter': () => 'The overall diameters differ a lot, front to rear. Have a workshop check whether the sizes fit the vehicle.',
  'overall.old': (tires) => `${tires.topic} ${verb(tires, 'was', 'were')} made at least 10 years ago. Ask a workshop about a replacement.`,
  'overall.shared': (tires) =>
    verb(
      tires,
      `The photograph of ${tires.names} is registered for another tire too, so its condition is unknown. Photograph each tire separately.`,
      `The photographs of ${tires.names} are each registered for another tire too, so their condition is unknown. Photograph each tire separately.`,
    ),
  'overall.similar': (tires) =>
    verb(
      tires,
      `A photograph that is nearly the same as that of ${tires.names} is registered for another tire, so its condition is unknown. Photograph each tire separately.`,
      `Photographs that are nearly the same as those of ${tires.names} are registered for other tires, so their condition is unknown. Photograph each tire separately.`,
    ),
  'overall.unread': (tires) =>
    `The groove depth of ${tires.names} could not be measured. Photograph the tread again so that it is clearly visible.`,
  'overall.noImage': (tires) =>
    `There is no photograph of ${tires.names}, so the condition is unknown. Photograph the tread so that it is clearly visible.`,
  'overall.notEntered': (tires) => `No groove depth was entered for ${tires.names}, so the condition is unknown. Measure the groove depth.`,
  'overall.restGood': (advised) => `The other tires were measured deeper than the recommended minimum (${advised}).`,
  'overall.good': (advised) => `The grooves of all four tires were measured deeper than the recommended minimum (${advised}).`,
  'overall.goodLongStop': () => 'On a wet road the stop may still be longer than with new tires, so plan ahead for a replacement.',

  'tire.good': (tires, depth, advised) => `${measured(tires, depth)} This is deeper than the recommended minimum (${advised}).`,
  'tire.caution': (tires, depth, advised) =>
    `${measured(tires, depth)} This is at the recommended minimum (${advised}) or below it, so plan a replacement.`,
  'tire.nearThreshold': (tires, depth, advised) =>
    `${measured(tires, depth)} Within the measuring error it may be below the recommended minimum (${advised}). Have a workshop check with a gauge.`,
  'tire.nearLimit': (tires, depth, legal) =>
    `${measured(tires, depth)} This is near the wear limit (${legal}). Have a workshop check with a gauge.`,
  'tire.likely': (tires, depth, legal) =>
    `${measured(tires, depth)} It has likely reached the wear limit (${legal}), but the measurement is not exact enough to be certain. Have a workshop check with a gauge now.`,
  'tire.critical': (tires, depth, legal) =>
    `${measured(tires, depth)} This is below the wear limit (${legal}). The tire must be replaced now.`,
  'tire.criticalAtLimit': (tires, depth, legal) =>
    `${measured(tires, depth)} This is the wear limit (${legal}). The tire must be replaced now.`,
  'tire.bald': (tires, places) =>
    `${tires.topic} ${verb(tires, 'seems', 'seem')} to have lost the tread pattern ${places}. Even with other grooves left it may be dangerous. Have a workshop check now.`,
  'tire.restDepth': (depth) => `The lowest of the remaining grooves was measured at ${depth}.`,
  'tire.wornSmooth': (tires) => `On ${tires.names} no groove was found. The tire may be worn smooth. Have a workshop check now.`,
  'tire.shared': (tires, others) =>
    `The same photograph is registered for ${tires.names} and for ${others.names}, so it is unknown which tire it shows. Photograph each tire separately.`,
  'tire.similar': (tires, others) =>
    `Nearly the same photograph is registered for ${tires.names} and for ${others.names}, so it is unknown which tire it shows. Photograph each tire separately.`,
  'tire.sharedDepth': (depth) => `In that photograph the lowest groove was measured at ${depth}.`,
  'tire.sharedBald': () => 'In that photograph the tire seems to have lost its tread pattern in places. Have a workshop check now.',
  'tire.unread': (tires) =>
    `The groove depth of ${tires.names} could not be measured. Photograph the tread again so that it is clearly visible.`,
  'tire.noImage': (tires) =>
    `There is no photograph of ${tires.names}, so the groove depth is unknown. Photograph the tread so that it is clearly visible.`,
  'tire.notEntered': (tires) => `The groove depth of ${tires.names} is unknown. Measure the groove depth.`,

  'wearLabel.even_wear': () => 'Even wear',
  'wearLabel.center_wear_overinflation_candidate': () => 'Center wear',
  'wearLabel.both_shoulder_wear_underinflation_candidate': () => 'Wear on both edges',
  'wearLabel.outside': () => 'Wear on one edge (outer)',
  'wearLabel.inside': () => 'Wear on one edge (inner)',
  'wearLabel.oneSide': () => 'Wear on one edge',
  'wearLabel.mixed_or_uncertain': () => 'Uncertain',

  'wear.even': () => 'The measured grooves are about equally deep.',
  'wear.likeNew': () => 'The grooves were measured nearly as deep as those of a new tire. Small differences between them may be by design.',
  'wear.center': () => 'The center seems to be more worn than the edges. The pressure may have been too high, so check it.',
  'wear.bothShoulders': () => 'Both edges seem to be more worn than the center. The pressure may have been too low, so check it.',
  'wear.outside': () => 'The outer edge seems to be more worn. The wheel alignment may have been off, so have it checked.',
  'wear.inside': () => 'The inner edge seems to be more worn. The wheel alignment may have been off, so have it checked.',
  'wear.oneSide': () => 'One edge seems to be more worn. The wheel alignment may have been off, so have it checked.',
  'wear.noPattern': () => 'The grooves were measured at different depths, in no pattern that can be named.',
  'wear.fewGrooves': () => 'Too few grooves were measured to tell how the tire wears.',
  'wear.lowConfidence': () => 'The measurement is not certain enough to tell how the tire wears.',
  'wear.noDepth': () => 'Without a groove depth it is unknown how the tire wears.',
  'wear.bald': () => 'The tread pattern seems to be gone in places, so it is unknown how the tire wears.',
  'wear.shared': () => 'It is unknown which tire the photograph shows, and so how this tire wears.',
};
