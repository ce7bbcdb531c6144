import type {
  ChangeTemplateRequest,
  MessageDraft,
  MessageList,
  MessagePreview,
  MessageTemplates,
  SendReportRequest,
  SentMessage,
} from '@tire/contracts/console';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from './client';
import { reportPath, type ReportAt } from './reports';

/** While a message waits, its state is read again. */
const WAITING_MS = 3_000;

export const messagesOf = ({ projectId, reportId }: ReportAt) => ['project', projectId, 'report', reportId, 'messages'] as const;

export const useMessages = (at: ReportAt) =>
  useQuery({
    queryKey: messagesOf(at),
    queryFn: () => call<MessageList>('GET', `${reportPath(at)}/messages`),
    refetchInterval: ({ state: { data } }) => (data?.messages.some(({ state }) => state === 'queued') ? WAITING_MS : false),
  });

export function useSendReport(at: ReportAt) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (request: SendReportRequest) => call<SentMessage>('POST', `${reportPath(at)}/messages`, request),
    onSettled: () => queries.invalidateQueries({ queryKey: messagesOf(at) }),
  });
}

const templatesOf = (projectId: string) => ['project', projectId, 'message-templates'] as const;
const templatesPath = (projectId: string): string => `/projects/${projectId}/message-templates`;

export const useTemplates = (projectId: string) =>
  useQuery({ queryKey: templatesOf(projectId), queryFn: () => call<MessageTemplates>('GET', templatesPath(projectId)) });

export function useChangeTemplate(projectId: string): (change: ChangeTemplateRequest) => Promise<void> {
  const queries = useQueryClient();
  return async (change) =>
    void queries.setQueryData(templatesOf(projectId), await call<MessageTemplates>('PATCH', templatesPath(projectId), change));
}

export const previewOf = (projectId: string, draft: MessageDraft): Promise<MessagePreview> =>
  call<MessagePreview>('POST', `${templatesPath(projectId)}/preview`, draft);
