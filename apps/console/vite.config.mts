import { defineConfig } from 'vite';

/** Nothing is inlined, because the content security policy allows only files. */
export default defineConfig({
  root: `${import.meta.dirname}/web`,
  base: '/console/',
  logLevel: 'warn',
  // The browser needs only these files of the libraries. The other files are for servers or contain only types.
  resolve: {
    alias: {
      '@tire/kernel/browser-name': `${import.meta.dirname}/../../libs/kernel/src/browser-name.ts`,
      '@tire/kernel/depths': `${import.meta.dirname}/../../libs/kernel/src/depths.ts`,
      '@tire/kernel/money': `${import.meta.dirname}/../../libs/kernel/src/money.ts`,
      '@tire/kernel/orientation': `${import.meta.dirname}/../../libs/kernel/src/orientation.ts`,
      '@tire/kernel/retention': `${import.meta.dirname}/../../libs/kernel/src/retention.ts`,
      '@tire/kernel/signs': `${import.meta.dirname}/../../libs/kernel/src/signs.ts`,
      '@tire/kernel/standing': `${import.meta.dirname}/../../libs/kernel/src/standing.ts`,
      '@tire/kernel/time-zones': `${import.meta.dirname}/../../libs/kernel/src/time-zones.ts`,
      '@tire/contracts/limits': `${import.meta.dirname}/../../libs/contracts/src/limits/index.ts`,
    },
  },
  build: {
    outDir: '../../../dist/apps/console/site',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'baseline-widely-available',
    // Directives such as 'use client' concern rendering on a server, which the console does not use.
    rolldownOptions: { onwarn: (warning, warn) => void (warning.code !== 'MODULE_LEVEL_DIRECTIVE' && warn(warning)) },
  },
});
