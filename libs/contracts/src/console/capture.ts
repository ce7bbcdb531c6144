import { z } from 'zod';
import { text } from '../api/text';

/** No more than a name and a port: the origins stand in a header and in a page, where other characters of hosts mean something. */
const isOrigin = (value: string): boolean =>
  /^https:\/\/[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?$/.test(value) && URL.canParse(value) && new URL(value).origin === value;

export const EMBED_ORIGINS_MAX = 10;

export const CaptureSettings = z
  .object({
    embed_origins: z
      .array(text(200, 1).refine(isOrigin, 'must be an origin such as https://shop.example'))
      .max(EMBED_ORIGINS_MAX)
      .refine((origins) => new Set(origins).size === origins.length, 'must name each origin once')
      .describe('The pages of these origins may show capture pages in an iframe.'),
    shows_share_link: z.boolean().describe('Whether the page links to the share page once that is open.'),
  })
  .meta({ id: 'CaptureSettings' });
export type CaptureSettings = z.infer<typeof CaptureSettings>;
