import { type CpuProfile, fileOf, functionOf, groupOf, type Stack, stacksOf } from './profile';
import { attributed, sampledStages, stacksIn, stageOf, summed, withoutRest } from './stages';

const stack = (ms: number, ...files: string[]): Stack => ({ ms, frames: files.map((file) => ({ name: 'f', file })) });

it.each([
  ['file:///app/dist/apps/ledger/src/reports/report.store.js', 'apps/ledger/src/reports/report.store.js'],
  ['/app/dist/libs/eventing/src/relay.js', 'libs/eventing/src/relay.js'],
  ['file:///app/node_modules/pg/lib/client.js', 'node_modules/pg/lib/client.js'],
  ['file:///app/node_modules/nats/dist/lib/a.js', 'node_modules/nats/dist/lib/a.js'],
  ['file:///app/node_modules/a/node_modules/b/c.js', 'node_modules/b/c.js'],
  ['node:internal/timers', 'node:internal/timers'],
  ['', ''],
])('the file of %s', (url, file) => {
  expect(fileOf(url)).toBe(file);
});

describe('the stacks of a profile', () => {
  const node = (id: number, functionName: string, url: string, children: number[] = []) => ({
    id,
    callFrame: { functionName, url },
    children,
  });
  const profile: CpuProfile = {
    nodes: [
      node(1, '(root)', '', [2, 3, 5]),
      node(2, '(idle)', ''),
      node(3, 'save', 'file:///a/dist/apps/ledger/src/x.js', [4]),
      node(4, '', 'file:///a/node_modules/pg/lib/client.js'),
      node(5, '(garbage collector)', ''),
    ],
    samples: [2, 4, 4, 3, 5, 4],
    timeDeltas: [7_000, 1_000, 1_000, 2_000, 4_000, 8_000],
  };

  it('hold each sample until the next one, and leave out waiting', () => {
    const found = stacksOf(profile).map(({ frames, ms }) => [frames.map(({ name, file }) => `${name} ${file}`).join(' > '), ms]);
    expect(found).toEqual([
      ['save apps/ledger/src/x.js > (anonymous) node_modules/pg/lib/client.js', 3],
      ['save apps/ledger/src/x.js', 4],
      ['(garbage collector) ', 8],
    ]);
  });

  it('belong to a package, to Node or to our folders', () => {
    expect(stacksOf(profile).map(groupOf)).toEqual(['pg', 'apps/ledger', 'garbage collection']);
    expect(groupOf(stack(1, 'node_modules/@grpc/grpc-js/build/a.js'))).toBe('@grpc/grpc-js');
    expect(groupOf(stack(1, 'apps/x/y.js', 'node:internal/net'))).toBe('Node');
    expect(groupOf(stack(1, '/checkout/deploy/local/src/report-bench/agent.cjs'))).toBe('this bench');
    expect(functionOf(stack(1, 'apps/inference/src/domain/sidewall/ring/ring.js'))).toBe('f of ring');
    expect(functionOf(stack(1, 'node_modules/pg/lib/client.js'))).toBe('pg');
  });
});

it.each([
  [
    'the nearest frame decides',
    ['libs/eventing/src/consumers.js', 'apps/ledger/src/analysis/a.js', 'node_modules/pg/lib/client.js'],
    'ledger',
  ],
  ['a relay that reads its table', ['libs/eventing/src/relay.js', 'node_modules/typeorm/a.js'], 'outbox and relay'],
  ['callbacks are not the page', ['apps/share/src/callbacks/callback.sender.js'], 'callback'],
  ['the page', ['apps/share/src/page/page.service.js'], 'share page'],
  ['images of the page', ['apps/assets/src/display/derivatives.js'], 'display images'],
  ['a network inside a model', ['apps/inference/src/models/tread-model.js', 'node_modules/onnxruntime-node/dist/backend.js'], 'model'],
  ['the code around it', ['apps/inference/src/models/tread-model.js', 'apps/inference/src/domain/tread/x.js'], 'pre- and post-processing'],
  ['a library alone', ['node:internal/streams', 'node_modules/pg/lib/client.js'], undefined],
])('%s', (_, files, stage) => {
  expect(stageOf(stack(1, ...files))).toBe(stage);
});

it('samples without a stage belong to that of their process; garbage collection is shared', () => {
  const stacks = [stack(2, 'apps/ledger/src/a.js'), stack(1, 'node_modules/pg/a.js'), stack(3, 'libs/eventing/src/relay.js'), stack(9, '')];
  expect(sampledStages('ledger', stacks)).toEqual({ ledger: 3, 'outbox and relay': 3 });
  expect(stacksIn('ledger', 'ledger', stacks).map(({ ms }) => ms)).toEqual([2, 1, 9]);
});

it('the same file is the model in its process, and the worker in the process that hands pixels to it', () => {
  const stacks = [stack(2, 'apps/inference/src/imaging/decode.js')];
  expect(sampledStages('inference', stacks)).toEqual({ 'inference worker': 2 });
  expect(sampledStages('inference: tire.tread', stacks)).toEqual({ 'pre- and post-processing': 2 });
});

it('the work at rest is taken off, and never more than there is', () => {
  const sampled = { ledger: 10, 'outbox and relay': 4 };
  expect(withoutRest(sampled, { ledger: 2, 'outbox and relay': 3 }, 5, 10)).toMatchObject({ ledger: 6, 'outbox and relay': 0 });
});

describe('the measured CPU is divided', () => {
  it('as the samples of a service are', () => {
    const sampled = { stages: { ledger: 30, 'outbox and relay': 10 }, mainShare: 0.5 };
    expect(attributed('ledger', 100, sampled)).toMatchObject({ ledger: 75, 'outbox and relay': 25 });
  });

  it('of a model: its other threads compute the model', () => {
    const sampled = { stages: { model: 30, 'pre- and post-processing': 10 }, mainShare: 0.5 };
    expect(attributed('inference: tire.tread', 100, sampled)).toMatchObject({ model: 87.5, 'pre- and post-processing': 12.5 });
  });

  it('of a model that answers at once: its other threads compute no model', () => {
    const sampled = { stages: { 'inference worker': 30, 'pre- and post-processing': 10 }, mainShare: 0.5 };
    expect(attributed('inference: tire.tread', 100, sampled)).toMatchObject({ model: 0, 'inference worker': 75 });
  });

  it('and stays whole without samples', () => {
    expect(attributed('postgres', 40, { stages: {}, mainShare: 1 })).toEqual({ Postgres: 40 });
    expect(attributed('inference: tire.sidewall', 40, { stages: {}, mainShare: 1 })).toEqual({ model: 40 });
    const all = summed([attributed('postgres', 40, { stages: {}, mainShare: 1 }), { Postgres: 2, NATS: 1 }]);
    expect(all).toMatchObject({ Postgres: 42, NATS: 1, edge: 0 });
  });
});
