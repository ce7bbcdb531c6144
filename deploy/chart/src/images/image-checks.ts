import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Buildah } from './buildah';
import { Container } from './container';

/** The privileges of a process of the image, reported by the process. */
const OBSERVE = `
  const { readFileSync, writeFileSync, readdirSync } = require('node:fs');
  const write = (file) => { try { writeFileSync(file, 'x'); return 'written'; } catch ({ code }) { return code; } };
  const status = readFileSync('/proc/self/status', 'utf8');
  console.log(JSON.stringify({
    uid: process.getuid(),
    capabilities: /^CapBnd:\\s*(\\w+)$/m.exec(status)[1],
    code: write(process.cwd() + '/main.js'),
    tmp: write('/tmp/x'),
    top: readdirSync('/'),
  }));
`;

interface Observed {
  readonly uid: number;
  readonly capabilities: string;
  readonly code: string;
  readonly tmp: string;
  readonly top: readonly string[];
}

function must(image: string, facts: Readonly<Record<string, boolean>>): void {
  const wrong = Object.entries(facts).filter(([, isSo]) => !isSo);
  if (wrong.length > 0) throw new Error(`${image}: ${wrong.map(([fact]) => `not so: ${fact}`).join(', ')}`);
}

/** Checks the properties of an image that the README states. */
export async function checkImage(
  buildah: Buildah,
  image: string,
  { app, base, folder }: { app: string; base: string; folder: string },
): Promise<void> {
  const configuration = await buildah.configurationOf(image);
  const root = await buildah.mounted(image);
  const hostsFile = join(folder, 'no-hosts');
  await mkdir(folder, { recursive: true });
  await writeFile(hostsFile, '127.0.0.1 localhost\n');
  const container = await Container.of({ root, configuration, hostsFile, logFile: join(folder, `${app}.log`) });
  const observed = JSON.parse(await container.exec(['node', '-e', OBSERVE])) as Observed;
  const { components } = JSON.parse(await readFile(join(root, 'app/sbom.cdx.json'), 'utf8')) as {
    components: { name: string; hashes?: { content: string }[] }[];
  };
  must(image, {
    'it runs as an unnamed user': observed.uid === 10001 && configuration.User === '10001:10001',
    'it has no capabilities': /^0+$/.test(observed.capabilities),
    'its code cannot be changed': observed.code === 'EROFS',
    'it has room for temporary files': observed.tmp === 'written',
    'it holds neither sources nor settings of npm': !observed.top.includes('src') && !existsSync(join(root, 'root/.npmrc')),
    'its ports are open':
      Object.keys(configuration.ExposedPorts ?? {})
        .sort()
        .join() === '50051/tcp,8080/tcp,9464/tcp',
    'it is named': configuration.Labels?.['org.opencontainers.image.title'] === `tire-inspection ${app}`,
    'it lists the image below': components.some(({ hashes }) => hashes?.some(({ content }) => base.endsWith(`sha256:${content}`))),
    'it lists its packages': components.length > 50,
  });
}
