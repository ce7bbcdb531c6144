import type { ReportSlot } from '@tire/contracts';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../api/client';
import { reportPath, useReportChanged, type ReportAt } from '../../api/reports';
import { registerPhotographs, uploadPhotograph } from '../../api/uploads';
import { useTexts } from '../../i18n/language';
import { askBeforeLeaving } from '../../ui/leaving';
import type { Sending, SendProblem } from './slot-state';

type SlotId = ReportSlot['slot_id'];
export type SendingBySlot = Readonly<Partial<Record<SlotId, Sending>>>;

const REPEATABLE: readonly SendProblem[] = ['notSent', 'refused', 'taken'];

function problemOf(error: unknown): SendProblem {
  if (!(error instanceof ApiError)) return 'refused';
  if (error.param === 'photograph_type') return 'notImage';
  if (error.param === 'photograph_size') return 'tooLarge';
  if (error.param === 'photograph_empty') return 'empty';
  if (error.code === 'slot_already_succeeded') return 'taken';
  if (error.code === 'report_discarded' || error.code === 'report_purge_pending') return 'closed';
  return error.code === 'unreachable' ? 'notSent' : 'refused';
}

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
    onProgress(0);
    try {
      const target = await uploadPhotograph(reportPath(at), slot.slot, file, { onProgress, signal: own.signal });
      if (own.signal.aborted) return;
      const replaces = slot.status === 'success' || slot.asset !== null || registered.current.has(id);
      registered.current.add(id);
      await registerPhotographs(reportPath(at), [target], replaces);
      tell({ step: 'sent', preview });
      await changed();
      tell({ step: 'known', preview, assetId: target.asset_id });
    } catch (error) {
      const problem = problemOf(error);
      tell({ step: 'stopped', problem, again: REPEATABLE.includes(problem) ? file : null });
      // Another device may have been quicker, or the answer alone was lost: trying again means what the report is then.
      if (latest.current.get(id) === own) await changed();
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
