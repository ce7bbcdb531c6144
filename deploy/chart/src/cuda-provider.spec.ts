import AdmZip from 'adm-zip';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY_ROOT } from './paths';

const run = promisify(execFile);
const PACKAGE = '/microsoft.ml.onnxruntime.gpu.linux/9.8.7/microsoft.ml.onnxruntime.gpu.linux.9.8.7.nupkg';
const FOLDER = 'onnxruntime-node/bin/napi-v6/linux/x64';

function nugetPackage(): Buffer {
  const archive = new AdmZip();
  for (const name of ['cuda', 'shared', 'tensorrt'])
    archive.addFile(`runtimes/linux-x64/native/libonnxruntime_providers_${name}.so`, Buffer.from(name));
  return archive.toBuffer();
}

describe('the CUDA provider', () => {
  let modules: string;
  let server: Server;
  const bytes = nugetPackage();
  const checksum = createHash('sha512').update(bytes).digest('base64');
  const provider = (name: string) => join(modules, FOLDER, `libonnxruntime_providers_${name}.so`);
  const download = (...pinned: string[]) =>
    run(process.execPath, ['deploy/cuda-provider.mjs', ...pinned, `http://127.0.0.1:${(server.address() as AddressInfo).port}`], {
      cwd: REPOSITORY_ROOT,
      env: { ...process.env, NODE_MODULES: modules },
    });

  beforeEach(async () => {
    modules = await mkdtemp(join(tmpdir(), 'tire-modules-'));
    await mkdir(join(modules, 'onnxruntime-node'));
    await writeFile(join(modules, 'onnxruntime-node/package.json'), '{"version":"9.8.7"}');
    server = createServer((request, response) => void response.writeHead(request.url === PACKAGE ? 200 : 404).end(bytes));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  afterEach(async () => {
    server.close();
    await rm(modules, { recursive: true });
  });

  it('is installed without TensorRT if the package has the pinned checksum', async () => {
    await download(checksum);
    expect(await readFile(provider('cuda'), 'utf8')).toBe('cuda');
    expect(await readFile(provider('shared'), 'utf8')).toBe('shared');
    expect(existsSync(provider('tensorrt'))).toBe(false);
  });

  it('is refused with another checksum, which the error names, and nothing is written', async () => {
    const other = createHash('sha512').update('other').digest('base64');
    await expect(download(other)).rejects.toThrow(`another checksum than CUDA_PACKAGE_SHA512: ${checksum}`);
    expect(existsSync(provider('cuda'))).toBe(false);
  });

  it('is refused without a checksum', async () => {
    await expect(download('')).rejects.toThrow('CUDA_PACKAGE_SHA512 is missing');
  });

  it('comes by this script only', async () => {
    const dockerfile = await readFile(join(REPOSITORY_ROOT, 'deploy/Dockerfile'), 'utf8');
    expect(dockerfile).toContain('RUN test "$VARIANT" = cpu || node deploy/cuda-provider.mjs "$CUDA_PACKAGE_SHA512"\n');
    expect(dockerfile).not.toContain('ONNXRUNTIME_NODE_INSTALL');
  });
});
