import type { SessionList } from '@tire/contracts/console';
import { Badge, Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { browserName } from '@tire/kernel/browser-name';
import { call } from '../api/client';
import { useTexts } from '../i18n/language';
import { Facts, Loaded, Portions, Row } from '../ui/listing';
import { Timestamp } from '../ui/timestamp';
import { Section } from '../ui/page';
import { Problem } from '../ui/problem';

type Listed = SessionList['sessions'][number];

export function SessionsSection() {
  const t = useTexts();
  const query = useQuery({ queryKey: ['sessions'], queryFn: () => call<SessionList>('GET', '/account/sessions') });
  return (
    <Section title={t.sessions.title} text={t.sessions.text}>
      <Loaded query={query}>
        {({ sessions }) => (
          <Portions label={t.sessions.title} items={sessions}>
            {(session) => <SessionRow key={session.session_id} session={session} />}
          </Portions>
        )}
      </Loaded>
    </Section>
  );
}

function SessionRow({ session }: { session: Listed }) {
  const t = useTexts();
  const queries = useQueryClient();
  const name = browserName(session.user_agent) ?? t.sessions.unknown;
  const end = useMutation({
    mutationFn: () => call('DELETE', `/account/sessions/${session.session_id}`),
    onSettled: () => queries.invalidateQueries({ queryKey: ['sessions'] }),
  });
  const control = !session.current && (
    <Button
      variant="default"
      size="xs"
      aria-label={t.sessions.endNamed(`${name}, ${session.address}`)}
      loading={end.isPending}
      onClick={() => end.mutate()}
    >
      {t.sessions.end}
    </Button>
  );
  return (
    <Row actions={control}>
      <div className="row-name">
        {name}
        {session.current && <Badge variant="light">{t.sessions.current}</Badge>}
      </div>
      <Facts>
        <span>{session.address}</span>
        <span>
          {t.sessions.seen} <Timestamp at={session.last_seen_at} />
        </span>
        <span>
          {t.sessions.since} <Timestamp at={session.created_at} />
        </span>
      </Facts>
      <Problem error={end.error} />
    </Row>
  );
}
