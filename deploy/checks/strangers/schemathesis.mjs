// Schemathesis over both interface documents, against a running stack (STACK_DIR): with authentication, along the links between operations.
// It fails on any answer that a document does not describe, on a 5xx, and where it made fewer cases than wanted.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pythonPackage } from './tools.mjs';

const CASES_MIN = 5_000;
const EXAMPLES = process.env.SCHEMATHESIS_EXAMPLES ?? '40';
const SEED = process.env.SCHEMATHESIS_SEED ?? '20261125';

const program = join(pythonPackage('schemathesis', '4.32.5'), 'schemathesis');
const stack = JSON.parse(readFileSync(join(process.env.STACK_DIR ?? '.local', 'stack.json'), 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'tire-schemathesis-'));

/** A session of the owner of the stack's organization, and what the owner may change. */
async function openConsole(api, origin) {
  const sent = (method, path, headers, body) =>
    fetch(`${api}${path}`, {
      method,
      headers: { origin, 'content-type': 'application/json', ...headers },
      body: body && JSON.stringify(body),
    });
  const signedIn = await sent('POST', '/session', {}, stack.console_login);
  if (!signedIn.ok) throw new Error(`Signing in was answered ${signedIn.status}`);
  const [cookie] = signedIn.headers.getSetCookie().map((one) => one.split(';', 1)[0]);
  const read = async (path) => (await sent('GET', path, { cookie })).json();
  const session = await read('/session');
  const organization = session.memberships[0].organization_id;
  const { projects } = await read(`/organizations/${organization}/projects`);
  return {
    cookieName: cookie.slice(0, cookie.indexOf('=')),
    headers: { Origin: origin, 'X-CSRF-Token': session.csrf_token },
    settings: {
      CONSOLE_SESSION: cookie.slice(cookie.indexOf('=') + 1),
      CONSOLE_ORGANIZATION: organization,
      CONSOLE_PROJECT: projects.find(({ mode }) => mode === 'test').project_id,
    },
  };
}

/** Returns the number of cases; 0 if one failed. */
async function check(name, address, headers, { configuration, options = [], settings = {}, adapted = (document) => document }) {
  const document = adapted(await (await fetch(`${address}/openapi.json`, { headers })).text());
  const file = join(folder, `${name}.json`);
  writeFileSync(file, document);
  const args = [
    ...['run', file, '--url', address, '--phases', 'examples,coverage,fuzzing,stateful', '--mode', 'all'],
    ...['--max-examples', EXAMPLES, '--seed', SEED, '--workers', '1', '--continue-on-failure', '--no-color', '--request-timeout', '30'],
    ...Object.entries(headers).flatMap(([header, value]) => ['--header', `${header}: ${value}`]),
    ...options,
  ];
  const running = spawn(program, ['--config-file', join(import.meta.dirname, configuration), ...args], {
    // It keeps examples of failures in its folder.
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...settings, SCHEMATHESIS_HOOKS: join(import.meta.dirname, 'schemathesis_hooks.py') },
  });
  let output = '';
  running.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
    process.stdout.write(text);
  });
  const [status] = await once(running, 'close');
  const cases = Number(/([\d,]+) generated/.exec(output)?.[1]?.replaceAll(',', '') ?? 0);
  console.log(`${name}: ${cases} cases, ${status === 0 ? 'no failure' : 'FAILED'}`);
  return status === 0 ? cases : 0;
}

// These end or change the session itself, or sign other people in.
const OF_THE_SESSION = ['signOut', 'endSession', 'signInWithOpenId', 'openIdCallback', 'connectOpenId', 'confirmWithOpenId'];
// The allowance of a member is twenty requests a second.
const CONSOLE_OPTIONS = [...OF_THE_SESSION.flatMap((operationId) => ['--exclude-operation-id', operationId]), '--rate-limit', '19/s'];

/** Both, or one by its name. */
const DOCUMENTS = {
  'public-api': (name) =>
    check(name, stack.base_url, { Authorization: `Bearer ${stack.keys.test}` }, { configuration: 'schemathesis.toml' }),
  console: async (name) => {
    const api = `${stack.console_url}/api`;
    const { headers, settings, cookieName } = await openConsole(api, new URL(api).origin);
    // Without TLS the cookie has another name.
    const adapted = (document) => document.replace('"__Host-console"', JSON.stringify(cookieName));
    return check(name, api, headers, { configuration: 'schemathesis_console.toml', options: CONSOLE_OPTIONS, settings, adapted });
  },
};

try {
  const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(DOCUMENTS);
  const counts = [];
  for (const name of names) counts.push(await DOCUMENTS[name](name));
  const cases = counts.reduce((sum, count) => sum + count, 0);
  const isWhole = names.length === Object.keys(DOCUMENTS).length;
  console.log(`${cases} cases; for both documents at least ${CASES_MIN} are wanted`);
  process.exitCode = counts.every((count) => count > 0) && (!isWhole || cases >= CASES_MIN) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
