import { Modal, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '../i18n/language';
import { ActionForm } from './form';
import { harmless } from './harmless';
import type { Sayings } from './problem';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** What is shown this one time is not lost to a click beside it. */
  readonly closesByItself?: boolean;
  readonly children: ReactNode;
}

/** Shown as long as it is rendered. Its styles are files: what locks the scroll bar by a style element is left off. */
export function Dialog({ title, onClose, closesByItself = true, children }: DialogProps) {
  const t = useTexts();
  return (
    <Modal.Root
      opened
      onClose={onClose}
      lockScroll={false}
      closeOnClickOutside={closesByItself}
      closeOnEscape={closesByItself}
      transitionProps={{ duration: 0 }}
    >
      <Modal.Overlay />
      <Modal.Content>
        <div className="dialog-head">
          <Modal.Title className="dialog-title">{harmless(title)}</Modal.Title>
          {closesByItself && <Modal.CloseButton aria-label={t.common.close} />}
        </div>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

interface ConfirmProps {
  readonly title: string;
  readonly text: string;
  readonly submit: string;
  readonly danger?: boolean;
  readonly sayings?: Sayings;
  readonly action: () => Promise<unknown>;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

export function Confirm({ title, text, submit, danger = true, sayings, action, onClose, children }: ConfirmProps) {
  const acted = async () => {
    await action();
    onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <ActionForm submit={submit} action={acted} danger={danger} sayings={sayings} onCancel={onClose}>
        <Text size="sm">{harmless(text)}</Text>
        {children}
      </ActionForm>
    </Dialog>
  );
}
