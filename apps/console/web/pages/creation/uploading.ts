import type { ReportSlot } from '@tire/contracts/api';
import { useEffect, useRef, useState } from 'react';
import { useReportChanged, type ReportAt } from '../../api/reports';
import { sendImage } from '../../api/uploads';
import { useTexts } from '../../i18n/language';
import { askBeforeLeaving } from '../../ui/navigation-guard';
import { problemOf } from '../reports/sending-problems';
import type { Sending, SendProblem } from './slot-state';

type SlotId = ReportSlot['slot_id'];
export type SendingBySlot = Readonly<Partial<Record<SlotId, Sending>>>;

const REPEATABLE: readonly SendProblem[] = ['notSent', 'refused', 'taken'];

/** Uploads and registers each image at once, so that it is measured while the next one is taken. */
export function useSending(at: ReportAt) {
  const [bySlot, setBySlot] = useState<SendingBySlot>({});
  const changed = useReportChanged(at);
  const previewOf = usePreviews();
  const latest = useRef(new Map<SlotId, AbortController>());
  // The next image replaces an image that this page registered, even if the report does not contain it yet.
  const registered = useRef(new Set<SlotId>());
  useLeavingIsAsked(Object.values(bySlot).some((sending) => sending?.step === 'sending' || sending?.step === 'sent'));

  const send = async (slot: ReportSlot, file: File) => {
    const id = slot.slot_id;
    // A new image for a slot aborts the upload of the previous one.
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
      const assetId = await sendImage(at, { slot: slot.slot, file, replaces, onProgress, signal: own.signal });
      tell({ step: 'sent', preview });
      await changed();
      tell({ step: 'known', preview, assetId });
    } catch (error) {
      if (own.signal.aborted) return;
      const problem = problemOf(error);
      tell({ step: 'stopped', problem, again: REPEATABLE.includes(problem) ? file : null });
      // Another device may have registered an image first, or only the response was lost. A retry uses the current report.
      await changed();
    }
  };
  const refuse = (slot: ReportSlot) =>
    setBySlot((before) => ({ ...before, [slot.slot_id]: { step: 'stopped', problem: 'oneOnly', again: null } }));
  return { bySlot, send, refuse };
}

/** Object URLs are not revoked before the page is left, because an image element may still load one. */
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

/** A file that is dropped outside a tile must not replace the page. Leaving the page during an upload needs confirmation. */
function useLeavingIsAsked(isSending: boolean): void {
  const { leaving } = useTexts().creation.images;
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
