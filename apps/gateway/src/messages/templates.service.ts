import type { ChangeTemplateRequest, MessageDraft, MessagePreview, MessageTemplates } from '@tire/contracts/console';
import { TEMPLATE_PURPOSES, type TemplatePurpose } from '@tire/contracts/limits';
import { CLOCK, fault, refuseFaulty, type Clock } from '@tire/kernel';
import { Database, type Tx } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { recordChange } from '../audit/audit.store';
import { DEFAULT_TEMPLATES, faultsOf, rendered, type MessageLanguage, type Template } from '../domain/message-template';
import type { ProjectMember } from '../edge/callers';
import { STOP_PATH } from '../reminders/stop-page';
import { CONSOLE_SETTINGS, type ConsoleSettings } from '../site/console-settings';
import { deleteTemplate, findTemplates, storeTemplate, type TemplateKey } from './templates.store';

const LANGUAGES: readonly MessageLanguage[] = ['ko', 'en'];

const EXAMPLES = {
  ko: {
    name: '김민수',
    shop: '한빛 타이어',
    shop_phone: '02-123-4567',
    shop_address: '서울 강남구 테헤란로 1',
    shop_hours: '평일 09:00~19:00\n토요일 09:00~15:00',
    plate: '12가 3456',
  },
  en: {
    name: 'Kim Minsu',
    shop: 'Hanbit Tires',
    shop_phone: '+82 2 123 4567',
    shop_address: '1 Teheran-ro, Gangnam-gu, Seoul',
    shop_hours: 'Mon-Fri 9:00-19:00\nSat 9:00-15:00',
    plate: '12가 3456',
  },
} as const;

/** As long as the links of messages, because the length decides what a text message costs. They lead nowhere. */
const linksOf = ({ origin, shareBaseUrl }: ConsoleSettings) => ({
  link: `${shareBaseUrl}/r/${'example-'.repeat(6).slice(0, 43)}`,
  stop: `${origin}/${STOP_PATH}/${'example-'.repeat(3).slice(0, 22)}`,
});

/** What customers read: plain text in two languages, with placeholders. */
@Injectable()
export class TemplatesService {
  constructor(
    private readonly database: Database,
    @Inject(CONSOLE_SETTINGS) private readonly settings: ConsoleSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  list(projectId: string): Promise<MessageTemplates> {
    return this.database.withProject(projectId, (tx) => this.all(tx, projectId));
  }

  async change(
    { projectId, organizationId, actor }: ProjectMember,
    { template, ...key }: ChangeTemplateRequest,
  ): Promise<MessageTemplates> {
    if (template) requireTemplate(template, key.purpose, 'template.');
    return this.database.withProject(projectId, async (tx) => {
      if (template) await storeTemplate(tx, projectId, key, template);
      else await deleteTemplate(tx, projectId, key);
      const change = { action: 'message_template.changed', projectId, details: { ...key } } as const;
      await recordChange(tx, organizationId, actor, change, this.clock.now());
      return this.all(tx, projectId);
    });
  }

  preview({ purpose, language, ...template }: MessageDraft): MessagePreview {
    requireTemplate(template, purpose);
    return rendered(template, { ...EXAMPLES[language], ...linksOf(this.settings) }, language);
  }

  async one(tx: Tx, projectId: string, key: TemplateKey): Promise<Template> {
    return ownOf(await findTemplates(tx, projectId), key) ?? DEFAULT_TEMPLATES[key.purpose][key.language];
  }

  private async all(tx: Tx, projectId: string): Promise<MessageTemplates> {
    const own = await findTemplates(tx, projectId);
    return {
      templates: TEMPLATE_PURPOSES.flatMap((purpose) =>
        LANGUAGES.map((language) => {
          const found = ownOf(own, { purpose, language });
          return { purpose, language, ...DEFAULT_TEMPLATES[purpose][language], ...found, is_default: found === undefined };
        }),
      ),
    };
  }
}

const ownOf = <T extends TemplateKey>(all: readonly T[], key: TemplateKey): T | undefined =>
  all.find(({ purpose, language }) => purpose === key.purpose && language === key.language);

const requireTemplate = (template: Template, purpose: TemplatePurpose, prefix = ''): void =>
  refuseFaulty(faultsOf(template, purpose).map(({ param, message }) => fault(`${prefix}${param}`, message)));
