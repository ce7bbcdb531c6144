/** Why an image is bad, and how to take a better one. A bad image may have been measured nevertheless. */
export const RETAKE_HINTS = {
  not_a_tread: {
    ko: '트레드가 보이지 않습니다. 타이어의 홈이 화면 가운데에 오도록 정면에서 촬영해 주세요.',
    en: 'No tread is to be seen. Face the tread and keep its grooves in the middle of the photo.',
  },
  not_a_sidewall: {
    ko: '타이어 옆면이 보이지 않습니다. 바퀴 전체가 화면에 들어오도록 옆에서 촬영해 주세요.',
    en: 'No sidewall is to be seen. Take the whole wheel from its side.',
  },
  wheel_in_tread_slot: {
    ko: '타이어 옆면을 촬영한 사진입니다. 이 자리에는 노면에 닿는 트레드를 정면에서 촬영해 주세요.',
    en: 'This is a photo of a wheel from its side. Here the tread is needed: face the part that touches the road.',
  },
  tread_in_sidewall_slot: {
    ko: '트레드를 촬영한 사진입니다. 이 자리에는 타이어 규격이 적힌 옆면을 촬영해 주세요.',
    en: 'This is a photo of a tread. Here the sidewall is needed: take the side of the tire, where the size is written.',
  },
  unreadable: {
    ko: '타이어 규격을 읽지 못했습니다. 옆면을 닦고, 규격이 적힌 곳을 정면에서 선명하게 촬영해 주세요.',
    en: 'The size could not be read. Wipe the sidewall, and take the place where the size is written sharply and straight from the front.',
  },
  unsupported_size: {
    ko: '승용차 타이어의 규격이 아닌 것 같습니다. 트럭이나 이륜차의 규격, 편평비가 없는 규격은 지원하지 않습니다.',
    en: 'The size does not seem to be one of a car. Sizes of trucks and motorcycles, in inches or without an aspect ratio are not supported.',
  },
  too_dark: {
    ko: '사진이 어둡습니다. 밝은 곳으로 옮기거나 조명을 켜고 다시 촬영해 주세요.',
    en: 'The photo is dark. Move to a brighter place or use a light, and take it again.',
  },
  too_bright: {
    ko: '사진이 너무 밝습니다. 직사광선과 플래시를 피해 다시 촬영해 주세요.',
    en: 'The photo is too bright. Avoid direct sun and the flash, and take it again.',
  },
  blurred: {
    ko: '사진이 흐립니다. 화면을 눌러 초점을 맞추고, 흔들리지 않게 다시 촬영해 주세요.',
    en: 'The photo is blurred. Tap to focus, hold still, and take it again.',
  },
  too_far: {
    ko: '타이어가 작게 보입니다. 타이어가 화면을 채우도록 가까이에서 촬영해 주세요.',
    en: 'The tire is small in the photo. Come closer, so that it fills the photo.',
  },
  too_oblique: {
    ko: '비스듬한 각도에서 촬영되었습니다. 트레드를 정면으로 보고 다시 촬영해 주세요.',
    en: 'The tread is seen at an angle. Face it straight and take the photo again.',
  },
  tread_cut_off: {
    ko: '트레드의 한쪽이 사진 밖으로 잘렸습니다. 양쪽 가장자리가 모두 나오게 다시 촬영해 주세요.',
    en: 'One side of the tread is outside of the photo. Take it so that both edges are in the photo.',
  },
  unmeasurable: {
    ko: '이 사진 파일은 처리할 수 없습니다. 휴대전화의 기본 카메라로 다시 촬영해 주세요.',
    en: 'This file could not be processed. Take the photo again with the camera app of a phone.',
  },
} as const;

export type RetakeReason = keyof typeof RETAKE_HINTS;

export const RETAKE_REASONS = Object.keys(RETAKE_HINTS) as [RetakeReason, ...RetakeReason[]];

export const isRetakeReason = (text: string): text is RetakeReason => Object.hasOwn(RETAKE_HINTS, text);
