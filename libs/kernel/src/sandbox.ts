import type { AnalysisErrorCode } from './errors';
import type { RetakeReason } from './retake';
import type { ImageType } from './slots';

/**
 * The well-known photographs of the sandbox: in reports of test projects, and only there, each gives a known result. A photograph is known by
 * the SHA-256 of its bytes, wherever they come from, and by its address, which is never resolved. The files, what was measured in them and the
 * scenarios made of them are in `@tire/contracts/sandbox`.
 */
export interface SandboxPhotograph {
  readonly sha256: string;
  readonly imageType: ImageType;
  /** The slot fails with this code. Without one it has the recorded measurement. */
  readonly errorCode?: AnalysisErrorCode;
  /** The address fails, as addresses with this fault do. The bytes themselves fail when they are measured. */
  readonly atFetch?: true;
  /** Only the first measurement in a slot fails, with this code. */
  readonly firstErrorCode?: AnalysisErrorCode;
  /** The result comes so late. */
  readonly afterMs?: number;
  readonly contentFails?: true;
  /** So many first attempts of each callback of the report fail. */
  readonly callbackFailures?: number;
}

export const SANDBOX_PHOTOGRAPHS = {
  'tread-front-left': { sha256: 'fe3244cd3f5aa710b93edf6392c5b20433ea73b3a01feb70c818ebe5c0acf193', imageType: 'tread' },
  'tread-front-right': { sha256: '0ce326031116ddb327c5c82c21b2e99c07892e4797c7d6b0aba2258e5bccfb3e', imageType: 'tread' },
  'tread-rear-left': { sha256: '2511c4f309d9d37827eb6ead8a37ef19cb6c6e8d81bb4c076d5399f923caec29', imageType: 'tread' },
  'tread-rear-right': { sha256: '3542202facfe24de6b05f9a91594f8778c43a41ba8f9514df2a758ae831126fd', imageType: 'tread' },
  'tread-near-limit': { sha256: '57fb2bba4dc2a519f1d0f13408f24bea97b3ea5728fde4680e574046fe6757f9', imageType: 'tread' },
  'tread-below-limit': { sha256: 'baee3c94241f060c6732951fb31eb4f01d94d59b2ad72aab14048186e489c22c', imageType: 'tread' },
  'tread-bald': { sha256: '8f2e8fd086b0fe6fdbb222b901e6b80bd97656d62313cb5e2cf4dc7f19bb4f42', imageType: 'tread' },
  'tread-slow': { sha256: 'ea80ac7bc9ad5285aec0daf3adab3d343b7a4d1dd39091925ed636571ff70710', imageType: 'tread', afterMs: 30_000 },
  'tread-second-try': {
    sha256: '020acc7ef2e86714f45b941f57c829e181fe24d4b28895deb74610e14acf9097',
    imageType: 'tread',
    firstErrorCode: 'analysis_failed',
  },
  'tread-callback-fails-twice': {
    sha256: '736d996cdd681243b9214f6b155959952abe938c448a9851816c6dd1f9d5613d',
    imageType: 'tread',
    callbackFailures: 2,
  },
  'tread-content-fails': {
    sha256: 'f4ff803230bbe4b37c2f0dd247dfe93d29936e351cf27155d0a52b6e41c311e7',
    imageType: 'tread',
    contentFails: true,
  },
  'sidewall-front-left': { sha256: 'c95579d4cfc88fa38f7c55a0f32e336db010f94cf70887bb266c8c1989a5ca6e', imageType: 'sidewall' },
  'sidewall-front-right': { sha256: '077d42fce749e03f98b4ec0cd3849035957b5f4347e8c14c54b29eea5df4f098', imageType: 'sidewall' },
  'sidewall-rear-left': { sha256: '270c65881abff818e583fafd21b71bc5314dda209a83b80e6dccf6327f2f502f', imageType: 'sidewall' },
  'sidewall-rear-right': { sha256: '7db1689e083afca8533cf6ffeef2446ca96a9bba70fbbc10dd270f68c9c3115e', imageType: 'sidewall' },
  'sidewall-unread': { sha256: '7463bd6e195e9b530f0becb3fc1d9ea96431aab7d7f85335c5911984e271e5b9', imageType: 'sidewall' },
  'error-analysis-failed': {
    sha256: '7957d14d0810def0cd337b082f2c1c8385a753754cff759a4f60ee89eadc33f4',
    imageType: 'tread',
    errorCode: 'analysis_failed',
  },
  'error-tread-not-found': {
    sha256: 'f8d0ac44e65032a18e73a62cfa56c0fe49ff6b7d9f0ad62f14004138f4e87e95',
    imageType: 'tread',
    errorCode: 'tread_not_found',
  },
  'error-image-too-small': {
    sha256: '70a2e11b36506844ff9a3badb7a70cdc91ac08a460e698e42be1a437215a620b',
    imageType: 'tread',
    errorCode: 'image_too_small',
  },
  'error-image-unreachable': {
    sha256: 'c55442ddd71f9209c96e4677a416b5bd8d22b664f723f45fb31e40651ee0250d',
    imageType: 'tread',
    errorCode: 'image_unreachable',
    atFetch: true,
  },
  'error-image-fetch-timeout': {
    sha256: '222540ba49325908963ed1f7047e768cd4f6e950f4d14f55d3491a0b0509fb80',
    imageType: 'tread',
    errorCode: 'image_fetch_timeout',
    atFetch: true,
  },
  'error-image-url-forbidden': {
    sha256: '4c76696a1ef424fc7f705e34a91a7fc9089d612eaead6a9d1d382577505dee55',
    imageType: 'tread',
    errorCode: 'image_url_forbidden',
    atFetch: true,
  },
  'error-image-too-large': {
    sha256: 'a12b2524b41096009f084a5608e22849d1da97a1adc879ee54acbc64953c2fbf',
    imageType: 'tread',
    errorCode: 'image_too_large',
    atFetch: true,
  },
  'error-image-format-unsupported': {
    sha256: '61b18ebb5c0ceebca3097532300883e0b11fdf3977ef0b431ca486236f253e2a',
    imageType: 'tread',
    errorCode: 'image_format_unsupported',
    atFetch: true,
  },
  'error-image-undecodable': {
    sha256: 'db38b3e33a89e86041bb8898f456db89609c6ddeda036ace92abf001ead6582d',
    imageType: 'tread',
    errorCode: 'image_undecodable',
    atFetch: true,
  },
  'error-sidewall-not-found': {
    sha256: '98ad1336980b8d534ceba9a2e478b571b4cbdb058d56d6790d91772185ea576f',
    imageType: 'sidewall',
    errorCode: 'sidewall_not_found',
  },
} as const satisfies Record<string, SandboxPhotograph>;

