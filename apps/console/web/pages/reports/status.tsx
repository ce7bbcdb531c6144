import type { ListedReport } from '@tire/contracts/console';
import { Badge } from '@mantine/core';
import { useTexts } from '../../i18n/language';

type Analysis = ListedReport['analysis_status'];
type Publication = ListedReport['publication_status'];

const ANALYSIS_COLORS: Readonly<Record<Analysis, string>> = {
  awaiting_images: 'gray',
  processing: 'blue',
  partial: 'orange',
  complete: 'green',
  failed: 'red',
};
const PUBLICATION_COLORS: Readonly<Record<Publication, string>> = { unpublished: 'gray', published: 'green', revoked: 'orange' };

/** The text carries the meaning. The colour supports it. */
export function AnalysisBadge({ status }: { status: Analysis }) {
  const t = useTexts();
  return (
    <Badge variant="light" color={ANALYSIS_COLORS[status]}>
      {t.reports.analysis[status]}
    </Badge>
  );
}

export function PublicationBadge({ status }: { status: Publication }) {
  const t = useTexts();
  return (
    <Badge variant="light" color={PUBLICATION_COLORS[status]}>
      {t.reports.publication[status]}
    </Badge>
  );
}

export function ManualBadge({ mode }: { mode: ListedReport['creation']['mode'] }) {
  const t = useTexts();
  if (mode !== 'manual') return null;
  return (
    <Badge variant="light" color="gray">
      {t.reports.manual}
    </Badge>
  );
}
