/** The page without anything of a link or a project, which is shown where the network does not answer. */
export const SHELL = '/capture/shell';
const PAGE = /^\/c\/[^/]+\/?$/;
const FILES = '/capture/assets/';

/** page: from the network, else the shell. file: from the cache, else from the network. null: none of the worker's business. */
type Way = 'page' | 'file' | null;

type Asked = Readonly<Record<'method' | 'mode' | 'destination' | 'url', string>>;

/**
 * What the worker does with a request. It never answers one of the API, an upload, or a page in the frame of a partner: the shell may stand
 * in no frame, because it does not know whose frames are allowed.
 */
export function wayOf({ method, mode, destination, url }: Asked, origin: string): Way {
  const address = new URL(url);
  if (method !== 'GET' || address.origin !== origin) return null;
  if (mode === 'navigate') return destination === 'document' && PAGE.test(address.pathname) ? 'page' : null;
  return address.pathname.startsWith(FILES) ? 'file' : null;
}

/** The files that a page names. Each name holds a digest of its content. */
export const filesOf = (html: string): string[] => [...new Set(html.match(/\/capture\/assets\/[\w.-]+/g))];

/** The server cannot show the page now. */
export const isAway = (status: number): boolean => status === 429 || status >= 500;
