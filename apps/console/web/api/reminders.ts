import type { PlanReminderRequest, Reminder, ReminderList } from '@tire/contracts/console';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from './client';
import { reportPath, type ReportAt } from './reports';

export const remindersOf = ({ projectId, reportId }: ReportAt) => ['project', projectId, 'report', reportId, 'reminders'] as const;
const remindersPath = (at: ReportAt): string => `${reportPath(at)}/reminders`;

export const useReminders = (at: ReportAt) =>
  useQuery({ queryKey: remindersOf(at), queryFn: () => call<ReminderList>('GET', remindersPath(at)) });

export function usePlanReminder(at: ReportAt): (request: PlanReminderRequest) => Promise<void> {
  const queries = useQueryClient();
  return async (request) => {
    await call<Reminder>('POST', remindersPath(at), request);
    await queries.invalidateQueries({ queryKey: remindersOf(at) });
  };
}

export function useStopReminder(at: ReportAt): (reminderId: string) => Promise<void> {
  const queries = useQueryClient();
  return async (reminderId) => {
    await call('DELETE', `${remindersPath(at)}/${reminderId}`);
    await queries.invalidateQueries({ queryKey: remindersOf(at) });
  };
}
