/** What a page that shows this one in a frame learns. No event holds the token, a name or an image. */
export type EmbedEvent =
  | { readonly type: 'capture.opened'; readonly report_id: string }
  | { readonly type: 'capture.slot'; readonly report_id: string; readonly slot_id: string; readonly status: string }
  | { readonly type: 'capture.finished'; readonly report_id: string; readonly status: string };

/** The origins that the server allows, separated by spaces. Without them nothing is ever sent. */
function allowedOrigins(): string[] {
  const content = document.querySelector('meta[name="capture-embed-origins"]')?.getAttribute('content') ?? '';
  return content.split(/\s+/).filter((origin) => /^https?:\/\/[^*/]+$/.test(origin));
}

export function tellParent(event: EmbedEvent): void {
  if (window.parent === window) return;
  const origins = allowedOrigins();
  // Firefox does not name the parent; then the browser itself drops the message for every other origin.
  const parent = window.location.ancestorOrigins?.[0];
  for (const origin of parent === undefined ? origins : origins.filter((one) => one === parent)) window.parent.postMessage(event, origin);
}
