import { createTheme, MantineProvider } from '@mantine/core';
import '@mantine/core/styles.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { MutationCache, QueryCache } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router, type AroundNavHandler } from 'wouter';
import { ApiError } from './api/client';
import { SESSION } from './api/session';
import { App } from './app';
import { LanguageProvider } from './i18n/language';
import { mayLeave } from './ui/leaving';
import './styles.css';
import './developer.css';

const TRIES_MAX = 2;

/** Only what may pass by itself is tried again. */
const passes = (failures: number, error: Error): boolean =>
  failures < TRIES_MAX && error instanceof ApiError && (error.status === 0 || error.status >= 500);

/** A session that has ended, or another role, is noticed by whatever is asked next: then the page is what that lets it be. */
const notice = (error: Error): void => {
  if (error instanceof ApiError && (error.status === 401 || error.status === 403)) void queries.invalidateQueries({ queryKey: SESSION });
};

const queries: QueryClient = new QueryClient({
  // Nothing waits for a browser that thinks it is offline, to happen when nobody looks any more: it fails, and that is said.
  defaultOptions: {
    queries: { retry: passes, staleTime: 5_000, networkMode: 'always' },
    mutations: { retry: false, networkMode: 'always', gcTime: 0 },
  },
  queryCache: new QueryCache({ onError: notice }),
  mutationCache: new MutationCache({ onError: notice }),
});

// Every field is required that is not called optional.
const field = { defaultProps: { withAsterisk: false } };
const theme = createTheme({
  defaultRadius: 'md',
  respectReducedMotion: true,
  components: { TextInput: field, PasswordInput: field },
});

const aroundNav: AroundNavHandler = (navigate, to, options) => {
  if (mayLeave()) navigate(to, options);
};

// The library's variables and classes come as a file: the policy of the page takes no style element.
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
      <QueryClientProvider client={queries}>
        <LanguageProvider>
          <Router base="/console" aroundNav={aroundNav}>
            <App />
          </Router>
        </LanguageProvider>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
