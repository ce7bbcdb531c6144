import { newId } from '@tire/kernel';
import type { ReportCommand } from './decide';
import { isRefusal } from './refusal';
import { created, fetched, finished, NOW, opened, TREADS } from './report.fixture';
import { stepsOf, type Step } from './steps';
import type { ReportState } from './report';

const stepsIn = (state: ReportState, commands: readonly ReportCommand[]): Step[] =>
  stepsOf(state, commands, NOW).map((step) => {
    if (isRefusal(step)) throw new Error(`refused: ${step.refused}`);
    return step;
  });

const measuring = (): ReportState => TREADS.reduce((state, id) => fetched(state, id), created('tire_4t_0s', TREADS));

const resultsIn = (state: ReportState): ReportCommand[] =>
  opened(state).slots.map(({ slotId, state: slot }): ReportCommand => {
    if (slot.phase !== 'analyzing') throw new Error(`${slotId} is ${slot.phase}`);
    return { type: 'recordAnalysis', analysis: finished(slotId, slot.analysisId), revisionId: newId() };
  });

const eventsOf = (steps: readonly Step[]) => steps.map(({ events }) => events.map(({ type }) => type));

describe('several commands of one report', () => {
  it('are each decided on what the one before left', () => {
    const state = measuring();
    const steps = stepsIn(state, resultsIn(state));
    expect(eventsOf(steps)).toEqual([['slotEnded'], ['slotEnded'], ['slotEnded'], ['slotEnded', 'analysisEnded']]);
    expect(steps[0]!.before).toBe(state);
    steps.slice(1).forEach((step, index) => expect(step.before).toBe(steps[index]!.after));
  });

  it('change nothing twice', () => {
    const state = measuring();
    const [first, ...rest] = resultsIn(state);
    const steps = stepsIn(state, [first!, first!, ...rest, ...rest]);
    expect(eventsOf(steps).flat()).toEqual(['slotEnded', 'slotEnded', 'slotEnded', 'slotEnded', 'analysisEnded']);
    expect(eventsOf(steps)[1]).toEqual([]);
  });

  it('go on after one that is refused', () => {
    const state = measuring();
    const [first, second] = resultsIn(state);
    const steps = stepsOf(state, [first!, { type: 'create' } as ReportCommand, second!], NOW);
    expect(steps.map(isRefusal)).toEqual([false, true, false]);
    expect((steps[2] as Step).before).toBe((steps[0] as Step).after);
    expect((steps[2] as Step).events.map(({ type }) => type)).toEqual(['slotEnded']);
  });

  it('end the analysis once, and no fact changes a slot after it', () => {
    const state = measuring();
    const results = resultsIn(state);
    const again = opened(state).slots.flatMap(({ slotId, state: slot }): ReportCommand[] =>
      slot.phase === 'analyzing'
        ? [{ type: 'recordFetch', slotId, assetId: slot.asset.assetId, errorCode: null, analysisId: slot.analysisId, revisionId: newId() }]
        : [],
    );
    const steps = stepsIn(state, [...results, ...again, ...results]);
    expect(again).toHaveLength(results.length);
    expect(
      eventsOf(steps)
        .flat()
        .filter((type) => type === 'analysisEnded'),
    ).toHaveLength(1);
    expect(eventsOf(steps.slice(results.length)).flat()).toEqual([]);
  });
});
