import { eventually } from '@tire/test-harness';
import { queryDatabase } from '@tire/test-harness/bench';
import { Client } from 'minio';
import { cpus, loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { PartnerClient } from '../client';
import type { Links } from '../links/links';
import { receiveCallbacks } from '../listeners';
import { watchTrees } from '../neighbours/process-tree';
import { step } from '../progress';
import type { Sample } from '../samples';
import type { StackFile } from '../stack-file';
import { SERVICES, type S3Server, type ServiceName } from '../topology';
import { wholeReport } from '../whole-report';
import { type Counters, costOfOne, perSecond, readCounters, type Span, STATISTICS_DELAY_MS } from './counters';
import type { CpuMs, Measurement, ReadKind } from './measurement';

/** Work on two reports at once keeps both models busy. */
const AT_ONCE = 2;
const FIRST_REPORTS = 4;
const REST_MS = 60_000;
const CHECKPOINTED_REPORTS = 3;
const READS: Readonly<Record<ReadKind, number>> = { report: 3_000, content: 2_000, page: 1_000, pdf: 20 };
const READERS = 4;
const MS = 1_000;
const CALLED_BACK_WITHIN_MS = 280_000;

export interface Subject {
  readonly stack: StackFile;
  readonly links: Links;
  readonly s3: S3Server;
  readonly samples: readonly Sample[];
}

type Callbacks = Awaited<ReturnType<typeof receiveCallbacks>>;

/** A report of eight uploaded images, until its callback. Nothing polls, so that only the report costs. */
async function oneReport({ stack, samples }: Subject, client: PartnerClient, callbacks: Callbacks): Promise<string> {
  const { id } = await wholeReport(client, stack, samples, 'upload');
  await eventually(() => callbacks.received.some(({ body }) => body.includes(id)), { timeoutMs: CALLED_BACK_WITHIN_MS });
  return id;
}

/** Runs `work` so many times, some at once, and returns the results. */
async function times<T>(count: number, atOnce: number, work: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const lane = async () => {
    for (let index = next++; index < count; index = next++) results.push(await work(index));
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return results;
}

async function spanOf({ stack, links }: Subject, work: () => Promise<unknown>, settleMs = 0): Promise<Span> {
  const before = await readCounters(stack, links);
  const beganMs = performance.now();
  await work();
  await pause(settleMs);
  const seconds = (performance.now() - beganMs) / MS;
  return { before, after: await readCounters(stack, links), seconds };
}

async function readCosts(subject: Subject, client: PartnerClient, reports: readonly string[], rest: Counters) {
  const pages = await Promise.all(reports.map(async (id) => (await client.report(id)).links.share!));
  const of = <T>(list: readonly T[], index: number): T => list[index % list.length]!;
  const get = async (address: string) => {
    const answer = await fetch(address);
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${address} answered ${answer.status}`);
  };
  const read: Record<ReadKind, (index: number) => Promise<unknown>> = {
    report: (index) => client.report(of(reports, index)),
    content: (index) => client.content(of(reports, index)),
    page: (index) => get(of(pages, index)),
    pdf: (index) => get(`${of(pages, index)}.pdf`),
  };
  const costs: Partial<Record<ReadKind, CpuMs>> = {};
  for (const [kind, count] of Object.entries(READS) as [ReadKind, number][]) {
    const span = await step(`${count} reads: ${kind}`, () => spanOf(subject, () => times(count, READERS, read[kind])));
    costs[kind] = costOfOne(span, rest, count).cpuMs;
  }
  return costs as Record<ReadKind, CpuMs>;
}

/** The first change of a page after a checkpoint writes the whole page to the log. So these count the pages that a report changes. */
async function pagesChanged(subject: Subject, one: () => Promise<unknown>): Promise<number> {
  let pages = 0;
  for (let report = 0; report < CHECKPOINTED_REPORTS; report += 1) {
    await queryDatabase(subject.stack, 'postgres', 'CHECKPOINT');
    const { before, after } = await spanOf(subject, one, STATISTICS_DELAY_MS);
    pages += after.wal.pageImages - before.wal.pageImages;
  }
  return pages / CHECKPOINTED_REPORTS;
}

async function stored({ endpoint, bucket, accessKey, secretKey }: S3Server): Promise<{ objects: number; bytes: number }> {
  const { hostname, port } = new URL(endpoint);
  const client = new Client({ endPoint: hostname, port: Number(port), useSSL: false, accessKey, secretKey });
  const found = { objects: 0, bytes: 0 };
  // The small server continues no list of version 2: the cipher of its tokens is not in OpenSSL 3.
  for await (const { size } of client.listObjects(bucket, '', true) as AsyncIterable<{ size: number }>) {
    found.objects += 1;
    found.bytes += size;
  }
  return found;
}

const servicesOf = (mib: Record<string, number>) =>
  Object.fromEntries(SERVICES.map((name) => [name, mib[name]!])) as Record<ServiceName, number>;

export async function measure(subject: Subject, count: number): Promise<Measurement> {
  const { stack, samples } = subject;
  const client = new PartnerClient(stack, stack.keys.live);
  const callbacks = await receiveCallbacks(stack);
  const one = () => oneReport(subject, client, callbacks);
  const pids = () => stack.pids;
  try {
    // The first reports load code and open connections.
    await step('first reports', () => times(FIRST_REPORTS, AT_ONCE, one));
    await pause(STATISTICS_DELAY_MS);
    const restMemory = watchTrees(pids, MS);
    const rest = perSecond(await step('at rest', () => spanOf(subject, () => pause(REST_MS))));
    const restMib = servicesOf(await restMemory.stop());
    const [memory, storedBefore] = [watchTrees(pids, MS), await stored(subject.s3)];
    let reports: string[] = [];
    const work = async () => (reports = await times(count, AT_ONCE, one));
    const span = await step(`${count} reports of ${samples.length} images`, () => spanOf(subject, work, STATISTICS_DELAY_MS));
    const storedAfter = await stored(subject.s3);
    const perRead = await readCosts(subject, client, reports, rest);
    const peakMib = servicesOf(await memory.stop());
    const pages = await step('pages that a report changes', () => pagesChanged(subject, one));
    return {
      date: new Date().toISOString().slice(0, 10),
      machine: `${cpus().length} cores, ${cpus()[0]!.model}, Node ${process.version}`,
      loadAverage: loadavg()[2]!,
      reports: count,
      images: samples.length,
      imageBytes: samples.reduce((sum, { bytes }) => sum + bytes.length, 0) / samples.length,
      perReport: {
        ...costOfOne(span, rest, count),
        pagesChanged: pages,
        s3Objects: (storedAfter.objects - storedBefore.objects) / count,
        s3Bytes: (storedAfter.bytes - storedBefore.bytes) / count,
      },
      perRead,
      restCpuMsPerSecond: rest.cpuMs,
      restMib,
      peakMib,
    };
  } finally {
    await callbacks.close();
  }
}
