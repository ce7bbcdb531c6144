import type { ConfirmedSize, SizeGuess } from '@tire/contracts/console';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { call } from '../../api/client';
import { reportPath, useReportChanged, type ReportAt } from '../../api/reports';
import { useTexts } from '../../i18n/language';
import { Confirm } from '../../ui/dialog';
import { sizeText } from '../creation/typed-values';
import { closedMessages } from './actions';

interface SizeQuestionProps {
  readonly at: ReportAt;
  readonly guess: SizeGuess;
  readonly label: string;
}

/** Two photographs of a tire seem to show a size, and only a person can say whether it is right. */
export function SizeQuestion({ at, guess, label }: SizeQuestionProps) {
  const t = useTexts();
  const [open, setOpen] = useState(false);
  return (
    <div className="fault fault-mild">
      <strong>{t.slots.guess.question(sizeText(guess.size))}</strong>
      <p>{t.slots.guess.why}</p>
      <Button size="xs" variant="default" mt={8} aria-label={t.slots.actionOf(t.slots.guess.confirm, label)} onClick={() => setOpen(true)}>
        {t.slots.guess.confirm}
      </Button>
      {open && <ConfirmSize at={at} guess={guess} onClose={() => setOpen(false)} />}
    </div>
  );
}

function ConfirmSize({ at, guess, onClose }: Omit<SizeQuestionProps, 'label'> & { readonly onClose: () => void }) {
  const t = useTexts();
  const changed = useReportChanged(at);
  const size = sizeText(guess.size);
  const confirm = async () => {
    await call<ConfirmedSize>('POST', `${reportPath(at)}/confirmed-sizes`, guess);
    await changed();
  };
  return (
    <Confirm
      title={t.slots.guess.title(size)}
      text={t.slots.guess.text}
      submit={t.slots.guess.yes(size)}
      danger={false}
      messages={{ ...closedMessages(t), validation_error: t.slots.guess.changed }}
      action={confirm}
      onClose={onClose}
    />
  );
}
