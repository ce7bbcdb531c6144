// `npm run check:code`: check:types and lint in one process, on the same programs. The rules about promises use the type of almost every
// expression, which the compiler has found already.
import { ESLint } from 'eslint';
import { join } from 'node:path';
import ts from 'typescript';

const ROOT = join(import.meta.dirname, '../..');
const CONFIGS = ['tsconfig.json', 'apps/console/tsconfig.json'];
const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (diagnostic) => report([diagnostic]) };

let faults = 0;
function report(diagnostics) {
  if (diagnostics.length === 0) return;
  faults += diagnostics.length;
  const format = { getCurrentDirectory: () => ROOT, getCanonicalFileName: (name) => name, getNewLine: () => '\n' };
  console.error(ts.formatDiagnosticsWithColorAndContext(diagnostics, format));
}

function timed(what, beganMs) {
  console.log(`${what}: ${((Date.now() - beganMs) / 1_000).toFixed(0)}s`);
}

function checkedProgram(config) {
  const { fileNames, options, errors } = ts.getParsedCommandLineOfConfigFile(join(ROOT, config), { incremental: false }, host);
  report(errors);
  // ESLint walks from a node to its parents.
  const setParentNodes = true;
  const program = ts.createProgram(fileNames, options, ts.createCompilerHost(options, setParentNodes));
  report(ts.getPreEmitDiagnostics(program));
  return program;
}

// The rule of boundaries reads the graph of projects once in a command of ESLint, and once for each file in any other program.
process.argv[1] = join(ROOT, 'node_modules/.bin/eslint');

let beganMs = Date.now();
const programs = CONFIGS.map(checkedProgram);
timed(`types, ${faults} faults`, beganMs);

beganMs = Date.now();
const ofPrograms = { files: ['**/*.{ts,tsx}'], languageOptions: { parserOptions: { project: null, programs } } };
const eslint = new ESLint({ cwd: ROOT, overrideConfig: [ofPrograms] });
const results = await eslint.lintFiles(['apps', 'libs', 'deploy']);
const found = results.reduce((sum, { errorCount, warningCount }) => sum + errorCount + warningCount, 0);
if (found > 0) console.error((await eslint.loadFormatter('stylish')).format(results));
timed(`lint, ${results.length} files, ${found} faults`, beganMs);
process.exit(faults + found > 0 ? 1 : 0);
