/** After the page has loaded, so that it takes nothing from the first frame. A browser without workers shows its error page offline, as ever. */
export function registerWorker(): void {
  if (!('serviceWorker' in navigator) || window.parent !== window) return;
  const register = () => navigator.serviceWorker.register('/capture/worker.js', { scope: '/c/', updateViaCache: 'none' });
  window.addEventListener('load', () => void register().catch(() => undefined));
}
