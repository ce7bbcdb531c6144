import { Button, Code } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useTexts } from '../i18n/language';

interface SecretProps {
  readonly label: string;
  readonly value: string;
  /** Lines to copy verbatim. */
  readonly lines?: boolean;
}

/** A text with a copy button. The button reports success, or that the browser denied access to the clipboard. */
export function Secret({ label, value, lines = false }: SecretProps) {
  const t = useTexts();
  const clipboard = useClipboard({ timeout: 3_000 });
  const actionText = clipboard.error ? t.common.copyByHand : clipboard.copied ? t.common.copied : t.common.copy;
  return (
    <div className={lines ? 'snippet' : 'secret'}>
      {lines ? (
        <pre tabIndex={0} role="textbox" aria-readonly="true" aria-multiline="true" aria-label={label}>
          {value}
        </pre>
      ) : (
        <Code className="secret-value" aria-label={label} tabIndex={0} role="textbox" aria-readonly="true">
          {value}
        </Code>
      )}
      <Button
        size={lines ? 'compact-sm' : 'xs'}
        variant={lines ? 'default' : 'light'}
        aria-label={`${actionText}: ${label}`}
        onClick={() => clipboard.copy(value)}
      >
        <span aria-live="polite">{actionText}</span>
      </Button>
    </div>
  );
}
