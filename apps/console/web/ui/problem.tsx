import { Alert, Button, Text } from '@mantine/core';
import { ApiError } from '../api/client';
import type { Texts } from '../i18n/en';
import { useTexts } from '../i18n/language';

/** Texts of a page for error codes. They take precedence over the common texts. */
export type ErrorMessages = Readonly<Partial<Record<string, string>>>;

function saying(error: unknown, { errors }: Texts, own: ErrorMessages): string {
  if (!(error instanceof ApiError)) return errors.other;
  const known = own[error.param ?? ''] ?? own[error.code];
  if (known) return known;
  switch (error.code) {
    case 'unreachable':
    case 'forbidden':
    case 'not_found':
    case 'rate_limited':
    case 'unauthorized':
      return errors[error.code];
    default:
      return errors.other;
  }
}

interface ProblemProps {
  readonly error: unknown;
  readonly messages?: ErrorMessages;
  readonly onRetry?: () => void;
}

/** Renders nothing without an error. */
export function Problem({ error, messages = {}, onRetry }: ProblemProps) {
  const t = useTexts();
  if (!error) return null;
  const requestId = error instanceof ApiError && error.code !== 'unauthorized' ? error.requestId : null;
  return (
    <Alert color="red" variant="light" role="alert" title={onRetry ? t.errors.title : undefined}>
      <Text size="sm">{saying(error, t, messages)}</Text>
      {requestId && onRetry && (
        <Text size="xs" c="dimmed" className="wraps">
          {t.errors.request(requestId)}
        </Text>
      )}
      {onRetry && (
        <Button size="xs" mt="xs" variant="default" onClick={onRetry}>
          {t.common.again}
        </Button>
      )}
    </Alert>
  );
}
