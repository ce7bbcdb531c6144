const { existsSync, readdirSync, readFileSync } = require('node:fs');
const { basename, join, relative } = require('node:path');

const ROOT = join(__dirname, '../..');
/** For each log: lines of a warning or worse, and the last lines whatever they are. */
const [WORST_MAX, LAST_MAX, LINE_MAX] = [30, 40, 600];
/** A stack that is broken fails every file; the first ones show why. */
const FILES_MAX = 5;

/** Lines of services are JSON; those of NATS contain their level in brackets. A line of neither kind comes from Node or from a crash. */
const isWorse = (line) => (line.startsWith('{') ? /"level":"(warn|error|fatal)"/ : /\[(WRN|ERR|FTL)\]|Error|FATAL|panic|^!/).test(line);

const bounded = (line) => (line.length > LINE_MAX ? `${line.slice(0, LINE_MAX)}… (${line.length} characters)` : line);

/** Logs of the stack's services and of its NATS server. */
function logsOf(stackDir) {
  const folder = join(stackDir, 'logs');
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return [...names.map((name) => join(folder, name)), join(stackDir, 'nats/nats-server.log')];
}

/** The part of a log that a failed test needs, or undefined where there is no log. */
function excerpt(file) {
  let lines;
  try {
    lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  } catch {
    return undefined;
  }
  const last = lines.slice(-LAST_MAX);
  const worse = lines.slice(0, -LAST_MAX).filter(isWorse);
  const shown = worse.slice(-WORST_MAX);
  return [
    `-- ${basename(file)}: ${lines.length} lines, of these ${worse.length} warnings or worse before the last ${last.length}`,
    ...(worse.length > shown.length ? [`… ${worse.length - shown.length} earlier ones`] : []),
    ...[...shown, ...(shown.length > 0 ? ['…'] : []), ...last].map(bounded),
  ].join('\n');
}

/** Prints excerpts of the logs of the stack after a spec file with a failed test, also where the second attempt passed. */
module.exports = class StackLogReporter {
  printed = 0;

  onTestResult(test, { testFilePath, testExecError, testResults }) {
    const stackDir = process.env.STACK_DIR;
    const failed = testExecError || testResults.some(({ status, invocations }) => status === 'failed' || invocations > 1);
    if (!stackDir || !failed || (this.printed += 1) > FILES_MAX) return;
    const excerpts = logsOf(stackDir).map(excerpt).filter(Boolean);
    process.stderr.write(`\nLogs of the stack at the end of ${relative(ROOT, testFilePath)}:\n${excerpts.join('\n')}\n\n`);
  }
};
