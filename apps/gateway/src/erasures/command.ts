import { ErasureCertificate, type Erasure } from '@tire/contracts/console';
import { GRPC_SERVICES, type contentApi, type ledgerApi, type shareApi } from '@tire/contracts/grpc';
import { ERASURE_LIMITS, HELD_REPORTS_MAX, SUBJECT_KINDS, type SubjectKind } from '@tire/contracts/limits';
import { DomainError, isUuid, systemClock } from '@tire/kernel';
import { callSigner, createDataSource, Database, grpcClient, parseEnvironment, type PromiseClient } from '@tire/platform';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { UsageError } from '../administration/administration';
import { recordChange } from '../audit/audit.store';
import { erasureConfig } from '../config';
import { isSigned } from '../domain/certificate';
import { findProject } from '../projects/project.store';
import { ContentService } from '../reports/content.service';
import { sealingKeysOf } from '../site/console-settings';
import { PhoneDigests } from '../visits/phone-digests';
import { CERTIFICATE_KEY } from './erasure.runner';
import { certificatesSince, findErasure, replayErasure } from './erasures.store';
import { ErasuresService, type ErasureCaller } from './erasures.service';
import { SubjectExport } from './subject.export';
import { SubjectFinder } from './subject.finder';

const text = { type: 'string' } as const;
const OPTIONS = { project: text, plate: text, vin: text, vehicle: text, report: text, phone: text, email: text, name: text } as const;

type Ledger = PromiseClient<ledgerApi.LedgerServiceClient>;

interface Work {
  readonly database: Database;
  readonly digests: PhoneDigests;
  readonly erasures: ErasuresService;
  readonly exports: SubjectExport;
  readonly ledger: Ledger;
  readonly input: Readable;
  readonly output: Writable;
}

type Verb = (args: readonly string[]) => (work: Work) => Promise<string>;

const json = (value: unknown): string => JSON.stringify(value, null, 2);