export type SandboxName = keyof typeof SANDBOX_PHOTOGRAPHS;

export const SANDBOX_NAMES = Object.keys(SANDBOX_PHOTOGRAPHS) as SandboxName[];

export const isSandboxName = (text: string): text is SandboxName => Object.hasOwn(SANDBOX_PHOTOGRAPHS, text);

export const sandboxPhotograph = (name: SandboxName): SandboxPhotograph => SANDBOX_PHOTOGRAPHS[name];

/** `.example` is reserved (RFC 2606): nobody can own this name. */
const SANDBOX_ORIGIN = 'https://sandbox.tire-inspection.example';

export const sandboxAddress = (name: SandboxName): string => `${SANDBOX_ORIGIN}/${name}.jpg`;

const BY_ADDRESS = new Map<string, SandboxName>(SANDBOX_NAMES.map((name) => [sandboxAddress(name), name]));
const BY_SHA256 = new Map<string, SandboxName>(SANDBOX_NAMES.map((name) => [sandboxPhotograph(name).sha256, name]));

/** Any other address of this host is an ordinary one, which leads nowhere. */
export const sandboxNameOfAddress = (url: string): SandboxName | undefined => BY_ADDRESS.get(url);
export const sandboxNameOfSha256 = (sha256: string): SandboxName | undefined => BY_SHA256.get(sha256);

/** Why a photograph of the other kind fails in a slot, as the models say it. */
const IN_OTHER_SLOT = {
  tread: { errorCode: 'tread_not_found', retakeReason: 'wheel_in_tread_slot' },
  sidewall: { errorCode: 'sidewall_not_found', retakeReason: 'tread_in_sidewall_slot' },
} as const satisfies Record<ImageType, { errorCode: AnalysisErrorCode; retakeReason: RetakeReason }>;

/** Why the measurement of a photograph fails in a slot of this type; undefined where it has its recorded result. `before`: how often it was measured there. */
export function sandboxFault(
  name: SandboxName,
  slotType: ImageType,
  before: number,
): { readonly errorCode: AnalysisErrorCode; readonly retakeReason?: RetakeReason } | undefined {
  const { imageType, errorCode, firstErrorCode } = sandboxPhotograph(name);
  if (errorCode) return { errorCode };
  if (imageType !== slotType) return IN_OTHER_SLOT[slotType];
  return firstErrorCode && before === 0 ? { errorCode: firstErrorCode } : undefined;
}
