import { invalidRequest } from '@tire/kernel';
import { isNeverPublic } from '@tire/platform';
import type { SubmittedImage } from '../domain/decide';
import { fault } from '../domain/refusal';

/**
 * Refuses at once what the guard of the fetches refuses without a look-up, by its own rule. Names, redirects and ports are judged at the
 * fetch: only then it is known where they lead.
 */
export function requireFetchable(images: readonly SubmittedImage[], allowedOrigins: ReadonlySet<string>): void {
  const [first, ...others] = images.flatMap(({ asset: { source } }, index) =>
    source.kind === 'partner_url' && isNeverPublic(new URL(source.url), allowedOrigins)
      ? [fault(`images[${index}].source.url`, 'must be a public address.')]
      : [],
  );
  if (first) throw invalidRequest([first, ...others]);
}
