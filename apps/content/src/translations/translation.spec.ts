import { newId } from '@tire/kernel';
import { even, snapshotOf } from '../domain/fixtures/snapshot.fixture';
import { TranslationService } from './translation.service';

const MINUTE_MS = 60_000;

describe('a translation that is kept', () => {
  afterEach(() => {
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  it('is generated again after ten minutes, also where it was read in between', async () => {
    // The cache holds the clock that was there when it was loaded.
    jest.useFakeTimers({ doNotFake: ['performance'] });
    jest.spyOn(performance, 'now').mockImplementation(() => Date.now());
    const snapshot = snapshotOf({ depths: [even(6), even(6), even(6), even(6)], rulesetVersion: '2.0' });
    const [projectId, contentRevision] = [newId(), newId()];
    const issued = { projectId, contentRevision, analysisRevision: snapshot.analysis_revision, generator: snapshot.generator };
    const getAnalysisRevision = jest.fn(() => Promise.resolve({ snapshotJson: Buffer.from(JSON.stringify(snapshot)) }));
    const database = { withProject: () => Promise.resolve(issued) };
    const service = new TranslationService(database as never, { getAnalysisRevision } as never, 'https://api.example.com');
    const translate = () => service.translate({ projectId, reportId: snapshot.report_id, contentRevision, locale: 'en-US' });

    await translate();
    jest.advanceTimersByTime(6 * MINUTE_MS);
    await translate();
    expect(getAnalysisRevision).toHaveBeenCalledTimes(1);
    jest.advanceTimersByTime(6 * MINUTE_MS);
    await translate();
    expect(getAnalysisRevision).toHaveBeenCalledTimes(2);
  });
});
