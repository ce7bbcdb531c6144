import { defineConfig } from 'vite';

const library = (path: string) => `${import.meta.dirname}/../../libs/${path}`;

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
  build: {
    outDir: '../../../dist/apps/capture/site',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Chrome on Android 10 renews itself; Safari stays what the phone came with.
    target: ['safari16', 'chrome100'],
  },
});
