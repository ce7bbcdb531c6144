import type { CreateReportResponse } from '@tire/contracts/api';
import type { ManualTire } from '@tire/contracts/console';
import { Button, Group, List, NativeSelect, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useLocation } from 'wouter';
import { ApiError, call } from '../../api/client';
import { useProject } from '../../api/project';
import type { Texts } from '../../i18n/en';
import { useLanguage, useTexts } from '../../i18n/language';
import { Confirm } from '../../ui/dialog';
import { Page, Section } from '../../ui/page';
import { Problem, type ErrorMessages } from '../../ui/problem';
import { POSITIONS, type Position } from '../reports/positions';
import './creation.css';
import { fieldName, ManualTireFields, unusualText } from './manual-tire';
import {
  faultsOf,
  LIMITS,
  measuredTires,
  nothingTyped,
  unusualOf,
  withGrooves,
  type Fault,
  type TypedTire,
  type TypedTires,
  type Unusual,
} from './typed-values';
import { creationMessages, VehicleFields, vehicleOf } from './vehicle-fields';

/** Outside, middle, inside: the usual gauge positions. */
const GROOVES_AT_FIRST = 3;
const NEXT = { report: '', images: '/images' } as const;

/** Values that wait for confirmation. */
interface UnconfirmedValues {
  readonly fields: FormData;
  readonly unusual: readonly Unusual[];
}

export function ManualReportPage() {
  const texts = useTexts();
  const t = texts.creation;
  const [tires, setTires] = useState(() => nothingTyped(GROOVES_AT_FIRST));
  const { sending, confirm, onSubmit, sent, unconfirmed, onClose } = useSubmission(tires);
  return (
    <Page title={t.manualTitle} text={t.manualText}>
      <form onSubmit={onSubmit} noValidate className="typed-form">
        <Section title={t.vehicle.title}>
          <Stack gap="md">
            <VehicleFields />
          </Stack>
        </Section>
        <Section title={t.manual.depths} text={`${t.manual.groovesHint} ${t.manual.sizeHint}`}>
          <Stack gap="md">
            <NativeSelect
              label={t.manual.grooves}
              className="short-field"
              value={tires.front_left.depths.length}
              onChange={(event) => setTires(withGrooves(tires, Number(event.currentTarget.value)))}
              data={Array.from({ length: LIMITS.grooves.max }, (_, index) => String(index + 1))}
            />
            <Tires tires={tires} whole={sent} onChange={setTires} />
            <Problem error={sending.error} messages={messagesOf(texts)} />
            <Submits busy={sending.isPending} />
          </Stack>
        </Section>
      </form>
      {unconfirmed && <ConfirmValues unconfirmed={unconfirmed} confirm={confirm} onClose={onClose} />}
    </Page>
  );
}

interface TiresProps {
  readonly tires: TypedTires;
  /** Whether missing values are reported too. */
  readonly whole: boolean;
  readonly onChange: (tires: TypedTires) => void;
}

function Tires({ tires, whole, onChange }: TiresProps) {
  const [faults, unusual] = [faultsOf(tires, whole), unusualOf(tires)];
  const change = (position: Position, changed: Partial<TypedTire>) =>
    onChange({ ...tires, [position]: { ...tires[position], ...changed } });
  return POSITIONS.map((position) => (
    <ManualTireFields
      key={position}
      position={position}
      tires={tires}
      faults={faults.filter((fault) => fault.position === position)}
      unusual={unusual.filter((found) => found.position === position)}
      onDepth={(groove, text) => change(position, { depths: tires[position].depths.with(groove, text) })}
      onSize={(size) => change(position, { size })}
    />
  ));
}

/** Impossible values are not sent. Unusual values need confirmation, whether this page or the service detects them. */
function useSubmission(tires: TypedTires) {
  const [sent, setSent] = useState(false);
  const [unconfirmed, setUnconfirmed] = useState<UnconfirmedValues | null>(null);
  const create = useCreation();
  const confirm = (fields: FormData) => create(fields, measuredTires(tires), true);
  const sending = useMutation({
    mutationFn: async (fields: FormData) => {
      try {
        await create(fields, measuredTires(tires), false);
      } catch (error) {
        if (!(error instanceof ApiError && error.code === 'confirmation_required')) throw error;
        setUnconfirmed({ fields, unusual: unusualOf(tires) });
      }
    },
  });
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (sending.isPending) return;
    setSent(true);
    const [first] = faultsOf(tires, true);
    if (first) return focusOn(event.currentTarget, first);
    const { submitter } = event.nativeEvent as SubmitEvent;
    const fields = new FormData(event.currentTarget, submitter);
    const unusual = unusualOf(tires);
    if (unusual.length > 0) return setUnconfirmed({ fields, unusual });
    sending.mutate(fields);
  };
  return { sending, confirm, onSubmit, sent, unconfirmed, onClose: () => setUnconfirmed(null) };
}

function focusOn({ elements }: HTMLFormElement, { position, groove }: Fault): void {
  const found = elements.namedItem(fieldName(position, groove));
  if (found instanceof HTMLElement) found.focus();
}

function Submits({ busy }: { busy: boolean }) {
  const { manual: t } = useTexts().creation;
  return (
    <Group gap="sm">
      <Button type="submit" name="next" value="report" loading={busy}>
        {t.create}
      </Button>
      <Button type="submit" name="next" value="images" variant="default" disabled={busy}>
        {t.createAndAddImages}
      </Button>
    </Group>
  );
}

interface ConfirmValuesProps {
  readonly unconfirmed: UnconfirmedValues;
  readonly confirm: (fields: FormData) => Promise<void>;
  readonly onClose: () => void;
}

function ConfirmValues({ unconfirmed: { fields, unusual }, confirm, onClose }: ConfirmValuesProps) {
  const texts = useTexts();
  const { creation: t, slots } = texts;
  const { language } = useLanguage();
  const lines = unusual.map((found) => `${slots.positions[found.position]}: ${unusualText(found, t.manual, language)}`);
  return (
    <Confirm
      title={t.manual.confirmTitle}
      text={t.manual.confirmText}
      submit={t.manual.confirm}
      danger={false}
      messages={messagesOf(texts)}
      action={() => confirm(fields)}
      onClose={onClose}
    >
      <List size="sm">
        {(lines.length > 0 ? lines : [t.manual.confirmOther]).map((line, index) => (
          <List.Item key={index}>{line}</List.Item>
        ))}
      </List>
    </Confirm>
  );
}

const messagesOf = (texts: Texts): ErrorMessages => ({ ...creationMessages(texts), validation_error: texts.creation.manual.refused });

/** Navigates to the report or to its images, depending on the button. */
function useCreation() {
  const { project, path } = useProject();
  const [, go] = useLocation();
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  return async (fields: FormData, tires: readonly ManualTire[], confirmed: boolean): Promise<void> => {
    const body = { ...vehicleOf(fields), tires, confirm_unusual: confirmed };
    const to = `/projects/${project.project_id}/manual-reports`;
    const { report_id } = await call<CreateReportResponse>('POST', to, body, { idempotencyKey });
    const next = fields.get('next') === 'images' ? NEXT.images : NEXT.report;
    go(`${path}/reports/${report_id}${next}`);
  };
}
