import { createHash } from 'node:crypto';
import { defineConfig, type Plugin } from 'vite';

const library = (path: string) => `${import.meta.dirname}/../../libs/${path}`;

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
  plugins: [version()],
  build: {
    outDir: '../../../dist/apps/capture/site',
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
