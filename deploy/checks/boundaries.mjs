// `npm run check:boundaries`: tests .oxlintrc.json with a fixture for each kind of rule. The fixtures lie in a small workspace of their
// own, with the settings and projects of this one: each refused fixture must be reported, no allowed one may be.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const LAYERS = 'nx(enforce-module-boundaries)';
const IMPORTS = 'eslint(no-restricted-imports)';
const ENVIRONMENT = 'eslint(no-restricted-properties)';

const lines = (count) => Array.from({ length: count }, (_, i) => `export const line${i} = ${i};`).join('\n');
const functionOf = (count) => `export function long() {\n${"  console.log('line');\n".repeat(count - 2)}}`;
const promise = 'declare function work(): Promise<boolean>;';
const union = "declare const kind: 'one' | 'two';";
const environment = "export const port = process.env['PORT'];";

const REFUSED = [
  // The layer and the way of an import.
  ['apps/ledger/src/layer.ts', "import '@tire/chart';", LAYERS, '"type:app" can only depend'],
  ['apps/system-e2e/src/layer.ts', "import '@tire/platform';", LAYERS, '"type:e2e" can only depend'],
  ['libs/kernel/src/layer.ts', "import '@tire/platform';", LAYERS, '"type:kernel" cannot depend'],
  ['libs/platform/src/layer.ts', "import '@tire/eventing';", LAYERS, '"type:platform" can only depend'],
  ['libs/platform/src/self.ts', "import '@tire/platform/images';", LAYERS, 'should use relative imports'],
  ['deploy/chart/src/circle.ts', "import '@tire/local-stack';", LAYERS, 'Circular dependency'],
  ['deploy/local/src/circle.ts', "import '@tire/chart';", LAYERS, 'Circular dependency'],
  ['libs/contracts/src/api/layer.ts', "export * from '@tire/platform';", LAYERS, '"type:contracts" can only depend'],
  ['libs/test-harness/src/layer.ts', "export const it = import('@tire/eventing');", LAYERS, '"type:test-harness" can only depend'],
  ['clients/typescript/src/layer.ts', "import '@tire/kernel';", LAYERS, '"type:client" cannot depend'],
  ['clients/typescript/src/package.ts', "import { z } from 'zod'; export const it = z;", IMPORTS, 'The client has no dependencies'],
  ['clients/typescript/src/builtin.ts', "import 'node:fs';", IMPORTS, 'The client has no dependencies'],
  ['apps/ledger/src/relative.ts', "import '../../share/src/app.module';", LAYERS, 'relative or absolute path'],
  ['apps/capture/web/relative.ts', "import type {} from '../../share/src/app.module';", LAYERS, 'relative or absolute path'],
  ['apps/console/web/relative.tsx', "import type {} from '../../share/src/app.module';", LAYERS, 'relative or absolute path'],

  ['apps/ledger/src/nats.ts', "import { connect } from 'nats'; export const c = connect;", IMPORTS, 'Only libs/eventing'],
  [
    'apps/ledger/src/bench.ts',
    "import { start } from '@tire/test-harness/bench'; export const s = start;",
    IMPORTS,
    'test harness is for tests',
  ],
  ['libs/platform/src/nats.ts', "import { connect } from 'nats'; export const c = connect;", IMPORTS, 'Only libs/eventing'],
  [
    'apps/ledger/src/harness.ts',
    "import { start } from '@tire/test-harness'; export const s = start;",
    IMPORTS,
    'test harness is for tests',
  ],
  ...[
    'typeorm',
    'pg',
    'pg/lib',
    '@nestjs/common',
    '@nestjs/core/injector',
    '@grpc/grpc-js',
    'minio',
    'sharp',
    'onnxruntime-node',
    'pino',
    'node:fs',
    'node:fs/promises',
    'node:http',
    'node:http2',
    'node:https',
    'node:net',
    'nats',
    'nats/lib',
  ].map((name, i) => [
    `apps/ledger/src/domain/io${i}.ts`,
    `import * as io from '${name}'; export const it = io;`,
    IMPORTS,
    'The domain is pure',
  ]),
  ['libs/kernel/src/io.ts', "import { readFileSync } from 'node:fs'; export const r = readFileSync;", IMPORTS, 'The domain is pure'],
  ...['platform', 'platform/images', 'eventing', 'test-harness', 'test-harness/bench'].map((name, i) => [
    `apps/ledger/src/domain/lib${i}.ts`,
    `import type {} from '@tire/${name}';`,
    IMPORTS,
    'imports itself and the kernel',
  ]),
  [
    'apps/ledger/src/domain/contracts.ts',
    "import { one } from '@tire/contracts/api'; export const o = one;",
    IMPORTS,
    'types from the contracts',
  ],

  ['apps/ledger/src/environment.ts', environment, ENVIRONMENT],
  ['apps/capture/web/environment.ts', environment, ENVIRONMENT],
  ['apps/console/web/environment.tsx', environment, ENVIRONMENT],
  ['libs/platform/src/environment.ts', 'export const { env } = process;', ENVIRONMENT],

  // The rules that use types: once for each tsconfig.json, and for each folder that another one might take.
  ...[
    'apps/ledger/src',
    'apps/ledger/bench',
    'apps/console/src',
    'apps/console/web',
    'apps/capture/src',
    'apps/capture/web',
    'libs/kernel/src',
    'deploy/local/src',
    'clients/typescript/src',
  ].map((folder) => [`${folder}/floating.ts`, `${promise} work();`, 'typescript(no-floating-promises)']),
  ['apps/ledger/src/floating.spec.ts', `${promise} work();`, 'typescript(no-floating-promises)'],
  ['apps/ledger/src/misused.ts', `${promise} if (work()) console.log('always');`, 'typescript(no-misused-promises)'],
  ['apps/ledger/src/spread.ts', `${promise} export const all = { ...work() };`, 'typescript(no-misused-promises)'],
  ['apps/ledger/src/returned.ts', `${promise} export const it: { run: () => void } = { run: work };`, 'typescript(no-misused-promises)'],
  ['apps/ledger/src/switch.ts', `${union} switch (kind) { case 'one': }`, 'typescript(switch-exhaustiveness-check)'],

  ['apps/ledger/src/any.ts', 'export const it: any = 1;', 'typescript(no-explicit-any)'],
  ['apps/ledger/src/equal.ts', 'export const is = (it: unknown) => it == 1;', 'eslint(eqeqeq)'],
  ['apps/ledger/src/lines.ts', lines(301), 'eslint(max-lines)'],
  ['apps/ledger/src/lines.spec.ts', lines(301), 'eslint(max-lines)'],
  ['apps/ledger/src/function.ts', functionOf(61), 'eslint(max-lines-per-function)'],
  ['apps/ledger/src/directive.ts', '// oxlint-disable-next-line eqeqeq\nexport const it = 1;', undefined, 'Unused'],

  ['apps/ledger/src/var.ts', 'export var it = 1;', 'eslint(no-var)'],
  ['apps/ledger/src/const.ts', 'let it = 1; export const that = it;', 'eslint(prefer-const)'],
  ['apps/ledger/src/rest.ts', 'export function it() { return arguments[0]; }', 'eslint(prefer-rest-params)'],
  ['apps/ledger/src/apply.ts', 'export const it = (list: number[]) => Math.max.apply(Math, list);', 'eslint(prefer-spread)'],
  ['apps/ledger/src/array.ts', 'export const it = new Array(1, 2);', 'eslint(no-array-constructor)'],
  ['apps/ledger/src/expression.ts', 'declare const it: number; it + 1;', 'eslint(no-unused-expressions)'],
  ['apps/ledger/src/comment.ts', '// @ts-ignore\nexport const it = 1;', 'typescript(ban-ts-comment)'],
  ['apps/ledger/src/enum.ts', 'export enum It { One = 1, Two = 1 }', 'typescript(no-duplicate-enum-values)'],
  ['apps/ledger/src/empty.ts', 'export type It = {};', 'typescript(no-empty-object-type)'],
  ['apps/ledger/src/interface.ts', 'export interface It {}', 'typescript(no-empty-object-type)'],
  [
    'apps/ledger/src/twice.ts',
    'declare const it: { x: number } | null; export const x = it!!.x;',
    'typescript(no-extra-non-null-assertion)',
  ],
  ['apps/ledger/src/new.ts', 'export interface It { constructor(): void }', 'typescript(no-misused-new)'],
  ['apps/ledger/src/namespace.ts', 'export namespace It { export const x = 1; }', 'typescript(no-namespace)'],
  [
    'apps/ledger/src/chain.ts',
    'declare const it: { x: 1 } | null; export const x = it?.x!;',
    'typescript(no-non-null-asserted-optional-chain)',
  ],
  ['apps/ledger/src/require.ts', "export const it = require('node:os');", 'typescript(no-require-imports)'],
  ['apps/ledger/src/this.ts', 'export class It { f() { const self = this; return self; } }', 'typescript(no-this-alias)'],
  ['apps/ledger/src/constraint.ts', 'export const it = <T extends unknown>(x: T) => x;', 'typescript(no-unnecessary-type-constraint)'],
  ['apps/ledger/src/merging.ts', 'export class It {}\nexport interface It { x: 1 }', 'typescript(no-unsafe-declaration-merging)'],
  ['apps/ledger/src/type.ts', 'export type It = Function;', 'typescript(no-unsafe-function-type)'],
  ['apps/ledger/src/wrapper.ts', 'export type It = String;', 'typescript(no-wrapper-object-types)'],
  ['apps/ledger/src/as.ts', "export const it = 'x' as 'x';", 'typescript(prefer-as-const)'],
  ['apps/ledger/src/module.ts', 'declare module It {}', 'typescript(prefer-namespace-keyword)'],
  ['apps/ledger/src/slash.ts', '/// <reference path="./any" />\nexport const it = 1;', 'typescript(triple-slash-reference)'],
];

