import { Button, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/client';
import { NoPasskey, signInWithPasskey } from '../api/passkeys';
import { SESSION } from '../api/session';
import { useTexts } from '../i18n/language';
import { Problem } from '../ui/problem';

interface PasskeyButtonProps {
  readonly isSecondFactor: boolean;
  readonly onDone?: () => void;
}

/** Signs in without a password, or without a one-time code after it. */
export function PasskeyButton({ isSecondFactor, onDone }: PasskeyButtonProps) {
  const t = useTexts();
  const queries = useQueryClient();
  const signingIn = useMutation({
    mutationFn: async () => {
      await signInWithPasskey(isSecondFactor);
      await queries.resetQueries({ queryKey: SESSION });
      onDone?.();
    },
  });
  const { error } = signingIn;
  return (
    <Stack gap="sm" mt="md">
      <Button variant="default" fullWidth loading={signingIn.isPending} onClick={() => signingIn.mutate()}>
        {isSecondFactor ? t.passkeys.instead : t.passkeys.signIn}
      </Button>
      <Problem
        error={error instanceof NoPasskey ? new ApiError(0, 'unauthorized', '', error.reason) : error}
        messages={{
          unsupported: t.passkeys.unsupported,
          cancelled: t.passkeys.cancelled,
          session: t.signIn.codeOver,
          unauthorized: t.passkeys.refused,
        }}
      />
    </Stack>
  );
}
