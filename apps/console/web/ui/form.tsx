import { Button, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { FormEvent, ReactNode } from 'react';
import { useTexts } from '../i18n/language';
import { Problem, type ErrorMessages } from './problem';

interface ActionFormProps {
  readonly submit: string;
  readonly action: (fields: FormData) => Promise<unknown>;
  readonly messages?: ErrorMessages;
  readonly danger?: boolean;
  readonly wide?: boolean;
  readonly onCancel?: () => void;
  readonly children?: ReactNode;
}

/** Submits its fields once, shows errors, and keeps the input. */
export function ActionForm({ submit, action, messages, danger, wide, onCancel, children }: ActionFormProps) {
  const t = useTexts();
  const sent = useMutation({ mutationFn: action });
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!sent.isPending) sent.mutate(new FormData(event.currentTarget));
  };
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="md">
        {children}
        <Problem error={sent.error} messages={messages} />
        <Group justify={onCancel ? 'flex-end' : 'flex-start'} gap="sm">
          {onCancel && (
            <Button variant="default" onClick={onCancel}>
              {t.common.cancel}
            </Button>
          )}
          <Button type="submit" loading={sent.isPending} color={danger ? 'red' : undefined} fullWidth={wide}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

export const field = (fields: FormData, name: string): string => String(fields.get(name) ?? '');
