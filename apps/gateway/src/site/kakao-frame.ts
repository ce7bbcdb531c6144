import { createHash } from 'node:crypto';

export interface KakaoSdk {
  readonly url: string;
  readonly integrity: string;
}

const STYLE =
  'html,body,button{margin:0;width:100%;height:100%}button{border:0;background:#fee500;color:#191600;font:600 .875rem system-ui,sans-serif;cursor:pointer}button:focus-visible{outline:3px solid #191600;outline-offset:-5px}';

/**
 * The page around this frame says what to share. Without a working script of Kakao the frame says so, or says nothing, and is not shown. Kakao's
 * script has to be called by the press itself, because browsers block windows and apps that open later.
 */
const SCRIPT = `
const tell = (state) => parent.postMessage({ kakao: state }, location.origin);
addEventListener('message', ({ source, origin, data }) => {
  const share = data?.kakao;
  if (source !== parent || origin !== location.origin || !share) return;
  try {
    if (!Kakao.isInitialized()) Kakao.init(share.key);
    const button = document.querySelector('button');
    const link = { mobileWebUrl: share.url, webUrl: share.url };
    document.documentElement.lang = share.language;
    button.textContent = share.label;
    button.onclick = () => {
      try {
        Kakao.Share.sendDefault({ objectType: 'text', text: share.text, link, buttonTitle: share.open });
      } catch {
        tell('failed');
      }
    };
    button.hidden = false;
    tell('ready');
  } catch {
    tell('failed');
  }
});
tell('loaded');
`;

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * The button that shares a link in KakaoTalk, in a frame of its own. The script of Kakao runs here and nowhere else: its exact bytes only
 * (integrity), in an origin of its own (sandbox), so it reads nothing of the console, has no session, and sends no request.
 */
export function kakaoFrame({ url, integrity }: KakaoSdk): { readonly html: string; readonly policy: string } {
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(SCRIPT)} ${url}`,
    `style-src ${hashOf(STYLE)}`,
    'form-action https://sharer.kakao.com',
    "base-uri 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-top-navigation-to-custom-protocols',
  ].join('; ');
  const html = `<!doctype html><html lang="ko"><head><meta charset="utf-8"><title>KakaoTalk</title><style>${STYLE}</style><script src="${url}" integrity="${integrity}" crossorigin="anonymous"></script></head><body><button type="button" hidden></button><script>${SCRIPT}</script></body></html>`;
  return { html, policy };
}
