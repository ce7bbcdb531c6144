import type { ExportSchedule, ExportScheduleList, ExportScheduleRequest, FileAddress } from '@tire/contracts/console';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from './client';
import { useProject } from './project';

function usePath() {
  const { project } = useProject();
  return { path: `/projects/${project.project_id}/export-schedules`, queryKey: ['project', project.project_id, 'export-schedules'] };
}

export function useExportSchedules() {
  const { path, queryKey } = usePath();
  return useQuery({ queryKey, queryFn: () => call<ExportScheduleList>('GET', path) });
}

/** Without an id it is a new one. */
export function useSaveExportSchedule() {
  const { path, queryKey } = usePath();
  const queries = useQueryClient();
  return async (scheduleId: string | null, request: ExportScheduleRequest): Promise<void> => {
    await (scheduleId === null
      ? call<ExportSchedule>('POST', path, request)
      : call<ExportSchedule>('PATCH', `${path}/${scheduleId}`, request));
    await queries.invalidateQueries({ queryKey });
  };
}

export function useRemoveExportSchedule() {
  const { path, queryKey } = usePath();
  const queries = useQueryClient();
  return async (scheduleId: string): Promise<void> => {
    await call('DELETE', `${path}/${scheduleId}`);
    await queries.invalidateQueries({ queryKey });
  };
}

/** The address is valid for minutes, so it is asked for when it is used. */
export function useOpenScheduledFile() {
  const { project } = useProject();
  return (fileId: string) => call<FileAddress>('POST', `/projects/${project.project_id}/export-files/${fileId}/address`);
}
