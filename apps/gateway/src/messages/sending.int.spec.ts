import { newId } from '@tire/kernel';
import { createDataSource, Database, type Tx } from '@tire/platform';
import { becomes, createTestDatabase, eventually, startMailServer, tempDir, testCa, testClock, type TestClock } from '@tire/test-harness';
import { createSecretKey } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MIGRATIONS } from '../migrations';
import { startGateway } from '../testing/gateway';
import { MessageSender } from './message.sender';
import { Messages } from './messages';
import { claimMessages, endExpired, insertMessage, type NewMessage } from './messages.store';

const HOUR_MS = 3_600_000;
const LOGIN = { user: 'gateway', password: 'secret of the gateway' };

type MailServer = Awaited<ReturnType<typeof startMailServer>>;
type Gateway = Awaited<ReturnType<typeof startGateway>>;

interface Row {
  readonly state: string;
  readonly failure: string | null;
  readonly attempts: number;
}

const environmentOf = ({ port }: MailServer, caFile: string, settings: Record<string, string> = {}) => ({
  SMTP_HOST: '127.0.0.1',
  SMTP_PORT: port,
  SMTP_FROM: 'Shop <mail@shop.example>',
  SMTP_USER: LOGIN.user,
  SMTP_PASSWORD: LOGIN.password,
  SMTP_CA_FILE: caFile,
  ...settings,
});

