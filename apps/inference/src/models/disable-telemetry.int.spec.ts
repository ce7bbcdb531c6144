import { spawnTypeScript, tempDir } from '@tire/test-harness';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** Node loads this before a program and before its child processes. The report shows the native environment, which the binding reads. */
const PRELOADED = `
  const { dlopen } = process;
  process.dlopen = function (module, file, ...rest) {
    if (file.includes('onnxruntime_binding')) {
      const { ORT_DISABLE_TELEMETRY } = process.report.getReport().environmentVariables;
      require('node:fs').writeSync(1, JSON.stringify({ ORT_DISABLE_TELEMETRY }) + '\\n');
    }
    return dlopen.call(this, module, file, ...rest);
  };
`;

it.each(['main', 'child'])('telemetry of onnxruntime is off before its binding loads in a %s process', async (place) => {
  const preloaded = join(await tempDir(), 'preloaded.cjs');
  await writeFile(preloaded, PRELOADED);
  const child = spawnTypeScript(
    join(__dirname, '../testing/load-binding.fixture.ts'),
    [place],
    { NODE_OPTIONS: `--require ${preloaded}`, ORT_DISABLE_TELEMETRY: '' },
    'pipe',
  );
  const [output, errors, [code]] = await Promise.all([text(child.stdout!), text(child.stderr!), once(child, 'exit')]);
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  const loads = output.trim().split('\n');
  expect(loads.map((line) => JSON.parse(line) as object)).toEqual([{ ORT_DISABLE_TELEMETRY: '1' }]);
});
