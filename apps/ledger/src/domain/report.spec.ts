import { newId, type SlotId } from '@tire/kernel';
import { Report as ReportDocument } from '@tire/contracts/api';
import fc from 'fast-check';
import { decide, type ReportCommand } from './decide';
import { owedFacts } from './handover';
import { isRefusal } from './refusal';
import { evolve, type Report, type ReportState } from './report';
import { FAILED, NOW, SIDEWALLS, TREADS, attemptIds, created, finished, opened, served, storeAnalyses } from './report.fixture';
import { isPending } from './slot';
import { analysisStatus, isEnded } from './status';

const slots = [...TREADS.slice(0, 2), ...SIDEWALLS.slice(0, 2)];

/** A step may be about the slot's present attempt or about none that exists. */
interface Step {
  readonly kind: 'register' | 'analyze' | 'fetch' | 'analysis' | 'content' | 'publication';
  readonly slotId: SlotId;
  readonly good: boolean;
  readonly stale: boolean;
}

const steps = fc.array(
  fc.record<Step>({
    kind: fc.constantFrom('register', 'analyze', 'fetch', 'analysis', 'content', 'publication'),
    slotId: fc.constantFrom(...slots),
    good: fc.boolean(),
    stale: fc.boolean(),
  }),
  { maxLength: 60 },
);

function commandOf({ kind, slotId, good, stale }: Step, report: Report): ReportCommand {
  const state = report.slots.find((slot) => slot.slotId === slotId)!.state;
  const assetId = state.phase === 'empty' || stale ? newId() : state.asset!.assetId;
  const analysisId = (state.phase === 'analyzing' || state.phase === 'fetching') && !stale ? state.analysisId : newId();
  const revisionId = newId();
  switch (kind) {
    case 'register':
      return { type: 'registerImages', replace: good, images: [{ slotId, assetId, analysisId: newId() }], revisionId };
    case 'analyze':
      return { type: 'analyze', slotIds: good ? [] : [slotId], attemptIds: attemptIds() };
    case 'fetch':
      return { type: 'recordFetch', slotId, assetId, errorCode: good ? null : 'image_too_large', analysisId, revisionId };
    case 'analysis': {
      return { type: 'recordAnalysis', analysis: finished(slotId, analysisId, good ? undefined : FAILED), revisionId };
    }
    case 'content': {
      const analysisRevision = (stale ? undefined : report.revision?.revisionId) ?? newId();
      const outcome = good
        ? { kind: 'ready' as const, contentRevision: newId(), etag: 'W/"1"', verdict: 'good' as const }
        : { kind: 'failed' as const, errorCode: 'content_source_incomplete' };
      return { type: 'recordContent', content: { analysisRevision, outcome } };
    }
    case 'publication': {
      const version = report.publication.version + (stale ? 0 : 1);
      const status = good ? 'published' : 'revoked';
      return {
        type: 'recordPublication',
        publication: { version, status, publishedAt: null, analysisRevision: null, captureFinishedAt: null, link: null },
      };
    }
  }
}

function checkInvariants(before: Report, after: Report): void {
  ReportDocument.parse(served(after));
  const status = analysisStatus(after);
  expect(status === 'processing').toBe(after.slots.some(isPending));
  if (isEnded(status)) expect(after.revision?.status).toBe(status);
  if (after.revision !== before.revision) expect(isEnded(status)).toBe(true);
  if (after.publication !== before.publication) expect(after.publication.version).toBeGreaterThan(before.publication.version);
  if (!isEnded(status)) expect(owedFacts(after)).toEqual([]);
}

describe('a report', () => {
  it('stays valid through any sequence of commands, repeated and out of order', () => {
    fc.assert(
      fc.property(steps, fc.boolean(), (sequence, byUrl) => {
        let state: ReportState = created('tire_4t_2s', byUrl ? slots : []);
        for (const step of sequence) {
          const before = opened(state);
          const command = commandOf(step, before);
          const decision = decide(state, command, NOW);
          if (isRefusal(decision)) continue;
          storeAnalyses(decision);
          state = decision.reduce(evolve, state);
          checkInvariants(before, opened(state));
          const again = decide(state, command, NOW);
          expect(isRefusal(again) ? again.refused : again).toEqual(isRefusal(again) ? 'slot_already_succeeded' : []);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('accepts no event before its creation', () => {
    const publication = {
      version: 1,
      status: 'published' as const,
      publishedAt: null,
      analysisRevision: null,
      captureFinishedAt: null,
      link: null,
    };
    expect(() => evolve({ lifecycle: 'absent' }, { type: 'publicationNoted', publication, at: '' })).toThrow('before reportCreated');
  });
});
