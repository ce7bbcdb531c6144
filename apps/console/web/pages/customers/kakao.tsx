import { Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useProject } from '../../api/project';
import { useLanguage, useTexts } from '../../i18n/language';

/**
 * The button of KakaoTalk, for a project with a key. It is not shown before the script of Kakao works in its frame, so without that script the
 * other ways to share are there as for every project.
 */
export function KakaoButton({ url }: { url: string }) {
  const { send: t } = useTexts();
  const { language } = useLanguage();
  const { kakao_key: key } = useProject().project;
  const frame = useRef<HTMLIFrameElement>(null);
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading');
  useEffect(() => {
    if (key === null) return undefined;
    const share = { key, url, language, text: t.shareText, label: t.kakao, open: t.kakaoOpen };
    // The frame has an origin of its own, which no address names.
    const give = () => frame.current?.contentWindow?.postMessage({ kakao: share }, '*');
    const hear = ({ source, data }: MessageEvent<{ kakao?: unknown } | null>) => {
      if (source === null || source !== frame.current?.contentWindow) return;
      if (data?.kakao === 'loaded') give();
      if (data?.kakao === 'ready') setState((before) => (before === 'failed' ? before : 'ready'));
      if (data?.kakao === 'failed') setState((before) => (before === 'ready' ? 'failed' : before));
    };
    addEventListener('message', hear);
    // Where the language or the link has changed since it was loaded.
    give();
    return () => removeEventListener('message', hear);
  }, [key, url, language, t]);
  if (key === null) return null;
  return (
    <>
      <iframe
        ref={frame}
        className="kakao-frame"
        title={t.kakao}
        src="/console/kakao-frame"
        hidden={state !== 'ready'}
        sandbox="allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-top-navigation-to-custom-protocols"
      />
      {state === 'failed' && (
        <Text size="sm" role="alert">
          {t.kakaoFailed}
        </Text>
      )}
    </>
  );
}
