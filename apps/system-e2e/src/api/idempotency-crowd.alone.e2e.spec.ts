import { randomUUID } from 'node:crypto';
import { takenOn } from './taken-on';
import { connectionLost } from '../processes/killing';
import { sidewall } from '../reports/reports';
import { apiOf, systemReady } from '../world';

const api = apiOf('test');
const withKey = (key: string) => ({ 'idempotency-key': key });

beforeAll(systemReady);

describe('a thousand concurrent identical requests with one Idempotency-Key', () => {
  it.each([
    ['Pre-Signed', { template: 'tire_4t_0s' }, 201],
    ['by address', { images: [{ ...sidewall('rear_left'), source: { url: 'https://192.0.43.8:8443/a.jpg' } }] }, 202],
  ] as [string, object, number][])('create one report: %s', async (_, body, created) => {
    const key = withKey(randomUUID());
    const answers = await Promise.all(Array.from({ length: 1_000 }, () => takenOn(() => api.create(body, key).catch(connectionLost))));
    const stored = answers.filter(({ status }) => status === created);
    expect(stored.length).toBeGreaterThan(0);
    expect(new Set(stored.map(({ text }) => text)).size).toBe(1);
    const refused = answers.filter(({ status }) => status !== created);
    expect(refused.filter(({ error }) => error.code !== 'idempotency_in_progress').map(({ text }) => text)).toEqual([]);
    expect((await api.create(body, key)).text).toBe(stored[0]!.text);
  });
});
