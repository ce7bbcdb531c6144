import type { Tx } from '@tire/platform';
import type { MessageLanguage, Template } from '../domain/message-template';

export async function findTemplates(tx: Tx, projectId: string): Promise<Map<MessageLanguage, Template>> {
  const rows = await tx.rows<Template & { language: MessageLanguage }>(
    'SELECT language, subject, body AS text FROM message_templates WHERE project_id = $1',
    [projectId],
  );
  return new Map(rows.map(({ language, subject, text }) => [language, { subject, text }]));
}

export const storeTemplate = (tx: Tx, projectId: string, language: MessageLanguage, { subject, text }: Template): Promise<number> =>
  tx.execute(
    `INSERT INTO message_templates (project_id, language, subject, body) VALUES ($1, $2, $3, $4)
     ON CONFLICT (project_id, language) DO UPDATE SET subject = excluded.subject, body = excluded.body`,
    [projectId, language, subject, text],
  );

export const deleteTemplate = (tx: Tx, projectId: string, language: MessageLanguage): Promise<number> =>
  tx.execute('DELETE FROM message_templates WHERE project_id = $1 AND language = $2', [projectId, language]);
