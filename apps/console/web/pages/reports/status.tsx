import type { ListedReport } from '@tire/contracts/console';
import { Badge } from '@mantine/core';
import { Sign } from '../../ui/sign';
import { useTexts } from '../../i18n/language';

type Publication = ListedReport['publication_status'];

const PUBLICATION_COLORS: Readonly<Record<Publication, string>> = { unpublished: 'gray', published: 'blue', revoked: 'orange' };

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

/** Nothing for what a member has opened and not handled. */
export function AttentionBadge({ work: { attention } }: Pick<ListedReport, 'work'>) {
  const { worklist: t } = useTexts();
  if (attention === 'unread') return <Badge variant="filled">{t.unread}</Badge>;
  return attention === 'handled' ? <Sign sign="neutral">{t.handled}</Sign> : null;
}
