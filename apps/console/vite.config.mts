import { defineConfig } from 'vite';

/** Nothing is inlined: the policy of the page runs and shows only files. */
export default defineConfig({
  root: `${import.meta.dirname}/web`,
  base: '/console/',
  logLevel: 'warn',
  // The parts of the libraries that a browser runs; the rest of them is for servers, or only types.
  resolve: {
    alias: {
      '@tire/kernel/depths': `${import.meta.dirname}/../../libs/kernel/src/depths.ts`,
      '@tire/kernel/orientation': `${import.meta.dirname}/../../libs/kernel/src/orientation.ts`,
      '@tire/contracts/limits': `${import.meta.dirname}/../../libs/contracts/src/limits/index.ts`,
    },
  },
  build: {
    outDir: '../../../dist/apps/console/site',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'baseline-widely-available',
    // For servers that render; here everything is the client's.
    rolldownOptions: { onwarn: (warning, warn) => void (warning.code !== 'MODULE_LEVEL_DIRECTIVE' && warn(warning)) },
  },
});
