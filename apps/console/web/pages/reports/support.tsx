import type { Content } from '@tire/contracts/api';
import type { ReportDetail } from '@tire/contracts/console';
import { Text } from '@mantine/core';
import { useTexts } from '../../i18n/language';
import { Secret } from '../../ui/secret';
import { Timestamp } from '../../ui/timestamp';
import { visibleText } from '../../ui/visible-text';

interface SupportProps {
  readonly detail: ReportDetail;
  readonly content: Content | undefined;
}

/** Trace ids, services, models and codes: nothing that a mechanic needs. */
export function SupportSection({ detail: { history, trace_id }, content }: SupportProps) {
  const t = useTexts();
  return (
    <details className="support section">
      <summary>{t.worklist.support}</summary>
      <Text size="sm">{t.worklist.supportText}</Text>
      {trace_id !== null && (
        <div className="trace">
          <Text size="sm">{t.past.processing}</Text>
          <Secret label={t.past.trace} value={trace_id} />
        </div>
      )}
      {content && (
        <Text size="xs" c="dimmed">
          {t.content.versions(content.generator.ruleset_version, content.generator.copy_version)}
        </Text>
      )}
      <ol className="past" aria-label={t.worklist.support}>
        {history.map(({ at, what, slot_id, error_code, model, by, trace_id: trace }, index) => (
          <li key={index}>
            <Timestamp at={at} exact />
            <code className="wraps">
              {[what, slot_id, error_code, model && t.past.model(model), by && `${t.past.by[by.kind]} ${visibleText(by.name)}`, trace]
                .filter(Boolean)
                .join(' · ')}
            </code>
          </li>
        ))}
      </ol>
    </details>
  );
}
