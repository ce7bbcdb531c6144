import { CHOSEN_EVENTS, IMAGE_BYTES_MAX, LIMITS, LOGO_BYTES_MAX, REPLAY_MAX, VEHICLE_REPORTS_MAX } from '@tire/contracts/limits';
import { REQUEST_SECONDS_MAX } from '@tire/kernel';
import { PACKAGES } from './packages';

/** `{{imageMegabytes}}` in a page: numbers come from the code that enforces them. */
export const FACTS: Readonly<Record<string, string>> = {
  ...PACKAGES,
  imageMegabytes: String(IMAGE_BYTES_MAX / 1024 ** 2),
  plateNumber: String(LIMITS.plateNumber),
  externalId: String(LIMITS.externalId),
  clientAssetId: String(LIMITS.clientAssetId),
  url: String(LIMITS.url),
  metadataKib: String(LIMITS.metadataBytes / 1024),
  metadataDepth: String(LIMITS.metadataDepth),
  logoKib: String(LOGO_BYTES_MAX / 1024),
  replay: REPLAY_MAX.toLocaleString('en'),
  vehicleReports: String(VEHICLE_REPORTS_MAX),
  requestSeconds: String(REQUEST_SECONDS_MAX),
  chosenEvents: CHOSEN_EVENTS.map((name) => `\`${name}\``).join(', '),
};

/** The gateway replaces these when it starts, because each installation has its own. */
export const OF_THE_INSTALLATION = ['PUBLIC_API_URL'];
