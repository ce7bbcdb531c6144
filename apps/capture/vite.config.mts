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

/** Nothing is inlined, because the content security policy allows only files. */
export default defineConfig({
  root: `${import.meta.dirname}/web`,
  base: '/capture/',
  logLevel: 'warn',
  plugins: [compressed],
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
  build: {
    outDir: site,
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Chrome on Android 10 renews itself; Safari stays what the phone came with.
    target: ['safari16', 'chrome100'],
  },
});
