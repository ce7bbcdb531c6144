import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

const library = (path: string) => `${import.meta.dirname}/../../libs/${path}`;

const site = `${import.meta.dirname}/../../dist/apps/capture/site`;

/** 14 MB of WebAssembly take 0.7 s to compress: here once, and not at each start of the gateway. */
const compressed: Plugin = {
  name: 'compressed-wasm',
  apply: 'build',
  closeBundle() {
    for (const name of readdirSync(`${site}/assets`).filter((file) => file.endsWith('.wasm'))) {
      const path = `${site}/assets/${name}`;
      writeFileSync(`${path}.br`, brotliCompressSync(readFileSync(path), { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }));
    }
  },
};
const WORKER = 'worker.js';

/** The version of the service worker: a digest of what it keeps, so that the script changes with the page. */
const version = (): Plugin => ({
  name: 'capture-version',
  enforce: 'post',
  generateBundle(_, bundle) {
    const worker = bundle[WORKER];
    if (worker?.type !== 'chunk') throw new Error('The service worker is not built');
    if (worker.imports.length > 0) throw new Error('The service worker must be one file');
    const digest = createHash('sha256');
    for (const [name, output] of Object.entries(bundle).sort(([a], [b]) => (a < b ? -1 : 1)))
      if (name !== WORKER) digest.update(name).update(output.type === 'asset' ? output.source : output.code);
    worker.code = worker.code.replaceAll('__CAPTURE_VERSION__', JSON.stringify(digest.digest('hex').slice(0, 16)));
  },
});

/** Nothing is inlined, because the content security policy allows only files. */
export default defineConfig({
  root: `${import.meta.dirname}/web`,
  base: '/capture/',
  logLevel: 'warn',
  // The browser needs only these files of the libraries. The other files are for servers or contain only types.
  resolve: {
    alias: {
      '@tire/kernel/clock': library('kernel/src/clock.ts'),
      '@tire/kernel/image-hash': library('kernel/src/image-hash.ts'),
      '@tire/kernel/orientation': library('kernel/src/orientation.ts'),
      '@tire/kernel/retake': library('kernel/src/retake.ts'),
      '@tire/kernel/slots': library('kernel/src/slots.ts'),
    },
  },
  // The network of the hints, and its worker, which the page loads once the camera runs.
  assetsInclude: ['**/*.onnx'],
  worker: { format: 'es' },
  plugins: [version(), compressed],
  build: {
    outDir: site,
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: {
      input: { main: `${import.meta.dirname}/web/index.html`, worker: `${import.meta.dirname}/web/offline/worker.ts` },
      output: { entryFileNames: ({ name }) => (name === 'worker' ? WORKER : 'assets/[name]-[hash].js') },
    },
    // Chrome on Android 10 renews itself; Safari stays what the phone came with.
    target: ['safari16', 'chrome100'],
  },
});
