import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';

export interface Exit {
  code: number | null;
  signal: string | null;
}

/** A child process that ends with this process. */
export interface ServerProcess {
  readonly pid: number;
  /** Resolves when the process has ended, for any reason. */
  readonly exited: Promise<Exit>;
  /** Stops the process and waits for its end. A second call waits for the same end. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** Lets this process end although the server still runs; the guard then ends the server. */
  unref(): void;
}

export interface LaunchOptions {
  command: string;
  args: string[];
  logFile: string;
  stopSignal: NodeJS.Signals;
  user?: { uid: number; gid: number };
  /** Passed to the child as file descriptor 3. */
  directoryFd?: number;
  env?: NodeJS.ProcessEnv;
}

/** Longer than a service takes to drain, so that SIGKILL hits only a process that hangs. */
const STOP_DEADLINE_MS = 35_000;
const READY_POLL_MS = 5;

/**
 * A shell that waits for the end of the pipe from this process and then stops the server. So no server outlives a killed run, in which
 * no exit handler is called.
 */
function guard(pid: number, signal: NodeJS.Signals): ChildProcess {
  const script = 'read -r line; [ "$line" = released ] || kill -s "$1" "$2" 2>/dev/null';
  const shell = spawn('/bin/sh', ['-c', script, 'guard', signal.replace('SIG', ''), String(pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  shell.unref();
  (shell.stdin as unknown as { unref(): void }).unref();
  shell.stdin!.on('error', () => undefined);
  return shell;
}

export function launch({ command, args, logFile, stopSignal, user, directoryFd, env }: LaunchOptions): ServerProcess {
  const log = openSync(logFile, 'a');
  const stdio: StdioOptions = directoryFd === undefined ? ['ignore', log, log] : ['ignore', log, log, directoryFd];
  // A separate process group: Ctrl-C reaches only the launcher, which then stops its servers in order.
  const child = spawn(command, args, { ...user, stdio, cwd: '/', detached: true, env: { ...process.env, ...env } });
  closeSync(log);
  const exited = new Promise<Exit>((resolve, reject) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    child.once('error', reject);
  });
  exited.catch(() => undefined);
  const watcher = child.pid === undefined ? undefined : guard(child.pid, stopSignal);
  void exited.then(
    () => watcher?.stdin?.end('released\n'),
    () => undefined,
  );
  return {
    pid: child.pid ?? -1,
    exited,
    unref: () => child.unref(),
    async stop(signal = stopSignal) {
      child.ref();
      child.kill(signal);
      const killTimer = setTimeout(() => child.kill('SIGKILL'), STOP_DEADLINE_MS);
      await exited.finally(() => clearTimeout(killTimer));
    },
  };
}

const lastLines = (file: string): string => readFileSync(file, 'utf8').trim().split('\n').slice(-5).join('\n');

/** Waits until the probe succeeds. If the process ends first, the error contains the last lines of its log. */
export async function untilReady(server: ServerProcess, what: string, logFile: string, probe: () => Promise<boolean>): Promise<void> {
  let exit: Exit | undefined;
  let launchError: unknown;
  server.exited.then(
    (value) => (exit = value),
    (error: unknown) => (launchError = error),
  );
  const deadlineMs = Date.now() + 60_000;
  for (;;) {
    if (await probe()) return;
    if (launchError) throw new Error(`${what} cannot be started`, { cause: launchError });
    if (exit) throw new Error(`${what} ended with ${exit.signal ?? `code ${exit.code}`}:\n${lastLines(logFile)}`);
    if (Date.now() > deadlineMs) {
      await server.stop('SIGKILL');
      throw new Error(`${what} is not ready after a minute:\n${lastLines(logFile)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, READY_POLL_MS));
  }
}
