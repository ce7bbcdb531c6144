import { execFileSync } from 'node:child_process';

it('is a flag of this version of V8, which ignores the flags of others', () => {
  expect(execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' })).toContain('--heap-growing-percent ');
});
