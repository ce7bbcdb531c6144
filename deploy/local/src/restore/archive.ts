import { serverUser } from '@tire/test-harness';
import { execFile } from 'node:child_process';
import { appendFile, chmod, chown, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';

const run = promisify(execFile);

/** A folder in which Postgres writes, whose user may not be this one. */
async function folderOfPostgres(path: string): Promise<string> {
  await mkdir(path, { recursive: true });
  const user = serverUser();
  if (user) await chown(path, user.uid, user.gid);
  return path;
}

/** The archive of WAL of a Postgres: what a loss of its disk leaves. */
export class WalArchive {
  private constructor(
    readonly folder: string,
    readonly intervalSeconds: number,
  ) {}

  static async in(folder: string, intervalSeconds: number): Promise<WalArchive> {
    return new WalArchive(await folderOfPostgres(folder), intervalSeconds);
  }

  /** A segment is complete in the archive or not there. */
  get settings(): string[] {
    const to = join(this.folder, '%f');
    return [
      'wal_level=replica',
      'archive_mode=on',
      `archive_timeout=${this.intervalSeconds}`,
      `archive_command=test -f ${to} || (cp %p ${to}.part && mv ${to}.part ${to})`,
    ];
  }
}

async function connected<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Copies a folder whose files change and vanish meanwhile. */
async function copyChanging(from: string, to: string): Promise<void> {
  await run('cp', ['-a', '--reflink=auto', from, to]).catch((error: { stderr?: string }) => {
    const faults = (error.stderr ?? '').split('\n').filter((line) => line !== '' && !/No such file or directory/.test(line));
    if (faults.length > 0) throw error;
  });
}

/** What a running server must not find of another one. */
const NOT_COPIED = ['postmaster.pid', 'postmaster.opts', 'pg_wal', 'pg_dynshmem', 'pg_notify', 'pg_stat_tmp', 'pg_subtrans', 'pg_replslot'];

/** A base backup while the server works, as pg_basebackup makes it: the files, and the label that says from where WAL is read. */
export async function baseBackup(url: string, dataDir: string, to: string): Promise<void> {
  await connected(url, async (client) => {
    await client.query(`SELECT pg_backup_start('drill', fast => true)`);
    await copyChanging(dataDir, to);
    for (const name of NOT_COPIED) await rm(join(to, name), { recursive: true, force: true });
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop()');
    const user = serverUser();
    for (const name of NOT_COPIED.slice(2)) await folderOfPostgres(join(to, name)).then((folder) => chmod(folder, 0o700));
    await writeFile(join(to, 'backup_label'), rows[0]!.labelfile);
    if (user) await chown(join(to, 'backup_label'), user.uid, user.gid);
  });
}

/** Abbreviations of time zones are not known yet where Postgres reads its settings. */
const timestamp = (at: Date): string => at.toISOString().replace('T', ' ').replace('Z', '+00');

/** Puts a base backup into an empty data directory, from which the next start recovers to a time. Null: the end of the archive. */
export async function restoreInto(dataDir: string, backup: string, archive: WalArchive, until: Date | null): Promise<void> {
  await rm(dataDir, { recursive: true, force: true });
  await run('cp', ['-a', '--reflink=auto', backup, dataDir]);
  const settings = [
    // Ready means that it can be written to.
    'hot_standby = off',
    `restore_command = 'cp ${join(archive.folder, '%f')} %p'`,
    ...(until ? [`recovery_target_time = '${timestamp(until)}'`, `recovery_target_action = 'promote'`] : []),
  ];
  await appendFile(join(dataDir, 'postgresql.auto.conf'), `${settings.join('\n')}\n`);
  await writeFile(join(dataDir, 'recovery.signal'), '');
  const user = serverUser();
  if (user) await chown(join(dataDir, 'recovery.signal'), user.uid, user.gid);
}

interface ArchiveState {
  readonly at: Date;
  /** The segment that is written to. */
  readonly current: string;
  /** The segment that was archived last. */
  readonly archived: string | null;
}

const ARCHIVE_STATE = `
  SELECT clock_timestamp() AS at, pg_walfile_name(pg_current_wal_insert_lsn()) AS current, left(last_archived_wal, 24) AS archived
    FROM pg_stat_archiver`;

/** Follows the archive, so that one knows after the loss up to which time it reaches. */
export class ArchiveWatch {
  private readonly states: ArchiveState[] = [];

  async look(url: string): Promise<void> {
    const { rows } = await connected(url, (client) => client.query<ArchiveState>(ARCHIVE_STATE));
    this.states.push(rows[0]!);
  }

  /** The segment of that moment is in the archive, with a change that came after. Null: none is. */
  get reachesUntil(): Date | null {
    const archived = this.states.at(-1)?.archived;
    const last = this.states.filter(({ current }) => archived && current <= archived).at(-1);
    return last ? new Date(last.at.getTime() - 1_000) : null;
  }
}

export async function bytesOf(folder: string): Promise<number> {
  const { stdout } = await run('du', ['-sb', folder]);
  return Number(stdout.split('\t')[0]);
}

/** A copy of the bucket that only grows: what is removed from the bucket stays in the copy for as long as backups are kept. */
export class BucketCopy {
  constructor(
    private readonly bucket: string,
    readonly folder: string,
  ) {}

  async update(): Promise<Date> {
    const began = new Date();
    await mkdir(this.folder, { recursive: true });
    await copyChanging(`${join(this.bucket)}/.`, this.folder);
    return began;
  }

  /** Removes from a restored bucket what came after a time, as if the copy had ended then. Returns how many objects. */
  static async cutOff(bucket: string, after: Date): Promise<number> {
    let removed = 0;
    for (const entry of await readdir(bucket, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (!entry.isFile() || (await stat(path)).mtimeMs <= after.getTime()) continue;
      await rm(path);
      removed += 1;
    }
    return removed;
  }
}

export async function restoreBucket(copy: string, bucket: string): Promise<void> {
  await rm(bucket, { recursive: true, force: true });
  await run('cp', ['-a', '--reflink=auto', copy, bucket]);
}
