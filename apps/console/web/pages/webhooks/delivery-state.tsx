import type { Delivery } from '@tire/contracts/console';
import { Badge } from '@mantine/core';
import { useTexts } from '../../i18n/language';

const COLORS = { pending: 'blue', delivered: 'green', abandoned: 'red' } as const;

export function DeliveryState({ state }: Pick<Delivery, 'state'>) {
  const t = useTexts();
  return (
    <Badge variant="light" color={COLORS[state]}>
      {t.deliveries.states[state]}
    </Badge>
  );
}

/** The response of a receiver, or the reason why there is none. */
export function Outcome({ status, failure }: { status: number | null; failure: string | null }) {
  const t = useTexts();
  if (status !== null) return <>{t.deliveries.answered(status)}</>;
  if (failure === null) return null;
  const known: Partial<Record<string, string>> = t.deliveries.failures;
  return <>{known[failure] ?? failure}</>;
}
