const SCHEME = 'data-mantine-color-scheme';

/** A browser prints no background, and the text of the dark mode cannot be read on white paper. */
export function printsInLight(): void {
  const root = document.documentElement;
  let before: string | null = null;
  addEventListener('beforeprint', () => {
    before = root.getAttribute(SCHEME);
    root.setAttribute(SCHEME, 'light');
  });
  addEventListener('afterprint', () => {
    if (before !== null) root.setAttribute(SCHEME, before);
  });
}
