import { newId } from '@tire/kernel';
import type { Report, ReportEvent } from '../domain/report';
import { completionMs } from './completion.metrics';

const REQUESTED_MS = Date.parse('2026-11-27T10:00:00.000Z');
const slot = (phase: string, requestedMs: number) => ({ slotId: phase, state: { phase, analysis: { analysisId: newId(requestedMs) } } });
const reportOf = (...slots: object[]) => ({ slots }) as unknown as Report;
const ended = (afterMs: number) =>
  ({ type: 'analysisEnded', revision: { completedAt: new Date(REQUESTED_MS + afterMs).toISOString() } }) as unknown as ReportEvent;
const event = (type: string) => ({ type }) as unknown as ReportEvent;

it.each([
  ['from the request of the only analysis', [slot('succeeded', REQUESTED_MS)], [event('slotEnded'), ended(4_000)], 4_000],
  [
    'from the latest request',
    [slot('succeeded', REQUESTED_MS - 60_000), slot('failed', REQUESTED_MS)],
    [event('slotEnded'), ended(2_500)],
    2_500,
  ],
  ['not of empty slots', [slot('empty', REQUESTED_MS + 900), slot('failed', REQUESTED_MS)], [event('slotEnded'), ended(1_000)], 1_000],
  ['never below zero, whatever the clocks', [slot('succeeded', REQUESTED_MS)], [event('slotEnded'), ended(-5)], 0],
  ['not while other slots go on', [slot('succeeded', REQUESTED_MS), slot('analyzing', REQUESTED_MS)], [event('slotEnded')], null],
  ['not where a person confirmed a value', [slot('succeeded', REQUESTED_MS)], [event('sizeConfirmed'), ended(9_000)], null],
  ['not of a report that was created with its values', [slot('succeeded', REQUESTED_MS)], [event('reportCreated'), ended(0)], null],
])('the time to complete a report counts %s', (_, slots, events, expected) => {
  expect(completionMs(reportOf(...slots), events)).toBe(expected);
});