describe('sending a message', () => {
  let caFile: string;
  let server: MailServer;
  let gateway: Gateway;
  let clock: TestClock;
  let addresses = 0;

  beforeAll(async () => {
    const { ca, cert, key } = await testCa();
    caFile = join(await tempDir(), 'ca.pem');
    writeFileSync(caFile, ca);
    clock = testClock(new Date());
    server = await startMailServer({ cert, key, login: LOGIN });
    gateway = await startGateway({ clock, environment: environmentOf(server, caFile) });
  });
  afterAll(async () => {
    await gateway?.stop();
    await server?.stop();
  });
  afterEach(() => Object.assign(server.faults, { refusal: null, cuts: 0, silence: null }));

  const newAddress = () => `person-${(addresses += 1)}@shop.example`;
  const database = (of: Gateway) => of.part(Database);
  const draft = (given: Partial<NewMessage> = {}): NewMessage => ({
    ...{ owner: newId(), kind: 'alert', channel: 'email', to: newAddress(), subject: '제목 · Subject', text: '본문 Text\n' },
    expiresAt: new Date(clock.now().getTime() + 24 * HOUR_MS),
    ...given,
  });
  const add = (message: NewMessage, of = gateway) => database(of).asSystem((tx) => of.part(Messages).add(tx, message));
  const rowOf = async (messageId: string, of = gateway): Promise<Row> => {
    const [row] = await database(of).systemQuery<Row>('SELECT state, failure, attempts FROM messages WHERE message_id = $1', [messageId]);
    return row!;
  };
  const reaches = (messageId: string, row: Partial<Row>, of = gateway) => becomes(() => rowOf(messageId, of), expect.objectContaining(row));
  /** Lets every pause end. */
  const later = (ms = HOUR_MS) => {
    clock.advanceMs(ms);
    gateway.part(MessageSender).nudge();
  };

  it('sends it once, over TLS, to one receiver, and keeps neither receiver nor content', async () => {
    const message = draft();
    const id = await add(message);
    const [mail] = await server.mailsTo(message.to);
    expect(mail).toMatchObject({
      from: 'mail@shop.example',
      to: [message.to],
      subject: message.subject,
      text: message.text,
      isSecure: true,
    });
    await reaches(id, { state: 'sent', attempts: 1 });
    const [stored] = await database(gateway).systemQuery('SELECT receiver, content FROM messages WHERE message_id = $1', [id]);
    expect(stored).toEqual({ receiver: null, content: null });
    later();
    await reaches(await add(draft()), { state: 'sent' });
    expect(server.received.filter(({ to }) => to.includes(message.to))).toHaveLength(1);
  });

  it.each([
    'a@shop.example, b@shop.example',
    'a@shop.example\r\nRCPT TO:<b@shop.example>',
    '<b@shop.example>',
    'a@shop.example>,<b@shop.example',
  ])('%j is never more than one receiver', async (to) => {
    const before = server.received.length;
    const id = await add(draft({ to, subject: 'x\r\nBcc: c@shop.example\r\n\r\nbody' }));
    await eventually(async () => (await rowOf(id)).state !== 'queued');
    for (const mail of server.received.slice(before)) {
      expect(mail.to).toHaveLength(1);
      expect(mail.raw).not.toMatch(/^Bcc:/im);
    }
  });

  it.each(['receiver', 'message'] as const)('is given up when the server refuses the %s for good', async (at) => {
    server.faults.refusal = { at, code: 550 };
    const id = await add(draft());
    await reaches(id, { state: 'failed', failure: 'refused', attempts: 1 });
  });

  it.each(['receiver', 'message'] as const)('is repeated when the server refuses the %s for now', async (at) => {
    server.faults.refusal = { at, code: 451 };
    const message = draft();
    const id = await add(message);
    await becomes(
      async () =>
        await database(gateway).systemQuery('SELECT under_way AS "underWay" FROM messages WHERE message_id = $1 AND attempts = 1', [id]),
      [{ underWay: false }],
    );
    server.faults.refusal = null;
    later();
    await reaches(id, { state: 'sent', attempts: 2 });
    await server.mailsTo(message.to);
  });

  it('is sent once more, and not again, when the connection ends in mid-message', async () => {
    server.faults.cuts = 5;
    const id = await add(draft());
    await becomes(
      () => database(gateway).systemQuery('SELECT state, unknown_outcomes AS unknown FROM messages WHERE message_id = $1', [id]),
      [{ state: 'queued', unknown: 1 }],
    );
    later();
    await reaches(id, { state: 'failed', failure: 'interrupted', attempts: 2 });
    expect(server.faults.cuts).toBe(3);
  });

  it('is sent once more, and not again, when the process dies before it writes the outcome', async () => {
    const insertAsDead = async (tx: Tx, message: NewMessage, unknown: number) => {
      const id = await gateway.part(Messages).add(tx, message);
      await tx.execute('UPDATE messages SET under_way = true, attempts = 1, unknown_outcomes = $2 WHERE message_id = $1', [id, unknown]);
      return id;
    };
    const first = draft();
    await database(gateway).asSystem((tx) => insertAsDead(tx, first, 0));
    await server.mailsTo(first.to);
    const again = draft();
    const id = await database(gateway).asSystem((tx) => insertAsDead(tx, again, 1));
    await reaches(id, { state: 'failed', failure: 'interrupted' });
    expect(server.received.some(({ to }) => to.includes(again.to))).toBe(false);
  });

  it('does not wait for a slow message of another', async () => {
    let answer = (): void => undefined;
    server.faults.silence = new Promise((resolve) => (answer = resolve));
    const slow = draft();
    const owner = slow.owner;
    for (let more = 0; more < 12; more += 1) await add(draft({ owner }));
    const id = await add(slow);
    await eventually(async () => (await rowOf(id)).state === 'queued');
    // Those of one owner take half of the places. The first one of another owner has begun beside them.
    const other = draft();
    const otherId = await add(other);
    await eventually(async () => (await rowOf(otherId)).attempts === 1);
    answer();
    await reaches(id, { state: 'sent' });
    await reaches(otherId, { state: 'sent' });
  });

  it('sends nothing to a server without TLS, or with a certificate that is not trusted', async () => {
    const { cert, key } = await testCa();
    for (const options of [{}, { cert, key }]) {
      const untrusted = await startMailServer({ ...options });
      const settings = environmentOf(untrusted, caFile);
      const other = await startGateway({ clock, environment: settings });
      try {
        const id = await add(draft(), other);
        await becomes(
          () => database(other).systemQuery('SELECT state, under_way AS "underWay", attempts FROM messages WHERE message_id = $1', [id]),
          [{ state: 'queued', underWay: false, attempts: 1 }],
        );
        expect(untrusted.received).toEqual([]);
      } finally {
        await other.stop();
        await untrusted.stop();
      }
    }
  });
});