const ALLOWED = [
  [
    'apps/ledger/src/domain/allowed.ts',
    "import type { One } from '@tire/contracts/api'; import '@tire/contracts/limits'; export type It = One;",
  ],
  ['libs/eventing/src/allowed.ts', "import { connect } from 'nats'; export const c = connect;"],
  ['clients/typescript/src/allowed.spec.ts', "import { Webhook } from 'standardwebhooks'; export const w = Webhook;"],
  ['apps/ledger/src/allowed.spec.ts', `import '@tire/test-harness'; ${environment}\n${functionOf(61)}`],
  ['apps/ledger/bench/allowed.ts', functionOf(61)],
  ['apps/ledger/src/config.ts', environment],
  ['apps/ledger/src/lines300.ts', `// A comment and a blank line.\n\n${lines(300)}`],
  ['apps/ledger/src/function60.ts', functionOf(60)],
  ['apps/ledger/src/default.ts', `${union} switch (kind) { case 'one': break; default: }`],
  ['apps/ledger/src/promises.ts', `${promise} void work(); setTimeout(work, 1);`],
  ['apps/ledger/src/disabled.ts', '// oxlint-disable-next-line eqeqeq -- a reason\nexport const is = (it: unknown) => it == 1;'],
];

// Not a link of the system: a path that does not begin with the workspace's has no project.
const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'tire-rules-')));
process.on('exit', () => rmSync(workspace, { recursive: true, force: true }));

