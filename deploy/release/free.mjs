// Whether a registry has no manifest of this tag in any of the repositories: node deploy/release/free.mjs <registry> <tag> <repository>...
// Only the registry's own answer that it has none counts. docker manifest inspect says "no such manifest" after a 401 or a proxy's error too.
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const [registry, tag, ...repositories] = process.argv.slice(2);
if (!registry || !tag || repositories.length === 0) throw new Error('usage: node deploy/release/free.mjs <registry> <tag> <repository>...');

const TIMEOUT_MS = 30_000;
/** The codes of the OCI distribution specification for what does not exist. */
const ABSENT = ['MANIFEST_UNKNOWN', 'NAME_UNKNOWN'];
const MANIFESTS = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join();

/** As docker does: a registry on this machine needs no TLS. */
const origin = `${/^(localhost|127\.0\.0\.1)(:|$)/.test(registry) ? 'http' : 'https'}://${registry}`;

const send = (url, headers) => fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });

/** What `docker login` has written, as the value of a Basic header. */
function login() {
  const folder = process.env.DOCKER_CONFIG ?? join(homedir(), '.docker');
  let text;
  try {
    text = readFileSync(join(folder, 'config.json'), 'utf8');
  } catch {
    return undefined;
  }
  return JSON.parse(text).auths?.[registry]?.auth;
}

/** The Authorization header that the registry asks for. */
async function authorization(challenge, repository) {
  const basic = login();
  const asBasic = basic && { authorization: `Basic ${basic}` };
  if (!/^bearer /i.test(challenge)) return asBasic;
  const { realm, service } = Object.fromEntries([...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]));
  const url = new URL(realm);
  if (service) url.searchParams.set('service', service);
  // The scope of a push: to others a registry may hide what exists.
  url.searchParams.set('scope', `repository:${repository}:pull,push`);
  const answer = await send(url, asBasic);
  if (!answer.ok) throw new Error(`${url.origin} gave no token: ${answer.status}`);
  const { token, access_token: accessToken } = await answer.json();
  return { authorization: `Bearer ${token ?? accessToken}` };
}

async function manifestOf(repository) {
  const url = `${origin}/v2/${repository}/manifests/${tag}`;
  const accept = { accept: MANIFESTS };
  const answer = await send(url, accept);
  if (answer.status !== 401) return answer;
  const asked = await authorization(answer.headers.get('www-authenticate') ?? '', repository);
  return asked ? send(url, { ...accept, ...asked }) : answer;
}

/** The codes of the errors in an answer; none if a proxy answers in place of the registry. */
function codesIn(text) {
  try {
    return JSON.parse(text).errors.map(({ code }) => code);
  } catch {
    return [];
  }
}

/** Undefined if the tag is free. */
async function objection(repository) {
  const name = `${registry}/${repository}:${tag}`;
  try {
    const answer = await manifestOf(repository);
    const text = await answer.text();
    if (answer.ok) return `${name} exists`;
    if (answer.status === 404 && codesIn(text).some((code) => ABSENT.includes(code))) return undefined;
    return `whether ${name} exists is not known: ${answer.status} ${text.slice(0, 500)}`;
  } catch (error) {
    return `whether ${name} exists is not known: ${error.cause?.message ?? error.message}`;
  }
}

const objections = (await Promise.all(repositories.map(objection))).filter(Boolean);
for (const line of objections) console.error(line);
process.exitCode = objections.length > 0 ? 1 : 0;
