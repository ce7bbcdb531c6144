// `npm run bench:capacity [-- --reports 30]`: measures what a report of eight images costs each service, on a stack of its own, and writes
// docs/scale.json and the tables of docs/scale.md. `-- --tables` computes the tables from the saved measurement only.
import { startSmallS3 } from '@tire/test-harness';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Links } from '../links/links';
import { sampleImages } from '../samples';
import { startStack } from '../stack';
import { DOCUMENT, SAVED, withTables } from './document';
import { measure } from './measure';
import type { Measurement } from './measurement';

const BUCKET = 'capacity';

async function measured(reports: number): Promise<Measurement> {
  const folder = await mkdtemp(join(tmpdir(), 'tire-capacity-'));
  process.env['STACK_DIR'] = folder;
  const server = await startSmallS3(BUCKET);
  const links = new Links();
  const { port } = await links.add('objects', server.port);
  const s3 = { endpoint: `http://127.0.0.1:${port}`, bucket: BUCKET, accessKey: server.accessKey, secretKey: server.secretKey };
  try {
    const stack = await startStack({ links, s3 });
    try {
      return await measure({ stack: stack.file, links, s3, samples: await sampleImages(join(folder, 'samples')) }, reports);
    } finally {
      await stack.stop();
    }
  } finally {
    await links.closeAll();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { reports: { type: 'string', default: '30' }, tables: { type: 'boolean', default: false } } });
  if (!values.tables) await writeFile(SAVED, `${JSON.stringify(await measured(Number(values.reports)), undefined, 2)}\n`);
  const saved = JSON.parse(await readFile(SAVED, 'utf8')) as Measurement;
  const document = withTables(await readFile(DOCUMENT, 'utf8'), saved);
  await writeFile(DOCUMENT, document);
  console.log(document);
}

main().then(
  () => process.exit(),
  (error: Error) => {
    console.error(error);
    process.exit(1);
  },
);
