import { EVENTS, type AnalysisFinished } from '@tire/contracts/events';
import { newId } from '@tire/kernel';
import { eventually } from '@tire/test-harness';
import { createHash } from 'node:crypto';
import { startAssetsPeer } from './assets.fixture';
import { startWorld } from './world';

export interface Named {
  readonly projectId: string;
  readonly reportId: string;
}

const MODELS: Readonly<Record<string, string>> = { tread: 'tread 3.0.0', sidewall: 'sidewall 1.6.0' };

/** Each slot shows an image of its own. */
const hashOf = (slotId: string): string => createHash('sha256').update(slotId).digest('hex').slice(0, 16);

/** A ledger that registers uploads, in which a test measures images as it likes. */
export async function startMeasuring(options: Omit<Parameters<typeof startWorld>[0], 'assetsUrl'> = {}) {
  const assets = await startAssetsPeer();
  const world = await startWorld({ ...options, assetsUrl: assets.address }).catch(async (error: unknown) => {
    await assets.close();
    throw error;
  });

  const slotOf = async ({ reportId }: Named, slotId: string) => {
    const [row] = await world.asOwner('SELECT analysis_id, phase FROM slots WHERE report_id = $1 AND slot_id = $2', [reportId, slotId]);
    return row as { analysis_id: string; phase: string };
  };

  /** Ends the analysis that runs for the slot. */
  async function finish(report: Named, slotId: string, outcome: AnalysisFinished['outcome'], imageHash = hashOf(slotId)): Promise<void> {
    const { analysis_id: analysisId } = await slotOf(report, slotId);
    await world.publish(EVENTS.analysisFinished, {
      ...report,
      slotId,
      analysisId,
      completedAt: new Date().toISOString(),
      model: MODELS[outcome?.$case ?? ''] ?? 'tread 3.0.0',
      outcome,
      retakeReasons: [],
      imageHash,
    });
    await eventually(async () => (await slotOf(report, slotId)).phase === 'succeeded');
  }

  /** Uploads an image to a slot, and measures it. */
  async function measure(report: Named, slotId: string, outcome: AnalysisFinished['outcome'], imageHash?: string): Promise<void> {
    await world.ledger.registerImages({ ...report, images: [{ slotId, assetId: newId() }], replace: true });
    await finish(report, slotId, outcome, imageHash);
  }

  return {
    world,
    slotOf,
    finish,
    measure,
    stop: async () => {
      await world.stop();
      await assets.close();
    },
  };
}

export type Measuring = Awaited<ReturnType<typeof startMeasuring>>;
