import type { VehiclePassport } from '@tire/contracts/console';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/client';
import { useProject } from '../../api/project';
import { useLanguage } from '../../i18n/language';
import { useTimeZone } from '../../ui/timestamp';

export const passportOf = (projectId: string, vehicleId: string) => ['project', projectId, 'passport', vehicleId] as const;

/** Calls an operation of the vehicle, which answers with its new passport. */
export function useChange(vehicleId: string) {
  const { project } = useProject();
  const queries = useQueryClient();
  return async (path: string, body?: object) => {
    const passport = await call<VehiclePassport>('POST', `/projects/${project.project_id}/vehicles/${vehicleId}/${path}`, body);
    queries.setQueryData(passportOf(project.project_id, vehicleId), passport);
    await queries.invalidateQueries({ queryKey: ['project', project.project_id, 'vehicles'] });
  };
}

export function useDay(): (at: string) => string {
  const { language } = useLanguage();
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: useTimeZone() });
  return (at) => format.format(new Date(at));
}
