import type { Tx } from '@tire/platform';
import type { TemplatePurpose } from '@tire/contracts/limits';
import type { MessageLanguage, Template } from '../domain/message-template';

/** Which text of a project. */
export interface TemplateKey {
  readonly purpose: TemplatePurpose;
  readonly language: MessageLanguage;
}

/** The project's own ones. */
export const findTemplates = (tx: Tx, projectId: string): Promise<(Template & TemplateKey)[]> =>
  tx.rows('SELECT purpose, language, subject, body AS text FROM message_templates WHERE project_id = $1', [projectId]);

export const storeTemplate = (
  tx: Tx,
  projectId: string,
  { purpose, language }: TemplateKey,
  { subject, text }: Template,
): Promise<number> =>
  tx.execute(
    `INSERT INTO message_templates (project_id, purpose, language, subject, body) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (project_id, purpose, language) DO UPDATE SET subject = excluded.subject, body = excluded.body`,
    [projectId, purpose, language, subject, text],
  );

export const deleteTemplate = (tx: Tx, projectId: string, { purpose, language }: TemplateKey): Promise<number> =>
  tx.execute('DELETE FROM message_templates WHERE project_id = $1 AND purpose = $2 AND language = $3', [projectId, purpose, language]);
