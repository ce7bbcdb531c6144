import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useTexts } from '../i18n/language';

/** Lines to paste elsewhere, as they stand. */
export function Snippet({ label, text }: { label: string; text: string }) {
  const t = useTexts();
  const clipboard = useClipboard({ timeout: 3_000 });
  return (
    <div className="snippet">
      <pre tabIndex={0} role="textbox" aria-readonly="true" aria-multiline="true" aria-label={label}>
        {text}
      </pre>
      <Button size="compact-sm" variant="default" aria-label={`${t.common.copy}: ${label}`} onClick={() => clipboard.copy(text)}>
        <span aria-live="polite">{clipboard.copied ? t.common.copied : t.common.copy}</span>
      </Button>
    </div>
  );
}
