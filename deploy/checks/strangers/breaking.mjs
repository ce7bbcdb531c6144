// Compares the interface document with that of the last release: a change that breaks clients fails, an addition passes. It shows first that
// oasdiff tells the two apart. Needs Go, whose package index has oasdiff, and fails without it.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { goProgram, has } from './tools.mjs';

const contracts = join(import.meta.dirname, '../../../libs/contracts');
const RELEASED = join(contracts, 'released-openapi.json');

if (!has('go')) {
  console.error('There is no Go: oasdiff cannot be had, so the interface document is not compared with the released one.');
  process.exit(1);
}
const program = goProgram('github.com/oasdiff/oasdiff', 'v1.37.0');

/** What would break the clients of the released document; empty if nothing does. */
function breaksIn(file) {
  const { status, stdout, stderr } = spawnSync(program, ['breaking', RELEASED, file, '--fail-on', 'ERR', '--format', 'singleline'], {
    encoding: 'utf8',
  });
  if (status !== 0 && status !== 1) throw new Error(`oasdiff ended with ${status}: ${stderr}`);
  return status === 1 ? stdout || stderr : '';
}

/** The released document after a change of the response to POST /reports. */
function afterChange(folder, change) {
  const document = JSON.parse(readFileSync(RELEASED, 'utf8'));
  change(document.components.schemas.CreateReportResponse);
  const file = join(folder, 'changed.json');
  writeFileSync(file, JSON.stringify(document));
  return breaksIn(file);
}

const folder = mkdtempSync(join(tmpdir(), 'tire-breaking-'));
try {
  const removed = afterChange(folder, ({ properties, required }) => {
    delete properties.share_url;
    required.splice(required.indexOf('share_url'), 1);
  });
  if (!removed.includes('share_url')) throw new Error('A field that was removed is not a breaking change for oasdiff');
  const added = afterChange(folder, ({ properties }) => (properties.added = { type: 'string' }));
  if (added) throw new Error(`A field that was added is a breaking change for oasdiff: ${added}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

const breaks = breaksIn(join(contracts, 'openapi.json'));
if (breaks) console.error(breaks);
else console.log('Nothing breaks clients of the released document.');
process.exitCode = breaks ? 1 : 0;
