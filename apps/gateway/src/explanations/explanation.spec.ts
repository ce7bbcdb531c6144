import type { ledgerApi, shareApi } from '@tire/contracts/grpc';
import { waitsOf } from './explanation';

type Progress = ledgerApi.GetReportProgressResponse;

const AT = '2026-01-02T03:04:05.000Z';
const LATER = '2026-01-02T03:04:06.000Z';
const finished: Progress = {
  projectId: 'p',
  projectMode: 'live',
  lifecycle: 'open',
  createdAt: AT,
  analysisStatus: 'complete',
  publicationStatus: 'published',
  analysisRevision: 'r1',
  owed: [],
  requestedAt: undefined,
  reminders: 0,
  slots: [],
};
const slot = (given: Partial<ledgerApi.SlotProgress>): ledgerApi.SlotProgress => ({
  slotId: 'tire.tread.front_left',
  phase: 'analyzing',
  workKind: 'tire.tread',
  queuedAt: AT,
  putBack: 0,
  waitingOfProject: 3,
  waitingOfAll: 40,
  ...given,
});
const working = (given: Partial<ledgerApi.SlotProgress>): Progress => ({
  ...finished,
  analysisStatus: 'processing',
  analysisRevision: undefined,
  slots: [slot(given)],
});
const callback = (given: Partial<shareApi.Callback>): shareApi.Callback => ({
  callbackId: 'c1',
  type: 'report.completed',
  url: 'https://partner.example',
  state: 'pending',
  queuedAt: AT,
  attemptCount: 2,
  ...given,
});

it.each<[name: string, progress: Progress, callbacks: shareApi.Callback[], waits: string[]]>([
  ['a finished report', finished, [callback({ state: 'delivered' })], []],
  [
    'an image that waits for a worker',
    working({}),
    [],
    [
      `inference ${AT} tire.tread.front_left: waits until inference requests work; 3 of the project and 40 of all projects wait for tire.tread`,
    ],
  ],
  [
    'an image that a worker has, after two that gave no answer',
    working({ handedOutAt: LATER, putBack: 2 }),
    [],
    [`inference ${LATER} tire.tread.front_left: inference measures the image; it was put back 2 times without an answer`],
  ],
  [
    'an image that is fetched',
    working({ phase: 'fetching', workKind: 'fetch', handedOutAt: LATER }),
    [],
    [`assets ${LATER} tire.tread.front_left: assets fetches the image`],
  ],
  [
    'a sandbox photograph that is due later',
    working({ workKind: 'sandbox' }),
    [],
    [`ledger ${AT} tire.tread.front_left: the result of a sandbox photograph is due`],
  ],
  [
    'a report without its images',
    { ...finished, analysisStatus: 'awaiting_images', analysisRevision: undefined },
    [],
    [`partner ${AT} images that the template needs`],
  ],
  [
    'content that was requested twice',
    { ...finished, owed: ['content of the revision'], requestedAt: LATER, reminders: 1 },
    [],
    [`content ${LATER} content of the revision r1; requested again once`],
  ],
  [
    'a publication of a second revision',
    { ...finished, owed: ['publication of the revision'], requestedAt: LATER },
    [],
    [`share ${LATER} publication of the revision r1`],
  ],
  [
    'a capture that has finished, with images missing',
    { ...finished, analysisStatus: 'awaiting_images', owed: ['callback of the capture'], requestedAt: LATER },
    [],
    [`partner ${AT} images that the template needs`, `share ${LATER} callback of the capture`],
  ],
  [
    'a removal',
    { ...finished, lifecycle: 'discarded', owed: ['removal'], requestedAt: LATER, reminders: 2 },
    [],
    [`ledger ${LATER} removal; requested again 2 times`],
  ],
  ['a removed report', { ...finished, lifecycle: 'cleared' }, [], []],
  [
    'callbacks, one between two attempts and one in its first',
    finished,
    [callback({ httpStatus: 503, nextAttemptAt: LATER }), callback({ callbackId: 'c2', attemptCount: 0 })],
    [
      `share ${AT} callback report.completed c1: 2 attempts, HTTP 503; the next attempt is at ${LATER}`,
      `share ${AT} callback report.completed c2: 0 attempts, no answer yet; an attempt runs`,
    ],
  ],
])('tells what %s waits for', (_, progress, callbacks, waits) => {
  expect(waitsOf(progress, callbacks).map(({ on, since, what }) => `${on} ${since} ${what}`)).toEqual(waits);
});
