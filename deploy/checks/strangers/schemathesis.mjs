// Schemathesis over both interface documents, against a running stack (STACK_DIR): with authentication, along the links between operations.
// It fails on any answer that a document does not describe, on a 5xx, and where it made fewer cases than wanted.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pythonPackage } from './tools.mjs';

const CASES_MIN = 5_000;
const EXAMPLES = process.env.SCHEMATHESIS_EXAMPLES ?? '60';
const SEED = process.env.SCHEMATHESIS_SEED ?? '20261125';

const program = join(pythonPackage('schemathesis', '4.32.5'), 'schemathesis');
const stack = JSON.parse(readFileSync(join(process.env.STACK_DIR ?? '.local', 'stack.json'), 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'tire-schemathesis-'));

/** A session of the owner of the stack's organization. */
async function consoleHeaders(api, origin) {
  const sent = (method, path, headers, body) =>
    fetch(`${api}${path}`, {
      method,
      headers: { origin, 'content-type': 'application/json', ...headers },
      body: body && JSON.stringify(body),
    });
  const signedIn = await sent('POST', '/session', {}, stack.console_login);
  if (!signedIn.ok) throw new Error(`Signing in was answered ${signedIn.status}`);
  const [cookie] = signedIn.headers.getSetCookie().map((one) => one.split(';', 1)[0]);
  const session = await (await sent('GET', '/session', { cookie })).json();
  return { Cookie: cookie, Origin: origin, 'X-CSRF-Token': session.csrf_token };
}

/** Returns the number of cases; 0 if one failed. */
async function check(name, address, headers, { configuration, options = [] }) {
  const document = await (await fetch(`${address}/openapi.json`, { headers })).text();
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
    env: { ...process.env, SCHEMATHESIS_HOOKS: join(import.meta.dirname, 'schemathesis_hooks.py') },
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

try {
  const consoleApi = `${stack.console_url}/api`;
  const ofApi = await check(
    'public-api',
    stack.base_url,
    { Authorization: `Bearer ${stack.keys.test}` },
    { configuration: 'schemathesis.toml' },
  );
  const session = await consoleHeaders(consoleApi, new URL(consoleApi).origin);
  const ofConsole = await check('console', consoleApi, session, { configuration: 'schemathesis_console.toml', options: CONSOLE_OPTIONS });
  const enough = ofApi > 0 && ofConsole > 0 && ofApi + ofConsole >= CASES_MIN;
  console.log(`${ofApi + ofConsole} cases in both documents, at least ${CASES_MIN} are wanted`);
  process.exitCode = enough ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
