import { Button, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { sessionEnd } from '../api/client';
import { SESSION } from '../api/session';
import { useTexts } from '../i18n/language';

const LOOKED_AT_MS = 5_000;
const MINUTE_MS = 60_000;

/** Warns before an idle session ends. Typing sends no request, so the input would be lost. */
export function SessionEnding() {
  const { ending: t } = useTexts();
  const queries = useQueryClient();
  const [end, setEnd] = useState(sessionEnd);
  const stay = useMutation({
    mutationFn: () => queries.refetchQueries({ queryKey: SESSION }),
    onSettled: () => setEnd(sessionEnd()),
  });
  useEffect(() => {
    const looking = window.setInterval(() => setEnd(sessionEnd()), LOOKED_AT_MS);
    return () => window.clearInterval(looking);
  }, []);
  return (
    <div role="status">
      {end && (
        <div className="session-ending">
          <Text size="sm" fw={600}>
            {end.leftMs > 0 ? t.soon(Math.ceil(end.leftMs / MINUTE_MS)) : t.over}
          </Text>
          {!end.canStay && <Text size="sm">{t.again}</Text>}
          {end.canStay && (
            <Button size="xs" loading={stay.isPending} onClick={() => stay.mutate()}>
              {t.stay}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
