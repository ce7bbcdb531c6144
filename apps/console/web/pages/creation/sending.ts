import type { ReportSlot } from '@tire/contracts';
import { useEffect, useRef, useState } from 'react';
import { useReportChanged, type ReportAt } from '../../api/reports';
import { sendPhotograph } from '../../api/uploads';
import { useTexts } from '../../i18n/language';
import { askBeforeLeaving } from '../../ui/leaving';
import { problemOf } from '../reports/sending-problems';
import type { Sending, SendProblem } from './slot-state';

type SlotId = ReportSlot['slot_id'];
export type SendingBySlot = Readonly<Partial<Record<SlotId, Sending>>>;

const REPEATABLE: readonly SendProblem[] = ['notSent', 'refused', 'taken'];

/** Each photograph goes its own way at once: to the storage, into the report, and is measured while the next one is taken. */
export function useSending(at: ReportAt) {
  const [bySlot, setBySlot] = useState<SendingBySlot>({});
  const changed = useReportChanged(at);
  const previewOf = usePreviews();
  const latest = useRef(new Map<SlotId, AbortController>());
  // A photograph that was registered from here is one that the next from here replaces, though the report does not show it yet.
  const registered = useRef(new Set<SlotId>());
  useLeavingIsAsked(Object.values(bySlot).some((sending) => sending?.step === 'sending' || sending?.step === 'sent'));

  const send = async (slot: ReportSlot, file: File) => {
    const id = slot.slot_id;
    // A second photograph of a slot is the one that counts, however far the first one is.
    latest.current.get(id)?.abort();
    const own = new AbortController();
    latest.current.set(id, own);
    const tell = (sending: Sending) => {
      if (latest.current.get(id) === own) setBySlot((before) => ({ ...before, [id]: sending }));
    };
    const preview = previewOf(file);
    const onProgress = (share: number) => tell({ step: 'sending', preview, share });
    const replaces = () => {
      const hasOne = slot.status === 'success' || slot.asset !== null || registered.current.has(id);
      registered.current.add(id);
      return hasOne;
    };
    try {
      const assetId = await sendPhotograph(at, { slot: slot.slot, file, replaces, onProgress, signal: own.signal });
      tell({ step: 'sent', preview });
      await changed();
      tell({ step: 'known', preview, assetId });
    } catch (error) {
      if (own.signal.aborted) return;
      const problem = problemOf(error);
      tell({ step: 'stopped', problem, again: REPEATABLE.includes(problem) ? file : null });
      // Another device may have been quicker, or the answer alone was lost: trying again means what the report is then.
      await changed();
    }
  };
  const refuse = (slot: ReportSlot) =>
    setBySlot((before) => ({ ...before, [slot.slot_id]: { step: 'stopped', problem: 'oneOnly', again: null } }));
  return { bySlot, send, refuse };
}

/** Given back when the page is left: before that one may still be on its way into a picture. */
function usePreviews(): (file: File) => string {
  const made = useRef<string[]>([]);
  useEffect(() => {
    const urls = made.current;
    return () => urls.splice(0).forEach((url) => URL.revokeObjectURL(url));
  }, []);
  return (file) => {
    const url = URL.createObjectURL(file);
    made.current.push(url);
    return url;
  };
}

/** A photograph that is dropped beside its place must not take the page away, and one on its way is not lost unasked. */
function useLeavingIsAsked(isSending: boolean): void {
  const { leaving } = useTexts().creation.photographs;
  useEffect(() => {
    askBeforeLeaving(isSending ? leaving : null);
    return () => askBeforeLeaving(null);
  }, [isSending, leaving]);
  useEffect(() => {
    const stay = (event: Event) => event.preventDefault();
    for (const name of ['dragover', 'drop']) window.addEventListener(name, stay);
    if (isSending) window.addEventListener('beforeunload', stay);
    return () => {
      for (const name of ['dragover', 'drop', 'beforeunload']) window.removeEventListener(name, stay);
    };
  }, [isSending]);
}
