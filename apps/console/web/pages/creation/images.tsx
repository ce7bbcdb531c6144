import type { Report, ReportSlot } from '@tire/contracts/api';
import { Alert, Button, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { Link, useParams } from 'wouter';
import { useProject } from '../../api/project';
import { useReport, type ReportAt } from '../../api/reports';
import { useTexts } from '../../i18n/language';
import { Loaded } from '../../ui/listing';
import { Page } from '../../ui/page';
import { CaptureSection, isCaptureOpen } from '../reports/capture-link';
import { ImageWarnings } from '../reports/image-warnings';
import { POSITIONS } from '../reports/positions';
import { isRead } from '../reports/slots';
import './creation.css';
import { CarDrawing, WheelMark } from './car-drawing';
import { useSending } from './uploading';
import { SlotTile } from './slot-tile';

/** The polling interval. Other devices upload images too. */
const OTHERS_MS = 5_000;

type Requirement = Report['template']['requirements'][number];

export function ImagesPage() {
  const { creation: t } = useTexts();
  const { project, path } = useProject();
  const { reportId = '' } = useParams<{ reportId: string }>();
  const at = { projectId: project.project_id, reportId };
  const query = useReport(at, OTHERS_MS);
  const report = query.data?.report;
  const isManual = report?.creation.mode === 'manual';
  const toReport = report && (
    <Button
      component={Link}
      href={`${path}/reports/${reportId}`}
      variant={report.analysis_status === 'complete' && !isManual ? 'filled' : 'default'}
    >
      {t.images.toReport}
    </Button>
  );
  return (
    <Page title={t.images.title} text={isManual ? t.images.manualText : t.images.text} actions={toReport}>
      <Loaded query={query}>{(found) => <CarAndLink key={reportId} at={at} report={found.report} />}</Loaded>
    </Page>
  );
}

/** A member who asked for a link sees it without scrolling. It keeps its place while the page is open. */
function CarAndLink({ at, report }: { at: ReportAt; report: Report }) {
  const [isLinkFirst] = useState(() => isCaptureOpen(report.capture) && report.analysis_status === 'awaiting_images');
  const link = <CaptureSection key="link" at={at} report={report} />;
  return (
    <>
      {isLinkFirst && link}
      <Car key="car" at={at} report={report} />
      {!isLinkFirst && link}
    </>
  );
}

function Car({ at, report }: { at: ReportAt; report: Report }) {
  const t = useTexts();
  const { bySlot, send, refuse } = useSending(at);
  const isManual = report.creation.mode === 'manual';
  // Only manually entered values may have an image.
  const slots = isManual ? report.slots.filter(({ status }) => status === 'success') : report.slots;
  const open = report.template.requirements.filter((requirement) => successesOf(report, requirement) < requirement.minimum_success_count);
  const isNeeded = ({ slot }: ReportSlot) => isManual || open.some(({ image_type }) => image_type === slot.image_type);
  return (
    <>
      {!isManual && <Progress report={report} />}
      <ImageWarnings report={report} />
      <ul className="car" aria-label={t.creation.images.tires}>
        {POSITIONS.map((position) => (
          <li key={position} className={`car-tire car-${position}`}>
            <Title order={2} size="h5" className="car-position">
              <WheelMark of={position} />
              {t.slots.positions[position]}
            </Title>
            <div className="spots">
              {slots
                .filter(({ slot }) => slot.position === position)
                .map((slot) => (
                  <SlotTile
                    key={slot.slot_id}
                    at={at}
                    slot={slot}
                    sending={bySlot[slot.slot_id]}
                    isNeeded={isNeeded(slot)}
                    onFile={(file) => void send(slot, file)}
                    onSeveral={() => refuse(slot)}
                  />
                ))}
            </div>
          </li>
        ))}
        <li className="car-body" aria-hidden="true">
          <CarDrawing front={t.creation.images.front} />
        </li>
      </ul>
    </>
  );
}

const successesOf = ({ slots }: Report, { image_type, allowed_positions }: Requirement): number =>
  slots.filter(({ slot, status }) => status === 'success' && slot.image_type === image_type && allowed_positions.includes(slot.position))
    .length;

/** Those that gave a value. "2 of 2 measured" beside "not read" would contradict itself. */
const readOf = ({ slots }: Report, { image_type, allowed_positions, minimum_success_count }: Requirement): number =>
  Math.min(
    minimum_success_count,
    slots.filter(
      ({ slot, status, analysis }) =>
        status === 'success' && isRead(analysis) && slot.image_type === image_type && allowed_positions.includes(slot.position),
    ).length,
  );

/** That all is measured says nothing of the tires, so it is not green: the verdict is. */
const COLORS: Partial<Record<Report['analysis_status'], string>> = { partial: 'red', failed: 'red' };

function Progress({ report }: { report: Report }) {
  const { images: t } = useTexts().creation;
  const counts = report.template.requirements.map((requirement) =>
    t.needs[requirement.image_type](readOf(report, requirement), requirement.minimum_success_count),
  );
  const isAllRead = report.template.requirements.every((requirement) => readOf(report, requirement) >= requirement.minimum_success_count);
  const isDone = report.analysis_status === 'complete';
  return (
    <Alert variant="light" color={isDone && !isAllRead ? 'orange' : (COLORS[report.analysis_status] ?? 'blue')} role="status" mb="md">
      <Text size="sm" fw={600}>
        {isDone && !isAllRead ? t.notAllRead : t.states[report.analysis_status]}
      </Text>
      <Text size="sm">{counts.join(' · ')}</Text>
    </Alert>
  );
}
