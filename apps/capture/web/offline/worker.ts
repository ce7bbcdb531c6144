import { filesOf, isAway, SHELL, wayOf } from './ways';

/** Of the build: another version is another script, which the browser installs at the next load. */
declare const __CAPTURE_VERSION__: string;

interface Lifetime extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface Fetch extends Lifetime {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}
interface Scope {
  readonly location: Location;
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', handle: (event: Lifetime) => void): void;
  addEventListener(type: 'fetch', handle: (event: Fetch) => void): void;
}

const scope = self as unknown as Scope;
const CACHES = 'capture-';
const CACHE = CACHES + __CAPTURE_VERSION__;
/** A network that does not answer for this long counts as none. */
const PATIENCE_MS = 4_000;

/** The shell and the files that it names: always those of one build, whatever the server sends next. */
async function install(): Promise<void> {
  const shell = await fetch(SHELL, { cache: 'no-store', credentials: 'omit' });
  if (!shell.ok) throw new Error(`The shell is not there: ${shell.status}`);
  const cache = await caches.open(CACHE);
  await cache.addAll(filesOf(await shell.clone().text()));
  await cache.put(SHELL, shell);
  await scope.skipWaiting();
}

async function activate(): Promise<void> {
  const stale = (await caches.keys()).filter((name) => name.startsWith(CACHES) && name !== CACHE);
  await Promise.all(stale.map((name) => caches.delete(name)));
  await scope.clients.claim();
}

const patience = (): Promise<null> => new Promise((resolve) => setTimeout(() => resolve(null), PATIENCE_MS));

/** The page of the network is never kept: its address holds the token, and its head the origins of one project. */
async function page(request: Request): Promise<Response> {
  const asked = fetch(request);
  const answer = await Promise.race([asked.catch(() => null), patience()]);
  if (answer && !isAway(answer.status)) return answer;
  return (await caches.match(SHELL, { cacheName: CACHE })) ?? asked;
}

async function file(event: Fetch): Promise<Response> {
  const kept = await caches.match(event.request, { cacheName: CACHE, ignoreVary: true });
  if (kept) return kept;
  const answer = await fetch(event.request);
  const copy = answer.clone();
  // A phone without room goes on without a copy.
  if (answer.ok) event.waitUntil(caches.open(CACHE).then((cache) => cache.put(event.request, copy).catch(() => undefined)));
  return answer;
}

scope.addEventListener('install', (event) => event.waitUntil(install()));
scope.addEventListener('activate', (event) => event.waitUntil(activate()));
scope.addEventListener('fetch', (event) => {
  const way = wayOf(event.request, scope.location.origin);
  if (way !== null) event.respondWith(way === 'page' ? page(event.request) : file(event));
});
