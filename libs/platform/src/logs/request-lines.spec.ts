import { createRootLogger } from './logger';
import { RequestLines } from './request-lines';

const SECOND_MS = 1_000;
const good = { method: 'GET', route: '/api/v1/reports/:report_id', status: 200, durationMs: 1.4 };

function linesAt(level: string) {
  const written: Record<string, unknown>[] = [];
  const clock = { ms: SECOND_MS };
  const log = createRootLogger({ write: (line) => void written.push(JSON.parse(line) as Record<string, unknown>) }, level);
  return { written, clock, lines: new RequestLines(log, () => clock.ms) };
}

describe('the line of a request', () => {
  it('has its method, route, status and time', () => {
    const { written, lines } = linesAt('info');
    lines.write(good);
    expect(written).toEqual([expect.objectContaining({ level: 'info', method: 'GET', route: good.route, status: 200, duration_ms: 1 })]);
  });

  it.each([
    ['info', []],
    ['debug', [499]],
  ])('of a client that hung up is written at debug: at %s %p', (level, statuses) => {
    const { written, lines } = linesAt(level);
    lines.write({ ...good, status: 499 });
    expect(written.map(({ status }) => status)).toEqual(statuses);
  });

  it('is left out under a flood, and the next one tells how many were', () => {
    const { written, clock, lines } = linesAt('info');
    for (let index = 0; index < 150; index += 1) lines.write(good);
    expect(written).toHaveLength(100);
    clock.ms += SECOND_MS;
    lines.write(good);
    lines.write(good);
    expect(written.slice(100).map((line) => line['left_out'])).toEqual([50, undefined]);
  });

  it('of a failure is written although a flood of others is left out', () => {
    const { written, lines } = linesAt('info');
    for (let index = 0; index < 101; index += 1) lines.write(good);
    lines.write({ ...good, status: 503 });
    expect(written.at(-1)).toMatchObject({ status: 503, left_out: 1 });
    for (let index = 0; index < 150; index += 1) lines.write({ ...good, status: 500 });
    expect(written).toHaveLength(200);
  });
});
