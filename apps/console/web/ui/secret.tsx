import { Button, Code } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useTexts } from '../i18n/language';

/** A text to take along. The button says that it was taken. */
export function Secret({ label, value }: { label: string; value: string }) {
  const t = useTexts();
  const clipboard = useClipboard({ timeout: 3_000 });
  return (
    <div className="secret">
      <Code className="secret-value" aria-label={label} tabIndex={0} role="textbox" aria-readonly="true">
        {value}
      </Code>
      <Button size="xs" variant="light" onClick={() => clipboard.copy(value)}>
        <span aria-live="polite">{clipboard.copied ? t.common.copied : t.common.copy}</span>
      </Button>
    </div>
  );
}
