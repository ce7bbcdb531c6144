// `npm run test:mutants`: plants small faults in the hand-over code, one at a time, and fails where the tests do not notice one. It works on a
// copy of the working tree. Arguments choose faults by a part of their names. `--show` prints the tests. `--check` only looks whether each
// fault still fits the code.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MUTANTS } from './mutants/list.mjs';
import { copyTo, NOT_RUN, noticedBy, planted, requireSound, sourceOf, testsByConfig } from './mutants/planting.mjs';

const args = process.argv.slice(2);
const wanted = args.filter((arg) => !arg.startsWith('--'));
const isShown = args.includes('--show');
const chosen = MUTANTS.filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)));

if (args.includes('--check')) {
  for (const mutant of MUTANTS) planted(sourceOf(mutant), mutant);
  console.log(`${MUTANTS.length} faults fit the code`);
  process.exit(0);
}

const copy = mkdtempSync(join(tmpdir(), 'tire-mutants-'));
let missed = 0;
try {
  copyTo(copy);
  for (const tests of testsByConfig(chosen)) {
    await requireSound(copy, tests, isShown);
    for (const mutant of chosen.filter((each) => each.tests.config === tests.config)) {
      const began = Date.now();
      const test = await noticedBy(copy, mutant, isShown);
      const took = `${Math.round((Date.now() - began) / 1_000)} s`;
      const isCaught = test !== null && test !== NOT_RUN;
      console.log(`${isCaught ? 'caught' : test ? 'ERROR ' : 'MISSED'}  ${mutant.name} (${took})${test ? `: ${test}` : ''}`);
      if (!isCaught) missed += 1;
    }
    // Also afterwards: a server or a database that went away meanwhile would count as caught.
    await requireSound(copy, tests, isShown);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
console.log(`\n${chosen.length - missed} of ${chosen.length} faults are caught`);
process.exitCode = missed === 0 ? 0 : 1;
