import { LOGO_BYTES_MAX } from '@tire/contracts/limits';
import { Button, FileButton, Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { ApiError, call } from '../api/client';
import { useTexts } from '../i18n/language';
import { Problem } from './problem';

const TOO_LARGE = 'too_large';
const tooLarge = () => new ApiError(413, 'validation_error', 'The file is too large', TOO_LARGE);

interface LogoActionsProps {
  /** Where an image is sent to, or removed from. */
  readonly path: string;
  readonly hasLogo: boolean;
  readonly onChanged: () => Promise<unknown>;
}

/** Sets and removes the logo of the project or of a branch. */
export function LogoActions({ path, hasLogo, onChanged }: LogoActionsProps) {
  const t = useTexts();
  // Clears the field, so that the same file can be chosen again after a failure.
  const reset = useRef<() => void>(null);
  const set = useMutation({
    mutationFn: async (file: File) => {
      if (file.size > LOGO_BYTES_MAX) throw tooLarge();
      await call('POST', path, { image: await base64Of(file) });
    },
    onSuccess: onChanged,
    onSettled: () => reset.current?.(),
  });
  const remove = useMutation({ mutationFn: () => call('DELETE', path), onSuccess: onChanged });
  // Only the error of the last action is shown.
  const choose = (file: File) => {
    remove.reset();
    set.mutate(file);
  };
  const clear = () => {
    set.reset();
    remove.mutate();
  };
  return (
    <>
      <Problem error={set.error ?? remove.error} messages={{ image: t.partner.unusable, [TOO_LARGE]: t.partner.tooLarge }} />
      <Group gap="sm">
        <FileButton resetRef={reset} accept="image/png,image/jpeg" onChange={(file) => file && choose(file)}>
          {(props) => (
            <Button {...props} variant={hasLogo ? 'default' : 'filled'} loading={set.isPending}>
              {hasLogo ? t.partner.replace : t.partner.choose}
            </Button>
          )}
        </FileButton>
        {hasLogo && (
          <Button variant="default" loading={remove.isPending} onClick={clear}>
            {t.partner.remove}
          </Button>
        )}
      </Group>
    </>
  );
}

const base64Of = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).split(',')[1] ?? '');
    reader.onerror = () => reject(new Error('The file cannot be read'));
    reader.readAsDataURL(file);
  });
