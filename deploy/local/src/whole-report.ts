import { type PartnerClient, upload } from './client';
import type { Sample } from './samples';
import type { StackFile } from './stack-file';

/** How the photographs come: the service fetches them from the partner's addresses, or the partner uploads them to pre-signed addresses. */
export type Intake = 'url' | 'upload';

export interface Accepted {
  readonly id: string;
  /** When the answer arrived after which the partner only waits. */
  readonly acceptedMs: number;
}

/** A report of eight photographs, until all of them are accepted. */
export async function wholeReport(
  client: PartnerClient,
  stack: Pick<StackFile, 'images_origin' | 'callback_origin'>,
  samples: readonly Sample[],
  intake: Intake,
): Promise<Accepted> {
  const images = samples.map(({ slot, path }) => ({ module_type: 'tire', slot, source: { url: `${stack.images_origin}${path}` } }));
  const { report_id: id, upload_targets: targets = [] } = await client.create({
    template: 'tire_4t_4s',
    callback_url: `${stack.callback_origin}/ended`,
    ...(intake === 'url' ? { images } : {}),
  });
  if (intake === 'upload') {
    await Promise.all(targets.map((target) => upload(target, samples)));
    const registered = targets.map(({ asset_id, module_type, slot }) => ({ asset_id, module_type, slot }));
    await client.json('POST', `/reports/${id}/images`, { images: registered });
  }
  return { id, acceptedMs: Date.now() };
}
