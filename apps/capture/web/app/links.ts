const TOKEN = /^\/c\/([\w-]{43})\/?$/;

/** The link's token, from the path of the page; null for another path. */
export const tokenOf = (pathname: string): string | null => TOKEN.exec(pathname)?.[1] ?? null;

export type CaptureStatus = 'finished' | 'incomplete' | 'ended';

/** `URL.canParse` is younger than Safari of iOS 16. */
function parsed(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** The partner's page with what became of the report; null where the address is none for a browser. */
export function returnAddress(returnUrl: string | null, reportId: string, status: CaptureStatus): string | null {
  const address = returnUrl === null ? null : parsed(returnUrl);
  if (!address) return null;
  // An address of another kind, such as javascript:, would run in this page.
  if (address.protocol !== 'https:' && address.protocol !== 'http:') return null;
  address.searchParams.set('report_id', reportId);
  address.searchParams.set('status', status);
  return address.href;
}
