import type { Project } from '@tire/contracts/console';
import { Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../api/client';
import { projectsOf, useProject } from '../api/project';
import { useTexts } from '../i18n/language';
import { Done } from '../ui/done';
import { ActionForm, field } from '../ui/form';
import { Section } from '../ui/page';

/** The key with which the button of KakaoTalk works on the pages of reports. */
export function KakaoKeySection({ mayChange }: { mayChange: boolean }) {
  const { kakaoKey: t, common, partner } = useTexts();
  const { project } = useProject();
  const queries = useQueryClient();
  const [saved, setSaved] = useState(false);
  const save = async (fields: FormData) => {
    setSaved(false);
    const kakao_key = field(fields, 'kakao_key').trim() || null;
    await call<Project>('PATCH', `/projects/${project.project_id}/kakao-key`, { kakao_key });
    await queries.invalidateQueries({ queryKey: projectsOf(project.organization_id) });
    setSaved(true);
  };
  return (
    <Section title={t.title} text={t.text}>
      {mayChange ? (
        <Stack className="form-narrow">
          <ActionForm submit={t.save} action={save} messages={{ kakao_key: t.wrong }}>
            <TextInput
              label={t.key}
              description={t.hint}
              name="kakao_key"
              defaultValue={project.kakao_key ?? ''}
              maxLength={64}
              autoComplete="off"
              spellCheck={false}
            />
          </ActionForm>
          {saved && <Done text={common.saved} />}
        </Stack>
      ) : (
        <Text>
          {t.key}: {project.kakao_key ?? partner.notSet}
        </Text>
      )}
    </Section>
  );
}
