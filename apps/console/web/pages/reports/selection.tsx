import type { ListedReport, MarkedReports, ShareLinks } from '@tire/contracts/console';
import { SELECTED_MAX } from '@tire/contracts/limits';
import { Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../api/client';
import { useProject } from '../../api/project';
import { useMark } from '../../api/reports';
import type { Texts } from '../../i18n/en';
import { useTexts } from '../../i18n/language';
import { Problem } from '../../ui/problem';
import { Secret } from '../../ui/secret';
import { visibleText } from '../../ui/visible-text';
import { ExportReports } from './export';

export interface Selected {
  readonly ids: readonly string[];
  readonly choose: (ids: ReadonlySet<string>) => void;
}

interface SelectionProps {
  readonly reports: readonly ListedReport[];
  readonly selected: Selected;
  readonly mayMark: boolean;
}

/** What is done with several reports at once. Each has its own outcome, and the counts of all are shown. */
export function Selection({ reports, selected: { ids, choose }, mayMark }: SelectionProps) {
  const { worklist: t } = useTexts();
  const { project } = useProject();
  const { project_id: projectId } = project;
  const mark = useMark();
  const links = useMutation({ mutationFn: () => copyLinks(projectId, ids) });
  const isBusy = mark.isPending || links.isPending;
  const isTooMany = ids.length > SELECTED_MAX;
  const all = reports.slice(0, SELECTED_MAX).map(({ report_id }) => report_id);
  const marking = (to: 'handled' | 'not_handled') => () => {
    links.reset();
    // Of one that is shown no more, no result was seen.
    const seen_results = ids.map((id) => reports.find(({ report_id }) => report_id === id)?.work.result ?? '');
    mark.mutate(
      { projectId, report_ids: [...ids], mark: to, seen_results },
      { onSuccess: ({ reports: marked }) => choose(staleOf(marked)) },
    );
  };
  const copying = () => {
    mark.reset();
    links.mutate();
  };
  return (
    <div className="selection" role="group" aria-label={t.selected(ids.length)}>
      <label className="pick-all">
        <input
          type="checkbox"
          className="pick"
          checked={all.every((id) => ids.includes(id))}
          onChange={({ currentTarget }) => choose(new Set(currentTarget.checked ? all : []))}
        />
        {ids.length === 0 ? t.selectAll : t.selected(ids.length)}
      </label>
      {ids.length > 0 && (
        <div className="selection-actions">
          {mayMark && (
            <>
              <Button size="xs" disabled={isBusy || isTooMany} onClick={marking('handled')}>
                {t.markHandled}
              </Button>
              <Button size="xs" variant="default" disabled={isBusy || isTooMany} onClick={marking('not_handled')}>
                {t.markNotHandled}
              </Button>
            </>
          )}
          <Button size="xs" variant="default" disabled={isBusy || isTooMany} onClick={copying}>
            {t.copyLinks}
          </Button>
          <ExportReports selected={ids} isSmall isDisabled={isTooMany} />
        </div>
      )}
      <div role="status" className="selection-outcome">
        {isTooMany && <Text size="sm">{t.selectedMax(SELECTED_MAX)}</Text>}
        {mark.data && <Text size="sm">{markedText(mark.data, t)}</Text>}
        {links.data && <Text size="sm">{linksText(links.data, t)}</Text>}
      </div>
      {links.data && <UncopiedLinks copied={links.data} />}
      <Problem error={mark.error ?? links.error} />
    </div>
  );
}

type Words = Texts['worklist'];
type Outcome = MarkedReports['reports'][number]['outcome'] | ShareLinks['links'][number]['outcome'];

const counted = (rows: readonly { readonly outcome: Outcome }[], outcome: Outcome, text: (count: number) => string): string[] => {
  const count = rows.filter((row) => row.outcome === outcome).length;
  return count === 0 ? [] : [text(count)];
};

/** They stay selected, so that they can be looked at and marked again. */
const staleOf = (marked: MarkedReports['reports']): ReadonlySet<string> =>
  new Set(marked.flatMap(({ report_id, outcome }) => (outcome === 'stale' ? [report_id] : [])));

const markedText = ({ reports }: MarkedReports, t: Words): string =>
  [
    ...counted(reports, 'marked', t.marked),
    ...counted(reports, 'unchanged', t.unchanged),
    ...counted(reports, 'not_found', t.gone),
    ...counted(reports, 'stale', t.stale),
  ].join(' ');

interface CopiedLinks {
  readonly links: ShareLinks['links'];
  readonly lines: readonly string[];
  readonly isCopied: boolean;
}

const linksText = ({ links, isCopied }: CopiedLinks, t: Words): string =>
  [
    ...counted(links, 'open', isCopied ? t.copied : t.ready),
    ...counted(links, 'closed', t.closed),
    ...counted(links, 'not_found', t.gone),
    ...counted(links, 'failed', t.failed),
  ].join(' ');

function UncopiedLinks({ copied: { lines, isCopied } }: { readonly copied: CopiedLinks }) {
  const { worklist: t } = useTexts();
  return isCopied || lines.length === 0 ? null : <Secret label={t.links} value={lines.join('\n')} lines />;
}

/** A browser may refuse the clipboard after a wait. Then the links are shown. */
async function copyLinks(projectId: string, ids: readonly string[]): Promise<CopiedLinks> {
  const { links } = await call<ShareLinks>('POST', `/projects/${projectId}/report-share-links`, { report_ids: ids });
  const lines = links.flatMap(({ share_url, plate_number }) =>
    share_url === null ? [] : [plate_number === null ? share_url : `${visibleText(plate_number)} ${share_url}`],
  );
  const isCopied = lines.length > 0 && (await navigator.clipboard.writeText(lines.join('\n')).then(yes, no));
  return { links, lines, isCopied };
}

const yes = (): boolean => true;
const no = (): boolean => false;
