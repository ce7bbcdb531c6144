import { type Fault, fault } from '@tire/kernel';
import { isNeverPublic } from '@tire/platform';
import type { SubmittedImage } from '../domain/decide';

/**
 * Those that are refused at once: what the guard of the fetches refuses without a look-up, by its own rule. Names, redirects and ports are judged at the
 * fetch: only then it is known where they lead.
 */
export const faultyImageAddresses = (images: readonly SubmittedImage[], allowedOrigins: ReadonlySet<string>): Fault[] =>
  images.flatMap(({ asset: { source } }, index) =>
    source.kind === 'partner_url' && isNeverPublic(new URL(source.url), allowedOrigins)
      ? [fault(`images[${index}].source.url`, 'must be a public address.')]
      : [],
  );
