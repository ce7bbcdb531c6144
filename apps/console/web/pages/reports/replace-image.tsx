import type { ReportSlot } from '@tire/contracts/api';
import { Input, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useReportChanged, type ReportAt } from '../../api/reports';
import { IMAGE_TYPES_ACCEPTED, sendImage } from '../../api/uploads';
import { useLanguage, useTexts } from '../../i18n/language';
import { Dialog } from '../../ui/dialog';
import { ActionForm } from '../../ui/form';
import { sendSayings } from './sending-problems';

interface ReplaceProps {
  readonly at: ReportAt;
  readonly slot: ReportSlot;
  readonly isManual: boolean;
  readonly label: string;
  readonly onClose: () => void;
}

export function ReplaceImage({ at, slot, isManual, label, onClose }: ReplaceProps) {
  const t = useTexts();
  const changed = useReportChanged(at);
  const [sent, setSent] = useState<number | null>(null);
  const given = useRef(new AbortController());
  // Closing the dialog aborts the upload.
  useEffect(() => {
    const ending = (given.current = new AbortController());
    return () => ending.abort();
  }, []);
  const replace = async (fields: FormData) => {
    const file = fields.get('image') as File;
    const replaces = () => slot.asset !== null || slot.status === 'success';
    try {
      await sendImage(at, { slot: slot.slot, file, replaces, onProgress: setSent, signal: given.current.signal });
    } catch (error) {
      // A retry uses the current report.
      await changed();
      throw error;
    } finally {
      setSent(null);
    }
    await changed();
    onClose();
  };
  return (
    <Dialog title={t.slots.actionOf(slot.asset ? t.slots.replace : t.slots.add, label)} onClose={onClose} closesByItself={sent === null}>
      <ActionForm submit={t.upload.send} action={replace} messages={sendSayings(t)} onCancel={onClose}>
        <Text size="sm">{isManual ? t.upload.replaceManualText : t.upload.replaceText}</Text>
        {slot.analysis.gauge && <Text size="sm">{t.slots.gauge.remeasure}</Text>}
        <Input.Wrapper label={t.upload.image} description={t.upload.hint} id="image">
          <input
            type="file"
            id="image"
            name="image"
            className="file"
            accept={IMAGE_TYPES_ACCEPTED.join(',')}
            aria-describedby="image-description"
            data-autofocus
          />
        </Input.Wrapper>
        <Sent share={sent} />
      </ActionForm>
    </Dialog>
  );
}

/** Announced to screen readers in steps of ten percent. */
function Sent({ share }: { share: number | null }) {
  const t = useTexts();
  const { language } = useLanguage();
  const percent = (of: number) => new Intl.NumberFormat(language, { style: 'percent' }).format(of);
  if (share === null) return null;
  return (
    <div className="sent">
      <progress value={share} max={1} aria-label={t.upload.progress} />
      <Text size="sm" c="dimmed" role="status">
        {share < 1 ? t.upload.percent(percent(Math.floor(share * 10) / 10)) : t.upload.checking}
      </Text>
    </div>
  );
}