function parsed(args: readonly string[], options: Readonly<Record<string, typeof text>>): Readonly<Record<string, string | undefined>> {
  try {
    return parseArgs({ args: [...args], options }).values as Record<string, string | undefined>;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function idOf(value: string | undefined, name: string): string {
  if (value === undefined || !isUuid(value)) throw new UsageError(`--${name} must be an id`);
  return value;
}

/** The operator acts for the project, without a user. */
async function callerOf({ database }: Work, projectId: string): Promise<ErasureCaller> {
  const project = await database.asSystem((tx) => findProject(tx, projectId));
  if (!project) throw new DomainError('not_found', { message: 'There is no such project.' });
  return { projectId, organizationId: project.organizationId, actor: null };
}

/** The erasure of any project. */
async function callerOfErasure(work: Work, erasureId: string): Promise<ErasureCaller> {
  const row = await work.database.asSystem((tx) => findErasure(tx, erasureId));
  if (!row) throw new DomainError('not_found', { message: 'There is no such erasure.' });
  return callerOf(work, row.projectId);
}

function subjectOf(values: Readonly<Record<string, string | undefined>>): { kind: SubjectKind; value: string } {
  const given = SUBJECT_KINDS.filter((kind) => values[kind] !== undefined);
  const [kind] = given;
  if (!kind || given.length > 1) throw new UsageError(`exactly one of ${SUBJECT_KINDS.map((each) => `--${each}`).join(', ')} is required`);
  const value = values[kind]!;
  if (value.length > ERASURE_LIMITS.subject) throw new UsageError(`--${kind} is too long`);
  return { kind, value };
}

const request: Verb = (args) => {
  const values = parsed(args, OPTIONS);
  const [projectId, subject] = [idOf(values['project'], 'project'), subjectOf(values)];
  return async (work) => json(await work.erasures.request(await callerOf(work, projectId), subject));
};

const on =
  (
    options: Readonly<Record<string, typeof text>>,
    act: (work: Work, caller: ErasureCaller, id: string, reason: string) => Promise<Erasure>,
  ): Verb =>
  (args) => {
    const values = parsed(args, { erasure: text, ...options });
    const erasureId = idOf(values['erasure'], 'erasure');
    const reason = values['reason'] ?? '';
    if ('reason' in options && (reason.trim() === '' || reason.length > ERASURE_LIMITS.reason))
      throw new UsageError(`--reason must have 1 to ${ERASURE_LIMITS.reason} characters`);
    return async (work) => json(await act(work, await callerOfErasure(work, erasureId), erasureId, reason));
  };

const INDEX_PAGE = 200;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** One certificate a line: the index of erasures. */
const index: Verb = (args) => {
  const { since = '1970-01-01' } = parsed(args, { since: text });
  const from = new Date(since);
  if (Number.isNaN(from.getTime())) throw new UsageError('--since must be a day or a time');
  return async ({ database, output }) => {
    for (let after = BEFORE_ALL; ;) {
      const page = await database.asSystem((tx) => certificatesSince(tx, from, after, INDEX_PAGE));
      const lines = page.map(({ certificate }) => JSON.stringify(certificate)).join('\n');
      if (page.length < INDEX_PAGE) return lines;
      if (!output.write(`${lines}\n`)) await once(output, 'drain');
      after = page.at(-1)!.erasureId;
    }
  };
};

const HELD = 'Reports under legal hold are not removed. Release each in the console (Retention), and replay the index again.';
const UNKNOWN = 'The ledger did not answer, so it is not known whether a legal hold keeps a report. Replay the index again.';

/** Reads the index from standard input. A line that this installation did not sign changes nothing. */
const replay: Verb = (args) => {
  parsed(args, {});
  return async ({ database, digests, ledger, input }) => {
    const key = await digests.keyOf(CERTIFICATE_KEY);
    const outcome = { replayed: 0, refused: 0 };
    const reports = new Map<string, string[]>();
    for await (const line of createInterface({ input })) {
      if (line.trim() === '') continue;
      const certificate = await replayed(database, key, line);
      if (!certificate) {
        outcome.refused += 1;
        continue;
      }
      outcome.replayed += 1;
      const { project_id: projectId, report_ids: reportIds } = certificate;
      if (!reports.has(projectId)) reports.set(projectId, []);
      reports.get(projectId)!.push(...reportIds);
    }
    const held = await heldOf(ledger, reports).catch(() => null);
    const warning = held === null ? UNKNOWN : held.length > 0 ? HELD : null;
    if (outcome.refused > 0 || warning) process.exitCode = 1;
    return json({ ...outcome, held: held && held.length, ...(warning && { warning }), ...(held?.length && { held_report_ids: held }) });
  };
};

/** Those that a hold keeps, by project. The erasure goes on without them. */
export async function heldOf(ledger: Ledger, reports: ReadonlyMap<string, readonly string[]>): Promise<string[]> {
  const held: string[] = [];
  for (const [projectId, reportIds] of reports) {
    const ofProject = (await ledger.listHeldReports({ projectId, limit: HELD_REPORTS_MAX })).reports;
    const erased = new Set(reportIds);
    held.push(...ofProject.map(({ reportId }) => reportId).filter((reportId) => erased.has(reportId)));
  }
  return held;
}

/** Null where this installation did not sign the line, or does not have the project. */
export async function replayed(database: Database, key: Buffer, line: string): Promise<ErasureCertificate | null> {
  const fields = parsedLine(line);
  const { data: certificate } = ErasureCertificate.safeParse(fields);
  if (!certificate || !isSigned(key, fields)) return null;
  return database.asSystem(async (tx) => {
    if (!(await findProject(tx, certificate.project_id))) return null;
    await replayErasure(tx, certificate, systemClock.now());
    return certificate;
  });
}

function parsedLine(line: string): Record<string, unknown> {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** Into a new file. */
const exported: Verb = (args) => {
  const { out, ...values } = parsed(args, { ...OPTIONS, out: text });
  const [projectId, subject] = [idOf(values['project'], 'project'), subjectOf(values)];
  if (out === undefined) throw new UsageError('--out is missing');
  return async (work) => {
    const { organizationId } = await callerOf(work, projectId);
    const reportIds = await work.exports.find(projectId, subject);
    const details = { kind: subject.kind, reports: String(reportIds.length) };
    const change = { action: 'subject.exported', projectId, details } as const;
    await work.database.asSystem((tx) => recordChange(tx, organizationId, null, change, systemClock.now()));
    await pipeline(work.exports.file(projectId, subject, reportIds), createWriteStream(out, { flags: 'wx', mode: 0o600 }));
    return json({ file: out, reports: reportIds.length });
  };
};

const VERBS: Readonly<Record<string, Verb>> = {
  request,
  show: on({}, ({ erasures }, caller, id) => erasures.one(caller, id)),
  confirm: on({ reason: text }, ({ erasures }, caller, id, reason) => erasures.confirm(caller, id, reason)),
  cancel: on({}, ({ erasures }, caller, id) => erasures.cancel(caller, id)),
  index,
  replay,
  export: exported,
};

/** `erasure VERB …`. A gateway does the work: within ten seconds after the command. */
export async function erasure([verb = '', ...args]: readonly string[], input: Readable, output: Writable): Promise<string> {
  const found = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
  if (!found) throw new UsageError(`erasure needs one of ${Object.keys(VERBS).join(', ')}`);
  const act = found(args);
  const config = parseEnvironment(erasureConfig);
  const settings = { sealingKeys: sealingKeysOf(config) };
  const source = createDataSource({ url: config.DATABASE_URL, poolSize: 1, applicationName: 'gateway-admin' });
  const options = { signer: callSigner('gateway', config) };
  const ledger = grpcClient<ledgerApi.LedgerServiceClient>(GRPC_SERVICES.ledger, config.LEDGER_GRPC_URL, options);
  const share = grpcClient<shareApi.ShareServiceClient>(GRPC_SERVICES.share, config.SHARE_GRPC_URL, options);
  const content = grpcClient<contentApi.ContentServiceClient>(GRPC_SERVICES.content, config.CONTENT_GRPC_URL, options);
  await source.initialize();
  try {
    const database = new Database(source);
    const digests = new PhoneDigests(database, settings);
    const finder = new SubjectFinder(database, digests, ledger, settings);
    const erasures = new ErasuresService(database, finder, digests, settings, systemClock);
    const contents = new ContentService(ledger, content, config.PUBLIC_API_URL);
    const exports = new SubjectExport(database, finder, contents, ledger, share, settings, systemClock);
    return await act({ database, digests, erasures, exports, ledger, input, output });
  } finally {
    await source.destroy();
    for (const client of [ledger, share, content]) client.onApplicationShutdown();
  }
}
