// npm leaves a platform's optional package out of the lock file when the registry at hand does not hold it, and `npm ci` then refuses
// the lock file that npm itself wrote (npm/cli issue 9846). This script adds them, each at the version that its parent pins, for the
// platform in its name. Run it after `npm install`: npm run lock:complete.
import { readFileSync, writeFileSync } from 'node:fs';

const SYSTEMS = ['darwin', 'win32', 'linux', 'android', 'freebsd', 'openharmony', 'sunos', 'aix'];
const PROCESSORS = [
  ['armv7', 'arm'],
  ['arm64'],
  ['arm-eabi', 'arm'],
  ['arm-gnueabihf', 'arm'],
  ['arm-musleabihf', 'arm'],
  ['ia32'],
  ['x64'],
  ['ppc64'],
  ['riscv64'],
  ['s390x'],
  ['loong64'],
];
const EXACT_VERSION = /^\d+\.\d+\.\d+(-[\w.]+)?$/;

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
let added = 0;
for (const { optionalDependencies = {}, dev } of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const path = `node_modules/${name}`;
    const known = Object.keys(lock.packages).some((key) => key === path || key.endsWith(`/${path}`));
    const os = SYSTEMS.find((system) => name.includes(system));
    const cpu = PROCESSORS.find(([part]) => name.includes(part))?.at(-1);
    if (known || !os || !cpu || !EXACT_VERSION.test(version)) continue;
    lock.packages[path] = { version, cpu: [cpu], ...(dev ? { dev } : {}), optional: true, os: [os] };
    added += 1;
  }
}
if (added) {
  lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`);
}
console.log(`${added} platform packages added to the lock file`);
