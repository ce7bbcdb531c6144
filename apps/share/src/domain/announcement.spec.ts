import { newId } from '@tire/kernel';
import { announcementsOf } from './announcement';
import type { PublicationEvent } from './publication';

const analysisRevision = newId();
const contentRevision = newId();
const unmet = (analysisStatus: string) => ({ analysisRevision, contentRevision: null, analysisStatus });
const at = new Date();

describe('the notifications of an event', () => {
  it.each<[PublicationEvent, object[]]>([
    [
      { kind: 'published', outcome: { analysisRevision, contentRevision, analysisStatus: 'complete' }, at },
      [
        { type: 'report.completed', analysisRevision },
        { type: 'content.ready', analysisRevision, contentRevision },
      ],
    ],
    [{ kind: 'gateUnmet', outcome: unmet('partial') }, [{ type: 'report.partial', analysisRevision }]],
    [{ kind: 'gateUnmet', outcome: unmet('failed') }, [{ type: 'report.failed', analysisRevision }]],
    [{ kind: 'revoked', outcome: unmet('partial') }, [{ type: 'report.partial', analysisRevision }]],
    // Its content could not be generated: the service repairs that.
    [{ kind: 'gateUnmet', outcome: unmet('complete') }, []],
    [{ kind: 'contentHeld', outcome: unmet('failed') }, []],
    [{ kind: 'linkRevoked', at }, [{ type: 'share.revoked', analysisRevision: null }]],
    [{ kind: 'discarded' }, []],
  ])('%j', (event, announcements) => {
    expect(announcementsOf(event)).toEqual(announcements);
  });
});
