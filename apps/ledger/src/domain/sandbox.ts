import { isSandboxName, sandboxNameOfAddress, sandboxNameOfSha256, sandboxPhotograph, type SandboxName } from '@tire/kernel';
import type { SandboxEffects } from '@tire/contracts/events';
import type { ReportIdentity } from './report';
import type { ReportSlotRecord, SlotAsset, SlotState } from './slot';

type Owner = Pick<ReportIdentity, 'projectMode'>;

/** The well-known photograph whose address this is. An image of a live project is never one. */
export const knownAddress = ({ projectMode }: Owner, { source }: SlotAsset): SandboxName | undefined =>
  projectMode === 'test' && source.kind === 'partner_url' ? sandboxNameOfAddress(source.url) : undefined;

/** The well-known photograph whose bytes these are, wherever they came from. */
export const knownImage = ({ projectMode }: Owner, { sha256 }: SlotAsset): SandboxName | undefined =>
  projectMode === 'test' && sha256 !== undefined ? sandboxNameOfSha256(sha256) : undefined;

/** The well-known photograph that a pending slot waits for: at its address, or, once its bytes are stored, for its result. */
export function awaitedPhotograph(owner: Owner, state: SlotState): SandboxName | undefined {
  if (state.phase === 'fetching') return knownAddress(owner, state.asset);
  return state.phase === 'analyzing' ? knownImage(owner, state.asset) : undefined;
}

/** From when on a pending slot waits for a worker, or for the answer of the sandbox, which may be late on purpose. */
export function waitsFrom(state: SlotState, photograph: SandboxName | null, now: Date): Date | null {
  if (state.phase !== 'fetching' && state.phase !== 'analyzing') return null;
  const afterMs = photograph && state.phase === 'analyzing' ? (sandboxPhotograph(photograph).afterMs ?? 0) : 0;
  return new Date(now.getTime() + afterMs);
}

/** In place of the model that measured: no model did. The name of the photograph follows. */
export const SANDBOX_MODEL = 'sandbox@';

export const sandboxModel = (name: SandboxName): string => `${SANDBOX_MODEL}${name}`;

export function photographOfModel(model: string | null): SandboxName | undefined {
  const name = model?.startsWith(SANDBOX_MODEL) ? model.slice(SANDBOX_MODEL.length) : '';
  return isSandboxName(name) ? name : undefined;
}

/** What the photographs of a revision cause beyond their slots. */
export function sandboxEffects(slots: readonly ReportSlotRecord[]): SandboxEffects | undefined {
  const shown = slots.flatMap(({ state }) => {
    const name = state.phase === 'succeeded' || state.phase === 'failed' ? photographOfModel(state.analysis.model) : undefined;
    return name ? [sandboxPhotograph(name)] : [];
  });
  const contentFails = shown.some((photograph) => photograph.contentFails);
  const callbackFailures = Math.max(0, ...shown.map((photograph) => photograph.callbackFailures ?? 0));
  return contentFails || callbackFailures > 0 ? { contentFails, callbackFailures } : undefined;
}
