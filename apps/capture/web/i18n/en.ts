import type { ANALYSIS_ERRORS } from '@tire/kernel';
import type { ImageType, Position } from '@tire/kernel/slots';
import type { Hint } from '../hints/hints';
import type { FileFault } from '../photo/file-kind';
import type { Refusal } from '../uploads/photo';

type AnalysisErrorCode = keyof typeof ANALYSIS_ERRORS;

const photos = (count: number) => (count === 1 ? '1 photo' : `${count} photos`);

export const en = {
  title: 'Tire photos',
  other: '한국어',
  loading: 'Loading…',
  positions: { front_left: 'Front left', front_right: 'Front right', rear_left: 'Rear left', rear_right: 'Rear right' } as Record<
    Position,
    string
  >,
  types: { tread: 'Tread', sidewall: 'Sidewall' } as Record<ImageType, string>,
  typesLong: { tread: 'the tread, the part that touches the road', sidewall: 'the side of the wheel, with its lettering' } as Record<
    ImageType,
    string
  >,
  slot: (position: string, type: string) => `${position} · ${type}`,

  welcomeBy: (name: string) => `${name} asks for photos of your tires`,
  welcome: 'Photos of your tires',
  welcomeText: (count: number) =>
    `Walk round the car once and take ${photos(count)}. It takes about two minutes. Each photo is checked at once.`,
  welcomeSteps: [
    'Park in daylight or under a light, not in direct sun.',
    'Turn the steering wheel, so that the front treads can be seen.',
    'Wipe mud and snow off the tires.',
  ] as readonly string[],
  consent: (name: string | null) =>
    `The photos are sent to ${name ?? 'the company that sent you this link'} and are measured there. Nothing else on this phone is read: no place, no other photos.`,
  start: 'I agree, start',
  call: (name: string | null) => (name ? `Call ${name}` : 'Call'),

  address: 'Address',
  openingHours: 'Opening hours',

  walkTitle: 'Around the car',
  walkText: (taken: number, wanted: number) => `${taken} of ${photos(wanted)} taken`,
  frontOfCar: 'Front',
  next: (slot: string) => `Take: ${slot}`,
  toSummary: 'Check and finish',
  states: {
    empty: 'to do',
    optional: 'if you like',
    skipped: 'left out',
    sending: 'sending',
    measuring: 'being checked',
    good: 'good',
    poor: 'better again',
    failed: 'again',
    contested: 'two photos',
    unsent: 'not sent',
  },
  waitsForNetwork: 'waits for network',

  attention: 'Please take again',
  again: 'Take again',
  keep: 'Leave it',
  useMine: 'Use mine',
  useOther: 'Keep the other one',
  skip: 'Leave this one out',
  unskip: 'Take it after all',
  notRecognized:
    'The size on the tire could not be read. Wipe the sidewall, and take the place with the lettering sharply and straight from the front.',
  contested: 'Another phone sent a photo of this tire meanwhile. Which one should count?',
  refusals: {
    link: 'This link is no longer valid, so the photo could not be sent.',
    ended: 'This link takes no more photos, so the photo could not be sent.',
    closed: 'The photo came too late: no more photos are accepted.',
    unusable: 'This photo could not be used. Take it again with the camera of the phone.',
    lost: 'The phone has deleted this photo before it was sent. Take it again.',
  } as Record<Refusal, string>,
  failures: {
    analysis_failed: 'The photo could not be checked. Take it again.',
    image_unreachable: 'The photo did not arrive. Take it again.',
    image_fetch_timeout: 'The photo did not arrive. Take it again.',
    image_too_large: 'The file is too large. Take the photo here, with this page.',
    image_url_forbidden: 'The photo did not arrive. Take it again.',
    image_format_unsupported: 'This kind of file cannot be used. Take the photo here, with this page.',
    image_undecodable: 'The file is damaged. Take the photo again.',
    image_too_small: 'The picture is too small. Take the photo here, with this page.',
    tread_not_found: 'No tread was found. Face the tread, so that it fills the photo.',
    sidewall_not_found: 'No sidewall was found. Take the whole wheel from its side.',
  } as Record<AnalysisErrorCode, string>,

  howTo: {
    tread: 'From slightly above, straight at the tread. Both edges of the tire in the picture.',
    sidewall: 'Straight from the side. The whole wheel in the circle.',
  } as Record<ImageType, string>,
  back: 'Back',
  openCamera: 'Open the camera',
  takePhoto: 'Take a photo',
  fromGallery: 'From the gallery',
  noCamera: 'This page cannot show the camera here. The button opens the camera of the phone.',
  cameraRefused:
    'The page may not use the camera. Allow it in the settings of the browser, or use the button: it opens the camera of the phone.',
  automatic: 'Automatic',
  torch: 'Light',
  hints: {
    too_dark: 'Too dark. Use the light, or move to a brighter place.',
    too_bright: 'Too bright. Turn away from the sun.',
    no_tire: 'No tire to be seen. Point at the tire.',
    is_sidewall: 'This is the side of the wheel. Show the tread, the part that touches the road.',
    is_tread: 'This is the tread. Show the whole wheel from its side.',
    too_far: 'Too far away. Move closer, until the tire fills the outline.',
    same_photo: 'This tire is photographed already. Go on to the next one.',
    blurred: 'Not sharp. Hold still, or move a little further away.',
    moving: 'Hold still.',
  } as Record<Hint, string>,
  preparing: 'Preparing the photo…',
  fileFaults: {
    heic: 'This browser cannot open HEIC photos. Take the photo with the button above, or choose a JPEG. On an iPhone: Settings › Camera › Formats › Most Compatible.',
    unreadable: 'This file is not a photo that can be opened here. Choose another one.',
    too_small: 'The picture is too small. Choose the original photo.',
    shot: 'The photo did not succeed. Take it with the camera of the phone, or choose one.',
  } as Record<FileFault, string>,
  samePhoto: (slot: string) => `This looks like your photo of ${slot}. Each tire needs a photo of its own.`,
  useAnyway: 'Use it anyway',
  chooseOther: 'Take another one',

  summary: 'Check and finish',
  summaryMissing: (treads: number, sidewalls: number) =>
    `Still missing: ${[treads > 0 ? `${photos(treads)} of treads` : '', sidewalls > 0 ? `${photos(sidewalls)} of sidewalls` : ''].filter(Boolean).join(', ')}.`,
  summaryMeasuring: (count: number) => `${photos(count)} being checked. You may wait for the result here.`,
  summaryUnsent: (count: number) => `${photos(count)} not sent yet. Keep this page open until they are sent.`,
  summaryEnough: 'All that is needed is there. Thank you.',
  finish: 'Finish',
  finishAnyway: 'Finish without them',
  finishFailed: 'Finishing did not work. Check the network and try again.',

  done: 'Thank you, that is all',
  doneBy: (name: string) => `${name} has your photos.`,
  doneText: 'You may close this page.',
  doneMore: 'Change a photo',
  openReport: 'Open the report',
  toPartner: (name: string | null) => (name ? `Back to ${name}` : 'Go back'),

  endings: {
    published: 'The report is done and takes no more photos.',
    expired: 'This link has run out.',
    revoked: 'This link was withdrawn.',
    closed: 'No more photos are accepted.',
  },
  endedAsk: (name: string | null) => `If photos are still needed, ask ${name ?? 'the sender'} for a new link.`,
  unknownTitle: 'This link does not work',
  unknownText: 'It was replaced or withdrawn, or is not complete. Open the newest message once more, or ask the sender for a new link.',
  unsentOnPhone: (count: number) => `${photos(count)} could not be sent.`,
  noStart: 'The page cannot reach the service',
  noStartText: 'It tries again by itself as soon as there is a network.',
  retry: 'Try again',

  offline: 'No network. Go on: the photos are kept on this phone and sent later.',
  memoryOnly: 'The phone has no room to keep photos. Leave this page open until all are sent.',
  otherTab: 'This page is open twice. The other one sends the photos.',
  leftHand: 'Buttons for the left hand',
  rightHand: 'Buttons for the right hand',

  newsTaken: (slot: string) => `${slot}: taken.`,
  newsGood: (slot: string) => `${slot}: good.`,
  newsBad: (slot: string, why: string) => `${slot}: ${why}`,
};

export type Words = typeof en;
