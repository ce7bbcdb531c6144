import type { MessagePreview, MessageTemplate } from '@tire/contracts/console';
import { Button, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { hasSubject, isLongText, linkOfPurpose, placesOfPurpose, SMS_BYTES, smsBytes, TEMPLATE_LIMITS } from '@tire/contracts/limits';
import { useState } from 'react';
import { previewOf, useChangeTemplate, useTemplates } from '../../api/messages';
import { useProject } from '../../api/project';
import { useTexts } from '../../i18n/language';
import { Confirm, Dialog } from '../../ui/dialog';
import { ActionForm, field } from '../../ui/form';
import { Loaded, Row, Rows } from '../../ui/listing';
import { Section } from '../../ui/page';
import { visibleText } from '../../ui/visible-text';

/** What customers read in a message. */
export function TemplatesSection() {
  const { templates: t } = useTexts();
  const { project, place } = useProject();
  const query = useTemplates(project.project_id);
  const [editing, setEditing] = useState<MessageTemplate | null>(null);
  const [resetting, setResetting] = useState<MessageTemplate | null>(null);
  const change = useChangeTemplate(project.project_id);
  return (
    <Section title={t.title} text={t.text}>
      <Loaded query={query}>
        {({ templates }) => (
          <Rows label={t.title}>
            {templates.map((template) => (
              <Row
                key={`${template.purpose} ${template.language}`}
                actions={
                  place.can('projects.manage') && (
                    <>
                      <Button size="xs" variant="default" onClick={() => setEditing(template)}>
                        {t.edit(t.names[template.purpose][template.language])}
                      </Button>
                      {!template.is_default && (
                        <Button size="xs" variant="default" onClick={() => setResetting(template)}>
                          {t.reset(t.names[template.purpose][template.language])}
                        </Button>
                      )}
                    </>
                  )
                }
              >
                <div className="row-name">{t.names[template.purpose][template.language]}</div>
                <Content subject={visibleText(template.subject)} text={template.text} />
              </Row>
            ))}
          </Rows>
        )}
      </Loaded>
      {editing && <Edit template={editing} onClose={() => setEditing(null)} />}
      {resetting && (
        <Confirm
          title={t.resetTitle}
          text={t.resetText}
          submit={t.reset(t.names[resetting.purpose][resetting.language])}
          action={() => change({ purpose: resetting.purpose, language: resetting.language, template: null })}
          onClose={() => setResetting(null)}
        />
      )}
    </Section>
  );
}

/** The first press shows how the text looks, the second one saves what was seen. */
function Edit({ template, onClose }: { template: MessageTemplate; onClose: () => void }) {
  const { templates: t } = useTexts();
  const { project } = useProject();
  const change = useChangeTemplate(project.project_id);
  const [seen, setSeen] = useState<{ readonly subject: string; readonly text: string; readonly preview: MessagePreview } | null>(null);
  const { purpose, language } = template;
  const name = t.names[purpose][language];
  const link = `{{${linkOfPurpose(purpose)}}}`;
  const submit = async (fields: FormData) => {
    const draft = { subject: hasSubject(purpose) ? field(fields, 'subject') : '', text: field(fields, 'text').replaceAll('\r\n', '\n') };
    if (seen?.subject === draft.subject && seen.text === draft.text) {
      await change({ purpose, language, template: draft });
      return onClose();
    }
    setSeen({ ...draft, preview: await previewOf(project.project_id, { purpose, language, ...draft }) });
  };
  const messages = {
    subject: t.wrongSubject,
    text: t.wrongText(link),
    'template.subject': t.wrongSubject,
    'template.text': t.wrongText(link),
  };
  return (
    <Dialog title={t.edit(name)} onClose={onClose}>
      <ActionForm submit={seen ? t.save : t.preview} action={submit} messages={messages} onCancel={onClose}>
        {hasSubject(purpose) && <Subject value={template.subject} onChange={() => setSeen(null)} />}
        <Textarea
          label={t.body}
          description={t.places(
            placesOfPurpose(purpose)
              .map((place) => `{{${place}}}`)
              .join(' '),
            link,
          )}
          name="text"
          defaultValue={template.text}
          maxLength={TEMPLATE_LIMITS.text}
          onChange={() => setSeen(null)}
          rows={8}
          required
          withAsterisk={false}
        />
        {seen && (
          <Stack gap={4} role="status">
            <Text size="sm" fw={600}>
              {t.looks}
            </Text>
            <Content {...seen.preview} />
            {!hasSubject(purpose) && <Length text={seen.preview.text} />}
          </Stack>
        )}
      </ActionForm>
    </Dialog>
  );
}

function Content({ subject, text }: MessagePreview) {
  return (
    <Text size="sm" className="message-text">
      {subject !== '' && `${subject}\n\n`}
      {text}
    </Text>
  );
}

/** What a text message costs depends on its length. */
function Length({ text }: { text: string }) {
  const { templates: t } = useTexts();
  const bytes = smsBytes(text);
  const isTooLong = bytes > SMS_BYTES.max;
  const words = isTooLong ? t.tooLong(bytes) : isLongText(text) ? t.long(bytes) : t.short(bytes);
  return (
    <Text size="sm" c={isTooLong ? undefined : 'dimmed'} fw={isTooLong ? 600 : undefined}>
      {words}
    </Text>
  );
}

function Subject({ value, onChange }: { value: string; onChange: () => void }) {
  const { templates: t } = useTexts();
  return (
    <TextInput
      label={t.subject}
      name="subject"
      defaultValue={value}
      maxLength={TEMPLATE_LIMITS.subject}
      onChange={onChange}
      required
      data-autofocus
    />
  );
}
