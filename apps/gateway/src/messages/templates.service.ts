import type { ChangeTemplateRequest, MessageDraft, MessagePreview, MessageTemplates } from '@tire/contracts/console';
import { CLOCK, fault, refuseFaulty, type Clock } from '@tire/kernel';
import { Database, type Tx } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { recordChange } from '../audit/audit.store';
import { DEFAULT_TEMPLATES, faultsOf, rendered, type MessageLanguage, type Template } from '../domain/message-template';
import type { ProjectMember } from '../edge/callers';
import { deleteTemplate, findTemplates, storeTemplate } from './templates.store';

const LANGUAGES: readonly MessageLanguage[] = ['ko', 'en'];

const EXAMPLES = {
  ko: { name: '김민수', shop: '한빛 타이어', shop_phone: '02-123-4567', plate: '12가 3456', link: 'https://share.example/r/…' },
  en: { name: 'Kim Minsu', shop: 'Hanbit Tires', shop_phone: '+82 2 123 4567', plate: '12가 3456', link: 'https://share.example/r/…' },
} as const;

/** What customers read: plain text in two languages, with placeholders. */
@Injectable()
export class TemplatesService {
  constructor(
    private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  list(projectId: string): Promise<MessageTemplates> {
    return this.database.withProject(projectId, (tx) => this.all(tx, projectId));
  }

  async change(
    { projectId, organizationId, actor }: ProjectMember,
    { language, template }: ChangeTemplateRequest,
  ): Promise<MessageTemplates> {
    if (template) requireTemplate(template, 'template.');
    return this.database.withProject(projectId, async (tx) => {
      if (template) await storeTemplate(tx, projectId, language, template);
      else await deleteTemplate(tx, projectId, language);
      const change = { action: 'message_template.changed', projectId, details: { language } } as const;
      await recordChange(tx, organizationId, actor, change, this.clock.now());
      return this.all(tx, projectId);
    });
  }

  preview({ language, ...template }: MessageDraft): MessagePreview {
    requireTemplate(template);
    return rendered(template, EXAMPLES[language], language);
  }

  async one(tx: Tx, projectId: string, language: MessageLanguage): Promise<Template> {
    return (await findTemplates(tx, projectId)).get(language) ?? DEFAULT_TEMPLATES[language];
  }

  private async all(tx: Tx, projectId: string): Promise<MessageTemplates> {
    const own = await findTemplates(tx, projectId);
    return {
      templates: LANGUAGES.map((language) => ({
        language,
        ...(own.get(language) ?? DEFAULT_TEMPLATES[language]),
        is_default: !own.has(language),
      })),
    };
  }
}

const requireTemplate = (template: Template, prefix = ''): void =>
  refuseFaulty(faultsOf(template).map(({ param, message }) => fault(`${prefix}${param}`, message)));
