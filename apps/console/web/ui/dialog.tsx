import { Modal, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '../i18n/language';
import { ActionForm } from './form';
import { visibleText } from './visible-text';
import type { ErrorMessages } from './problem';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** Whether a click outside, Escape and a close button close the dialog. False for dialogs that show something once. */
  readonly closesByItself?: boolean;
  readonly children: ReactNode;
}

/** Open while it is rendered. The scroll lock of the library is off, because it injects a style element. */
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
          <Modal.Title className="dialog-title">{visibleText(title)}</Modal.Title>
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
  readonly messages?: ErrorMessages;
  readonly action: () => Promise<unknown>;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

export function Confirm({ title, text, submit, danger = true, messages, action, onClose, children }: ConfirmProps) {
  const acted = async () => {
    await action();
    onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <ActionForm submit={submit} action={acted} danger={danger} messages={messages} onCancel={onClose}>
        <Text size="sm">{visibleText(text)}</Text>
        {children}
      </ActionForm>
    </Dialog>
  );
}
