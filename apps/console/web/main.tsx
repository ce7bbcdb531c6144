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
import { firstLanguage, LanguageProvider, type Spoken } from './i18n/language';
import { mayLeave } from './ui/navigation-guard';
import { printsInLight } from './ui/paper';
import './styles.css';
import './developer.css';

const TRIES_MAX = 2;

/** Retries only server errors and requests without a response. */
const passes = (failures: number, error: Error): boolean =>
  failures < TRIES_MAX && error instanceof ApiError && (error.status === 0 || error.status >= 500);

/** 401 and 403 mean an ended session or a changed role. The session is then refetched, and the page is rendered again. */
const notice = (error: Error): void => {
  if (error instanceof ApiError && (error.status === 401 || error.status === 403)) void queries.invalidateQueries({ queryKey: SESSION });
};

const queries: QueryClient = new QueryClient({
  // Requests fail at once when the browser is offline. They are not queued.
  defaultOptions: {
    queries: { retry: passes, staleTime: 5_000, networkMode: 'always' },
    mutations: { retry: false, networkMode: 'always', gcTime: 0 },
  },
  queryCache: new QueryCache({ onError: notice }),
  mutationCache: new MutationCache({ onError: notice }),
});

// No asterisks: every field is required unless it is marked as optional.
const field = { defaultProps: { withAsterisk: false } };
const theme = createTheme({
  defaultRadius: 'md',
  respectReducedMotion: true,
  components: { TextInput: field, PasswordInput: field },
});

const aroundNav: AroundNavHandler = (navigate, to, options) => {
  if (mayLeave()) navigate(to, options);
};

printsInLight();

const root = createRoot(document.getElementById('root')!);

/** The texts of neither language are here. */
function offerReload(): void {
  const line = (lang: string, text: string): HTMLElement => Object.assign(document.createElement('p'), { lang, textContent: text });
  const button = document.createElement('button');
  button.textContent = '새로 고침 / Reload';
  button.addEventListener('click', () => location.reload());
  document
    .getElementById('root')!
    .replaceChildren(
      line('ko', '화면을 불러오지 못했습니다. 인터넷 연결을 확인하고 새로 고쳐 주세요.'),
      line('en', 'The console could not be loaded. Check your connection and reload.'),
      button,
    );
}

// The variables of the library come as a file, because the content security policy forbids style elements.
const show = (first: Spoken) =>
  root.render(
    <StrictMode>
      <MantineProvider theme={theme} defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
        <QueryClientProvider client={queries}>
          <LanguageProvider first={first}>
            <Router base="/console" aroundNav={aroundNav}>
              <App />
            </Router>
          </LanguageProvider>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );

void firstLanguage().then(show, offerReload);
