import type { UploadTargetsRequest } from '@tire/contracts/api';
import { CaptureImages, CaptureSession } from '@tire/contracts/capture';
import { ALL_SLOTS, slotId, type RetakeReason, type Slot, type SlotId } from '@tire/kernel';
import { createHash, randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { answerError, type Answer } from './http.fixture';

export interface SlotResult {
  readonly status: 'success' | 'failed';
  readonly retake?: readonly RetakeReason[];
  readonly code?: CaptureSession['slots'][number]['error_code'];
  readonly recognized?: boolean;
}

interface Asset {
  readonly slotId: SlotId;
  isExpired: boolean;
  sha256?: string;
  bytes?: Buffer;
}

interface SlotState {
  readonly slot: Slot;
  assetId?: string;
  attempts: number;
  /** Reads of the session until the result is there. */
  readsLeft: number;
  result?: SlotResult;
}

/** One report behind a link, by the rules of the ledger for registrations. */
export class ReportOfLink {
  readonly assets = new Map<string, Asset>();
  readonly slots: Map<SlotId, SlotState>;
  readonly puts: string[] = [];
  /** Registrations that started an analysis. */
  readonly applied: { readonly slotId: SlotId; readonly assetId: string; readonly replaced: boolean }[] = [];
  session: CaptureSession;
  readsUntilResult = 2;
  isUnknown = false;

  constructor(
    private readonly objectsOrigin: string,
    session: Partial<CaptureSession> = {},
    private readonly resultOf: (id: SlotId, attempt: number) => SlotResult = () => ({ status: 'success' }),
  ) {
    this.slots = new Map(ALL_SLOTS.map((slot) => [slotId(slot), { slot, attempts: 0, readsLeft: 0 }]));
    this.session = {
      schema_version: 'capture.v1',
      report_id: randomUUID(),
      state: 'open',
      ended_reason: null,
      finished_at: null,
      expires_at: '2099-12-01T00:00:00.000Z',
      language: 'en',
      partner: { name: 'Hana Motors', phone_number: '02-123-4567', address: null, opening_hours: null, logo_url: null },
      return_url: null,
      share_url: null,
      template: { key: 'tire_4t_4s', minimum_success_count: { tread: 4, sidewall: 4 } },
      slots: [],
      ...session,
    };
  }

  answer(task: 'session' | 'upload-targets' | 'images' | 'finish', body: unknown): Answer {
    if (this.isUnknown) return answerError(404, 'not_found');
    if (task === 'session') return { status: 200, body: this.read() };
    if (this.session.state === 'ended') return answerError(409, 'capture_ended');
    if (task === 'finish') {
      this.session = { ...this.session, finished_at: '2026-11-25T10:00:00.000Z' };
      return { status: 200, body: this.read() };
    }
    return task === 'images' ? this.register(CaptureImages.parse(body)) : this.issue(body as UploadTargetsRequest);
  }

  /** The object store: an address that has expired is refused, as S3 does it. */
  store(path: string, bytes: Buffer, headers: IncomingHttpHeaders): Answer {
    const asset = this.assets.get(path.slice(1));
    if (!asset || asset.isExpired) return answerError(403, 'AccessDenied');
    if (headers['cache-control'] !== 'max-age=60') return { status: 200, body: undefined };
    asset.bytes = bytes;
    asset.sha256 = createHash('sha256').update(bytes).digest('hex');
    this.puts.push(path.slice(1));
    return { status: 200, body: undefined };
  }

  /** Another device registers a photograph. */
  registerFromElsewhere(id: SlotId): void {
    const state = this.slots.get(id)!;
    state.assetId = randomUUID();
    state.attempts++;
    state.readsLeft = this.readsUntilResult;
    state.result = undefined;
  }

  expireTargets = (): void => this.assets.forEach((asset) => (asset.isExpired = true));

  imageOf(id: SlotId): Buffer | undefined {
    const assetId = this.slots.get(id)?.assetId;
    return assetId === undefined ? undefined : this.assets.get(assetId)?.bytes;
  }

  private read(): CaptureSession {
    const slots = [...this.slots].map(([id, state]) => {
      if (state.assetId !== undefined && state.result === undefined && state.readsLeft-- <= 0)
        state.result = this.resultOf(id, state.attempts);
      const { result } = state;
      return {
        slot_id: id,
        slot: state.slot,
        asset_id: state.assetId ?? null,
        status: state.assetId === undefined ? ('empty' as const) : (result?.status ?? ('pending' as const)),
        error_code: result?.status === 'failed' ? (result.code ?? 'analysis_failed') : null,
        recognized: result?.status === 'success' ? (result.recognized ?? true) : null,
        retake: [...(result?.retake ?? [])],
      };
    });
    // The page is tested against the contract, so what it gets must keep it.
    return CaptureSession.parse({ ...this.session, slots: this.session.slots.length > 0 ? this.session.slots : slots });
  }

  private issue({ slots }: UploadTargetsRequest): Answer {
    const upload_targets = slots.map(({ module_type, slot }) => {
      const asset_id = randomUUID();
      this.assets.set(asset_id, { slotId: slotId(slot), isExpired: false });
      return {
        ...{ asset_id, module_type, slot, upload_url: `${this.objectsOrigin}/${asset_id}` },
        required_headers: { 'Cache-Control': 'max-age=60' },
        // The phone's clock may be decades off; nothing may depend on this.
        expires_at: '1999-01-01T00:00:00.000Z',
      };
    });
    return { status: 201, body: { report_id: this.session.report_id, upload_targets } };
  }

  private register({ images }: CaptureImages): Answer {
    const [image] = images;
    const id = slotId(image!.slot);
    const state = this.slots.get(id)!;
    const accepted = (status: 'accepted' | 'unchanged'): Answer => ({
      status: 202,
      body: {
        report_id: this.session.report_id,
        analysis_status: 'processing',
        images: [{ slot_id: id, asset_id: image!.asset_id, status }],
      },
    });
    if (state.assetId === image!.asset_id) return accepted('unchanged');
    if (image!.replaces_asset_id !== (state.assetId ?? null)) return answerError(409, 'slot_already_succeeded', 'images[0].slot');
    if (this.assets.get(image!.asset_id)?.sha256 === undefined) return answerError(422, 'validation_error', 'asset_id');
    this.applied.push({ slotId: id, assetId: image!.asset_id, replaced: state.assetId !== undefined });
    Object.assign(state, { assetId: image!.asset_id, readsLeft: this.readsUntilResult, result: undefined });
    state.attempts++;
    return accepted('accepted');
  }
}
