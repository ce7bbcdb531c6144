import type { Report } from '@tire/contracts/api';
import { Alert } from '@mantine/core';
import { useTexts } from '../../i18n/language';
import { useSlotName } from './slots';

/** Lists the slots whose images are the same or similar. */
export function ImageWarnings({ report: { warnings = [] } }: { report: Report }) {
  const { slots: t } = useTexts();
  const nameOf = useSlotName();
  return warnings.map(({ code, slot_ids }) => (
    <Alert
      key={`${code} ${slot_ids.join()}`}
      color="orange"
      variant="light"
      role="status"
      mb="md"
      title={t.imageWarnings[code](slot_ids.length)}
    >
      {slot_ids.map(nameOf).join(' · ')}
    </Alert>
  ));
}
