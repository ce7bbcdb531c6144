// Downloads the CUDA provider of onnxruntime-node, which its npm package does not contain, for the CUDA image:
//   node deploy/cuda-provider.mjs <sha512 of the NuGet package, base64> [address of a mirror]
// The package is opened only if its checksum is the given one. The script of onnxruntime-node would install any bytes that it receives.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';

const NUGET = 'https://api.nuget.org/v3-flatcontainer';
const NAME = 'microsoft.ml.onnxruntime.gpu.linux';
/** The package also contains the TensorRT provider, which is not used. */
const FILES = ['libonnxruntime_providers_cuda.so', 'libonnxruntime_providers_shared.so'].map((file) => `runtimes/linux-x64/native/${file}`);

const [expected, mirror = NUGET] = process.argv.slice(2);
if (!/^[A-Za-z0-9+/]{86}==$/.test(expected ?? '')) {
  throw new Error('CUDA_PACKAGE_SHA512 is missing: the base64 SHA-512 of the NuGet package (helm/tire-inspection/README.md, Images)');
}

const require = createRequire(import.meta.url);
const modules = process.env.NODE_MODULES ?? join(import.meta.dirname, '../node_modules');
const { version } = JSON.parse(readFileSync(join(modules, 'onnxruntime-node/package.json'), 'utf8'));
const address = `${mirror}/${NAME}/${version}/${NAME}.${version}.nupkg`;
const response = await fetch(address);
if (!response.ok) throw new Error(`${address} answered ${response.status}`);
const bytes = Buffer.from(await response.arrayBuffer());
const found = createHash('sha512').update(bytes).digest('base64');
if (found !== expected) throw new Error(`${address} has another checksum than CUDA_PACKAGE_SHA512: ${found}`);

const AdmZip = require('adm-zip');
const archive = new AdmZip(bytes);
const folder = join(modules, 'onnxruntime-node/bin/napi-v6/linux/x64');
mkdirSync(folder, { recursive: true });
for (const path of FILES) {
  const entry = archive.getEntry(path);
  if (!entry) throw new Error(`${address} has no ${path}`);
  writeFileSync(join(folder, basename(path)), entry.getData());
}
console.log(`${NAME} ${version}: ${FILES.length} files`);
