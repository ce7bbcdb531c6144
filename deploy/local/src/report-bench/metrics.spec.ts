import { meanMs, seriesOf, stageTimesOf } from './metrics';

const TEXT = `# TYPE tire_inference_stage_seconds histogram
tire_inference_stage_seconds_count{kind="tire.tread",tire_stage="decode"} 4
tire_inference_stage_seconds_sum{kind="tire.tread",tire_stage="decode"} 0.2
tire_inference_stage_seconds_bucket{kind="tire.tread",tire_stage="decode",le="0.1"} 4
tire_grpc_server_seconds_count{rpc_method="tire.ledger.v1.LedgerService/CreateReport",rpc_grpc_status_code="0"} 3
`;

it('the series of one name', () => {
  expect(seriesOf(TEXT, 'tire_grpc_server_seconds_count')).toEqual([
    { labels: { rpc_method: 'tire.ledger.v1.LedgerService/CreateReport', rpc_grpc_status_code: '0' }, value: 3 },
  ]);
  expect(seriesOf(TEXT, 'tire_grpc_server_seconds')).toEqual([]);
});

it('the mean between two readings, also of a stage that is new or did not run', () => {
  const after = { 'tire.tread decode': { seconds: 0.5, count: 10 }, 'tire.tread post': { seconds: 0.1, count: 2 } };
  expect(meanMs(stageTimesOf(TEXT), after)['tire.tread decode']).toBeCloseTo(50);
  expect(meanMs({}, after)['tire.tread post']).toBeCloseTo(50);
  expect(meanMs(after, after)).toEqual({ 'tire.tread decode': 0, 'tire.tread post': 0 });
});
