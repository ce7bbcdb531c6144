import type { ReportSlot } from '@tire/contracts';
import { Input, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useReportChanged, type ReportAt } from '../../api/reports';
import { PHOTOGRAPH_TYPES, sendPhotograph } from '../../api/uploads';
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

export function ReplacePhotograph({ at, slot, isManual, label, onClose }: ReplaceProps) {
  const t = useTexts();
  const changed = useReportChanged(at);
  const [sent, setSent] = useState<number | null>(null);
  const given = useRef(new AbortController());
  // Closed in the middle: what is left is not sent.
  useEffect(() => {
    const ending = (given.current = new AbortController());
    return () => ending.abort();
  }, []);
  const replace = async (fields: FormData) => {
    const file = fields.get('photograph') as File;
    const replaces = () => slot.asset !== null || slot.status === 'success';
    try {
      await sendPhotograph(at, { slot: slot.slot, file, replaces, onProgress: setSent, signal: given.current.signal });
    } catch (error) {
      // Trying again means what the report is then.
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
      <ActionForm submit={t.upload.send} action={replace} sayings={sendSayings(t)} onCancel={onClose}>
        <Text size="sm">{isManual ? t.upload.replaceManualText : t.upload.replaceText}</Text>
        <Input.Wrapper label={t.upload.photograph} description={t.upload.hint} id="photograph">
          <input
            type="file"
            id="photograph"
            name="photograph"
            className="file"
            accept={PHOTOGRAPH_TYPES.join(',')}
            aria-describedby="photograph-description"
            data-autofocus
          />
        </Input.Wrapper>
        <Sent share={sent} />
      </ActionForm>
    </Dialog>
  );
}

/** In words too, but not at each of them: who listens hears the tens. */
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