describe('the order of messages', () => {
  const NOW = new Date('2026-11-27T00:00:00Z');
  const KEYS = [{ id: 'k', key: createSecretKey(Buffer.alloc(32, 1)) }] as const;
  const [busy, other, third] = [newId(), newId(), newId()];

  it('is one of each owner in turn, and an owner has four places at most', async () => {
    const test = await createTestDatabase({ name: 'gateway', migrations: MIGRATIONS });
    const source = createDataSource({ url: test.url, poolSize: 2, applicationName: 'messages-test' });
    await source.initialize();
    const database = new Database(source);
    const add = (owner: string, at: Date) =>
      database.asSystem((tx) =>
        insertMessage(
          tx,
          KEYS,
          {
            owner,
            kind: 'alert',
            channel: 'email',
            to: 'a@shop.example',
            subject: 's',
            text: 't',
            expiresAt: new Date(at.getTime() + HOUR_MS),
          },
          at,
        ),
      );
    const claim = async (places: number, underWay: [string, number][] = []) => {
      const leaseUntil = new Date(NOW.getTime() + HOUR_MS);
      const claimed = await claimMessages(database, { now: NOW, places, busy: new Map(underWay), leaseUntil, channels: ['email'] });
      return claimed.map(({ owner }) => owner).sort();
    };
    try {
      for (let count = 0; count < 20; count += 1) await add(busy, new Date(NOW.getTime() - 10_000 - count));
      await add(other, new Date(NOW.getTime() - 2));
      await add(third, new Date(NOW.getTime() - 1));
      await add(third, new Date(NOW.getTime() + 1));
      expect(await claim(2, [[busy, 4]])).toEqual([other, third].sort());
      expect(await claim(8, [[busy, 1]])).toEqual([busy, busy, busy]);
      expect(await claim(8, [[busy, 4]])).toEqual([]);
      expect(await claim(3)).toEqual([busy, busy, busy]);
    } finally {
      await source.destroy();
      await test.drop();
    }
  });

  it('ends without a carrier when they expire, and nothing personal of them stays', async () => {
    const test = await createTestDatabase({ name: 'gateway', migrations: MIGRATIONS });
    const source = createDataSource({ url: test.url, poolSize: 1, applicationName: 'messages-test' });
    await source.initialize();
    const database = new Database(source);
    const add = (expiresAt: Date) => {
      const message = { owner: busy, kind: 'alert', channel: 'email', to: 'a@shop.example', subject: 's', text: 't', expiresAt } as const;
      return database.asSystem((tx) => insertMessage(tx, KEYS, message, new Date(NOW.getTime() - HOUR_MS)));
    };
    try {
      const old = await add(new Date(NOW.getTime() - 1));
      const underWay = await add(new Date(NOW.getTime() - 1));
      await database.systemQuery('UPDATE messages SET under_way = true WHERE message_id = $1 RETURNING message_id', [underWay]);
      await add(new Date(NOW.getTime() + 1));
      expect(await endExpired(database, NOW, ['email'], 10)).toBe(0);
      expect(await endExpired(database, NOW, [], 10)).toBe(2);
      const ended = await database.systemQuery(
        `SELECT message_id, failure, receiver, content FROM messages WHERE state <> 'queued' ORDER BY failure`,
      );
      expect(ended).toEqual([
        { message_id: old, failure: 'expired', receiver: null, content: null },
        { message_id: underWay, failure: 'interrupted', receiver: null, content: null },
      ]);
    } finally {
      await source.destroy();
      await test.drop();
    }
  });
});
