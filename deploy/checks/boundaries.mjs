// Tests the import rules of eslint.config.mjs: each fixture below breaks one rule, and ESLint must report it.
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';

const FIXTURES = [
  { file: 'apps/ledger/src/main.ts', code: "import '../../share/src/app.module';", rule: '@nx/enforce-module-boundaries' },
  { file: 'libs/kernel/src/index.ts', code: "import '@tire/platform';", rule: '@nx/enforce-module-boundaries' },
  { file: 'libs/platform/src/index.ts', code: "import '@tire/eventing';", rule: '@nx/enforce-module-boundaries' },
  { file: 'libs/contracts/src/api/index.ts', code: "import '@tire/platform';", rule: '@nx/enforce-module-boundaries' },
  { file: 'apps/ledger/src/main.ts', code: "import { connect } from 'nats'; export const c = connect;", rule: 'no-restricted-imports' },
  {
    file: 'apps/ledger/src/main.ts',
    code: "import { startNats } from '@tire/test-harness'; export const s = startNats;",
    rule: 'no-restricted-imports',
  },
  {
    file: 'apps/ledger/src/domain/templates.ts',
    code: "import { DataSource } from 'typeorm'; export const d = DataSource;",
    rule: 'no-restricted-imports',
  },
  { file: 'apps/ledger/src/app.module.ts', code: "export const port = process.env['PORT'];", rule: 'no-restricted-properties' },
];

// The rules of imports need no types, without which a program of the whole repository is not built.
const eslint = new ESLint({ overrideConfig: [tseslint.configs.disableTypeChecked] });
let broken = 0;
for (const { file, code, rule } of FIXTURES) {
  const [result] = await eslint.lintText(`${code}\n`, { filePath: file });
  const refused = result.messages.some(({ ruleId }) => ruleId === rule);
  console.log(`${refused ? 'refused' : 'NOT REFUSED'}  ${file}: ${code}`);
  if (!refused) {
    broken += 1;
    console.log(result.messages.map(({ ruleId, message }) => `    ${ruleId}: ${message}`).join('\n'));
  }
}
process.exit(broken ? 1 : 0);
