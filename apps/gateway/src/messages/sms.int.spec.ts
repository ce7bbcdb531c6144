import { newId } from '@tire/kernel';
import { Database } from '@tire/platform';
import { becomes, startSmsProvider, testClock, type TestClock } from '@tire/test-harness';
import { startGateway } from '../testing/gateway';
import { MessageSender } from './message.sender';
import { Messages } from './messages';

const HOUR_MS = 3_600_000;
type Gateway = Awaited<ReturnType<typeof startGateway>>;

describe('a text message', () => {
  let provider: Awaited<ReturnType<typeof startSmsProvider>>;
  let gateway: Gateway;
  let clock: TestClock;
  let numbers = 0;

  beforeAll(async () => {
    provider = await startSmsProvider();
    clock = testClock(new Date());
    gateway = await startGateway({ clock, environment: provider.environment });
  });
  afterAll(async () => {
    await gateway?.stop();
    await provider?.stop();
  });
  afterEach(() => Object.assign(provider.faults, { answer: null, cuts: 0 }));

  const newNumber = () => `+8210${String(10_000_000 + (numbers += 1))}`;
  const add = (to: string, { of = gateway, text = '점검 결과' } = {}) =>
    of.database.asSystem((tx) =>
      of.part(Messages).add(tx, {
        ...{ owner: newId(), kind: 'report', channel: 'sms', to, subject: '', text },
        expiresAt: new Date(clock.now().getTime() + 24 * HOUR_MS),
      }),
    );
  const rowOf = (id: string, of = gateway) =>
    of.part(Database).systemQuery<Record<string, unknown>>(
      `SELECT state, failure, attempts, unknown_outcomes AS unknown, under_way AS "underWay", reference, content, receiver
           FROM messages WHERE message_id = $1`,
      [id],
    );
  const reaches = (id: string, row: object, of = gateway) => becomes(() => rowOf(id, of), [expect.objectContaining(row)]);
  const later = (of = gateway) => {
    clock.advanceMs(HOUR_MS);
    of.part(MessageSender).nudge();
  };

  it('goes to the provider in its own form, and the log keeps the id of the answer and nothing personal', async () => {
    const to = newNumber();
    const id = await add(to, { text: 'a", "to": "+821099999999\r\nX: y' });
    const [request] = await provider.messagesTo(to);
    expect(request).toMatchObject({
      method: 'POST',
      headers: { authorization: 'Bearer s3cret', 'idempotency-key': id, 'content-type': 'application/json' },
      body: { national: `0${to.slice(3)}`, from: '021234567', text: 'a", "to": "+821099999999\r\nX: y', kind: 'SMS' },
    });
    const reference = `r-${provider.received.indexOf(request!) + 1}`;
    await reaches(id, { state: 'sent', attempts: 1, reference, content: null, receiver: null });
  });

  it.each([
    ['in its answer', { status: 200, body: '{"header":{"isSuccessful":false}}' }],
    ['by its status', { status: 422 }],
  ])('is given up when the provider refuses it %s', async (_, answer) => {
    provider.faults.answer = answer;
    const to = newNumber();
    await reaches(await add(to), { state: 'failed', failure: 'refused', attempts: 1 });
    expect(provider.to(to)).toHaveLength(1);
  });

  it('is repeated twice, and not more, while the provider takes none', async () => {
    provider.faults.answer = { status: 503 };
    const to = newNumber();
    const id = await add(to);
    for (const attempts of [1, 2]) {
      await reaches(id, { state: 'queued', underWay: false, attempts });
      later();
    }
    await reaches(id, { state: 'failed', failure: 'unavailable', attempts: 3 });
    expect(provider.to(to)).toHaveLength(3);
  });

  it.each([
    ['the connection ends', { cuts: 1 }],
    ['the provider breaks', { answer: { status: 502 } }],
    ['the answer says nothing', { answer: { status: 200, body: '{}' } }],
  ])('is not sent again when %s before the answer', async (_, faults) => {
    Object.assign(provider.faults, faults);
    const to = newNumber();
    await reaches(await add(to), { state: 'failed', failure: 'interrupted', attempts: 1 });
    expect(provider.to(to)).toHaveLength(1);
  });

  it('is not sent again when the process died with it', async () => {
    const to = newNumber();
    const id = await gateway.database.asSystem(async (tx) => {
      const { owner, expiresAt } = { owner: newId(), expiresAt: new Date(clock.now().getTime() + HOUR_MS) };
      const message = { owner, kind: 'report', channel: 'sms', to, subject: '', text: 't', expiresAt } as const;
      const added = await gateway.part(Messages).add(tx, message);
      await tx.execute('UPDATE messages SET under_way = true, attempts = 1 WHERE message_id = $1', [added]);
      return added;
    });
    await reaches(id, { state: 'failed', failure: 'interrupted' });
    expect(provider.to(to)).toEqual([]);
  });

  it('is sent again after a lost answer where the provider recognizes it', async () => {
    const other = await startGateway({ clock, environment: { ...provider.environment, SMS_IDEMPOTENT: 'true' } });
    try {
      provider.faults.cuts = 1;
      const to = newNumber();
      const id = await add(to, { of: other });
      await reaches(id, { state: 'queued', unknown: 1, underWay: false }, other);
      later(other);
      await reaches(id, { state: 'sent', attempts: 2 }, other);
      expect(provider.to(to).map(({ headers }) => headers['idempotency-key'])).toEqual([id, id]);
    } finally {
      await other.stop();
    }
  });

  it('waits while nothing listens at the address, and follows no redirect', async () => {
    const away = await startSmsProvider();
    const other = await startGateway({ clock, environment: away.environment });
    try {
      away.faults.answer = { status: 307, location: `${provider.origin}/messages` };
      const redirected = newNumber();
      await reaches(await add(redirected, { of: other }), { state: 'queued', unknown: 0, attempts: 1, underWay: false }, other);
      expect(provider.to(redirected)).toEqual([]);
      await away.stop();
      await reaches(await add(newNumber(), { of: other }), { state: 'queued', unknown: 0, attempts: 1, underWay: false }, other);
    } finally {
      await other.stop();
    }
  });

  it('goes to no address that is not public', async () => {
    const { OUTBOUND_ALLOWED_ORIGINS: _, ...environment } = provider.environment;
    const other = await startGateway({ clock, environment });
    try {
      const to = newNumber();
      await reaches(await add(to, { of: other }), { state: 'queued', unknown: 0, attempts: 1, underWay: false }, other);
      expect(provider.to(to)).toEqual([]);
    } finally {
      await other.stop();
    }
  });
});
