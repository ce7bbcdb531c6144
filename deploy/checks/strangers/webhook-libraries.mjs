// Webhooks of the running service, verified by the published libraries of Python and Go. That of npm verifies them in every run of the tests.
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { cached, pythonPackage } from './tools.mjs';

const folder = join(import.meta.dirname, 'webhooks');
const python = join(pythonPackage('standardwebhooks', '1.1.0'), 'python');
const go = cached('verify-webhook');
execFileSync('go', ['build', '-o', go, '.'], { cwd: folder, stdio: 'inherit' });
const settings = { WEBHOOK_VERIFIERS: JSON.stringify({ python: [python, join(folder, 'verify.py')], go: [go] }) };
const jest = spawnSync('npx', ['jest', '-c', 'apps/share/jest.config.cjs', 'webhook-libraries'], {
  stdio: 'inherit',
  env: { ...process.env, ...settings },
});
process.exit(jest.status ?? 1);
