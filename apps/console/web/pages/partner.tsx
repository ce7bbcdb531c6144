import type { Partner } from '@tire/contracts/console';
import { Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { PARTNER_LIMITS } from '@tire/contracts/limits';
import { useState } from 'react';
import { call } from '../api/client';
import { CaptureSettingsSection } from './capture-settings';
import { KakaoKeySection } from './kakao-key';
import { TrainingUseSection } from './training-use';
import { TemplatesSection } from './customers/templates';
import { useProject } from '../api/project';
import { useTexts } from '../i18n/language';
import { Done } from '../ui/done';
import { ActionForm, field } from '../ui/form';
import { Loaded } from '../ui/listing';
import { LogoActions } from '../ui/logo-actions';
import { Page, Section } from '../ui/page';
import { visibleText } from '../ui/visible-text';

const partnerOf = (projectId: string) => ['project', projectId, 'partner'] as const;

const usePartner = (projectId: string): UseQueryResult<Partner> =>
  useQuery({ queryKey: partnerOf(projectId), queryFn: () => call<Partner>('GET', `/projects/${projectId}/partner`) });

/** The details of the partner that share pages and PDFs show. */
export function PartnerPage() {
  const t = useTexts();
  const { place, project } = useProject();
  const query = usePartner(project.project_id);
  const mayChange = place.can('projects.manage');
  return (
    <Page title={t.partner.title} text={t.partner.text}>
      <Loaded query={query}>
        {(partner) => (
          <>
            <Section title={t.partner.named} text={mayChange ? undefined : t.partner.readOnly}>
              {mayChange ? <NameForm partner={partner} /> : <Named partner={partner} />}
            </Section>
            <Section title={t.partner.logo} text={t.partner.logoText}>
              <Logo partner={partner} mayChange={mayChange} />
            </Section>
            <CaptureSettingsSection mayChange={mayChange} />
            <TrainingUseSection mayChange={mayChange} />
            <TemplatesSection />
            <KakaoKeySection mayChange={mayChange} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Named({ partner: { name, phone, address, opening_hours } }: { partner: Partner }) {
  const t = useTexts();
  return (
    <Stack gap="xs">
      <Text>
        {t.partner.name}: {name === null ? t.partner.notSet : visibleText(name)}
      </Text>
      <Text>
        {t.partner.phone}: {phone ?? t.partner.notSet}
      </Text>
      <Text>
        {t.branches.address}: {address === null ? t.partner.notSet : visibleText(address)}
      </Text>
      <Text>
        {t.branches.hours}: {opening_hours === null ? t.partner.notSet : visibleText(opening_hours.replaceAll('\n', ', '))}
      </Text>
    </Stack>
  );
}

function NameForm({ partner }: { partner: Partner }) {
  const t = useTexts();
  const { project } = useProject();
  const queries = useQueryClient();
  const [saved, setSaved] = useState(false);
  const save = async (fields: FormData) => {
    setSaved(false);
    const body = Object.fromEntries(['name', 'phone', 'address', 'opening_hours'].map((name) => [name, field(fields, name)]));
    queries.setQueryData(partnerOf(project.project_id), await call<Partner>('PATCH', `/projects/${project.project_id}/partner`, body));
    setSaved(true);
  };
  return (
    <Stack className="form-narrow">
      <ActionForm submit={t.common.save} action={save} messages={{ phone: t.partner.phoneWrong }}>
        <TextInput
          label={t.partner.name}
          name="name"
          defaultValue={partner.name ?? ''}
          maxLength={PARTNER_LIMITS.name}
          autoComplete="organization"
        />
        <TextInput
          label={t.partner.phone}
          description={t.partner.phoneText}
          name="phone"
          type="tel"
          defaultValue={partner.phone ?? ''}
          maxLength={PARTNER_LIMITS.phone}
          autoComplete="off"
        />
        <TextInput
          label={t.branches.optional(t.branches.address)}
          description={t.partner.placeText}
          name="address"
          defaultValue={partner.address ?? ''}
          maxLength={PARTNER_LIMITS.address}
          autoComplete="off"
        />
        <Textarea
          label={t.branches.optional(t.branches.hours)}
          description={t.branches.hoursText}
          name="opening_hours"
          defaultValue={partner.opening_hours ?? ''}
          maxLength={PARTNER_LIMITS.openingHours}
          rows={3}
        />
      </ActionForm>
      {saved && <Done text={t.common.saved} />}
    </Stack>
  );
}

function Logo({ partner: { logo }, mayChange }: { partner: Partner; mayChange: boolean }) {
  const t = useTexts();
  const { project } = useProject();
  const queries = useQueryClient();
  const changed = () => queries.invalidateQueries({ queryKey: partnerOf(project.project_id) });
  return (
    <Stack align="flex-start">
      {logo === null ? (
        <Text>{t.partner.noLogo}</Text>
      ) : logo.url === null ? (
        <Text>{t.partner.logoUnread}</Text>
      ) : (
        <img className="partner-logo" src={logo.url} width={logo.width_px} height={logo.height_px} alt={t.partner.logoOf} />
      )}
      {mayChange && <LogoActions path={`/projects/${project.project_id}/partner/logo`} hasLogo={logo !== null} onChanged={changed} />}
    </Stack>
  );
}