function write(file, text) {
  mkdirSync(dirname(join(workspace, file)), { recursive: true });
  writeFileSync(join(workspace, file), text);
}

const settings = [
  ...['.oxlintrc.json', 'nx.json', 'package.json', 'tsconfig.base.json', 'tsconfig.json'],
  ...['apps/console/tsconfig.json', 'apps/capture/tsconfig.json', 'clients/typescript/tsconfig.json'],
];
const projects = execFileSync('git', ['ls-files', '*/project.json'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
for (const file of [...settings, ...projects]) cpSync(join(ROOT, file), join(workspace, file));
symlinkSync(join(ROOT, 'node_modules'), join(workspace, 'node_modules'));
const { paths } = JSON.parse(readFileSync(join(ROOT, 'tsconfig.base.json'), 'utf8')).compilerOptions;
for (const file of [...Object.values(paths).flat(), 'apps/share/src/app.module.ts']) write(file, 'export {};\n');
for (const [file, code] of [...REFUSED, ...ALLOWED]) write(file, `${code}\n`);

const bin = (name) => join(ROOT, 'node_modules/.bin', name);
const env = { ...process.env, NX_DAEMON: 'false', NX_WORKSPACE_ROOT_PATH: workspace };
execFileSync(bin('nx'), ['show', 'projects'], { cwd: workspace, env, stdio: ['ignore', 'ignore', 'inherit'] });
const { stdout, stderr } = spawnSync(bin('oxlint'), ['--format=json', 'apps', 'libs', 'deploy', 'clients'], {
  cwd: workspace,
  env,
  encoding: 'utf8',
});
process.stderr.write(stderr);
const { diagnostics } = JSON.parse(stdout);
const reportsOf = (name) => diagnostics.filter(({ filename }) => filename === name);
const show = (reports) => reports.map(({ code, message }) => `    ${code}: ${message}\n`).join('');

let broken = 0;
for (const [file, code, rule, says = ''] of REFUSED) {
  const reports = reportsOf(file);
  const refused = reports.some((report) => report.code === rule && `${report.message} ${report.help}`.includes(says));
  if (refused) continue;
  broken += 1;
  console.log(`NOT REFUSED by ${rule}  ${file}: ${code.slice(0, 120)}\n${show(reports)}`);
}
for (const [file, code] of ALLOWED) {
  const reports = reportsOf(file);
  if (reports.length === 0) continue;
  broken += 1;
  console.log(`NOT ALLOWED  ${file}: ${code.slice(0, 120)}\n${show(reports)}`);
}
const untested = Object.keys(JSON.parse(execFileSync(bin('oxlint'), ['--print-config'], { cwd: ROOT, encoding: 'utf8' })).rules)
  .map((rule) => rule.replace(/^(?:(\w+)\/)?(.+)$/, (_, plugin = 'eslint', name) => `${plugin}(${name})`))
  .filter((rule) => !REFUSED.some(([, , tested]) => tested === rule));
for (const rule of untested) console.log(`NOT TESTED  ${rule}`);
console.log(`${REFUSED.length} refused, ${ALLOWED.length} allowed, ${broken + untested.length} faults`);
process.exit(broken + untested.length > 0 ? 1 : 0);
