// Generates everything again. A difference to the committed files means that a source changed without its generated files.
import { execFileSync, spawnSync } from 'node:child_process';

execFileSync('npm', ['run', '--silent', 'generate'], { stdio: 'inherit' });
const paths = [
  ...['libs/contracts', 'clients', 'deploy/CONFIGURATION.md', 'helm/tire-inspection'],
  ...['docs/guide/*/sandbox.md', 'apps/content/COPY-*.md', 'apps/content/src/domain/goldens'],
];
const changed = execFileSync('git', ['status', '--porcelain', '--', ...paths], { encoding: 'utf8' });
if (changed) {
  console.error(`Generated files differ from their sources; run npm run generate and commit:\n${changed}`);
  process.exit(1);
}
// The generator of these types is a Python package, which CI does not install: it compares what they were generated from.
for (const script of ['generate.py', 'synchronous.py']) {
  const { status, error } = spawnSync('python3', [`clients/python/${script}`, '--check'], { stdio: 'inherit' });
  if (error) console.log(`There is no python3: what clients/python/${script} writes is not compared.`);
  else if (status !== 0) process.exit(1);
}
console.log('Generated files agree with their sources.');
