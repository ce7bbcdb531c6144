import { EVENTS } from '@tire/contracts/events';
import { newId } from '@tire/kernel';
import { createDataSource, Database, type Tx } from '@tire/platform';
import { createTestDatabase } from '@tire/test-harness';
import { median, runBench } from '@tire/test-harness/bench';
import { Client } from 'pg';
import { Claims } from '../src/claims';
import { eventingMigration } from '../src/migration';
import { outboxMessage } from '../src/outbox';
import { claimOldest, deleteMessages, insertMessages, type OutboxRow } from '../src/outbox.store';

const EVENTS_IN_ROUND = 300;
const ROUNDS = 15;
const BATCH = 100;
const BACKLOG = 10_000;
const INDEX = 'CREATE INDEX IF NOT EXISTS outbox_of_project ON outbox (project_id, position)';
const WITHOUT_INDEX = 'DROP INDEX IF EXISTS outbox_of_project';

const message = (projectId: string) =>
  outboxMessage(EVENTS.imageFetched, {
    projectId,
    reportId: newId(),
    slotId: 'tire.tread.front_left',
    assetId: newId(),
    analysisId: newId(),
    errorCode: '',
  });

const inOrder = (tx: Tx): Promise<OutboxRow[]> => claimOldest(tx, BATCH, []);

/** Does the relay's work for a batch, without publishing it. */
async function relayed(tx: Tx, claim: (tx: Tx) => Promise<OutboxRow[]>): Promise<number> {
  const rows = await claim(tx);
  await deleteMessages(
    tx,
    rows.map(({ position }) => position),
  );
  return rows.length;
}

/** Nothing waits: one event is added, claimed and deleted, and then the next. In ms for each. */
async function quiet(database: Database, claim: (tx: Tx) => Promise<OutboxRow[]>): Promise<number> {
  const beganMs = performance.now();
  for (let event = 0; event < EVENTS_IN_ROUND; event += 1) {
    await database.asSystem((tx) => insertMessages(tx, [message(newId())], {}));
    await database.asSystem((tx) => relayed(tx, claim));
  }
  return (performance.now() - beganMs) / EVENTS_IN_ROUND;
}

/** A backlog of so many projects, one event of each after another, is claimed batch by batch. In ms for each batch. */
async function backlog(database: Database, projects: number, claim: (tx: Tx) => Promise<OutboxRow[]>): Promise<number> {
  const ids = Array.from({ length: projects }, () => newId());
  const messages = Array.from({ length: BACKLOG }, (_, index) => message(ids[index % projects]!));
  await database.asSystem((tx) => insertMessages(tx, messages, {}));
  const beganMs = performance.now();
  let batches = 0;
  for (let left = BACKLOG; left > 0; batches += 1) left -= await database.asSystem((tx) => relayed(tx, claim));
  return (performance.now() - beganMs) / batches;
}

/** Both measured in turn, round after round, so that other load affects both. */
async function compare(name: string, unit: string, rounds: number, measure: (isFair: boolean) => Promise<number>): Promise<void> {
  const [plain, fair]: [number[], number[]] = [[], []];
  await measure(true);
  for (let round = 0; round < rounds; round += 1)
    for (const isFair of round % 2 === 0 ? [false, true] : [true, false]) (isFair ? fair : plain).push(await measure(isFair));
  const ofPlain = median(fair.map((value, round) => value / plain[round]!));
  const change = `${ofPlain >= 1 ? '+' : ''}${(100 * (ofPlain - 1)).toFixed(1)} %`;
  process.stdout.write(`| ${name} | ${median(plain).toFixed(3)} ${unit} | ${median(fair).toFixed(3)} ${unit} | ${change} |\n`);
}

async function main(): Promise<void> {
  const test = await createTestDatabase({ name: 'relay_bench', migrations: [eventingMigration(1763600000000)] });
  const source = await createDataSource({ url: test.url, poolSize: 1, applicationName: 'bench' }).initialize();
  const owner = new Client({ connectionString: test.ownerUrl });
  await owner.connect();
  const database = new Database(source);
  /** Before turns there was no index by project, and each claim was in the order of addition. */
  const claimOf = async (isFair: boolean) => {
    await owner.query(isFair ? INDEX : WITHOUT_INDEX);
    await owner.query('VACUUM outbox');
    const claims = new Claims(BATCH);
    return isFair ? (tx: Tx) => claims.next(tx) : inOrder;
  };
  process.stdout.write('| medians | in the order of addition | in turns | cost |\n|---|--:|--:|--:|\n');
  try {
    await compare('an event, nothing waits', 'ms', ROUNDS, async (isFair) => quiet(database, await claimOf(isFair)));
    for (const projects of [1, 100, 1_000])
      await compare(`a batch of ${BATCH} behind ${BACKLOG} events of ${projects} projects`, 'ms', 3, async (isFair) =>
        backlog(database, projects, await claimOf(isFair)),
      );
  } finally {
    await owner.end();
    await source.destroy();
    await test.drop();
  }
}

runBench(main);
