import { spawnTypeScript, tempDir } from '@tire/test-harness';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
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

it.each(['main', 'child'])(
  'telemetry of onnxruntime is off before its binding loads in a %s process, which writes nothing to the home folder',
  async (place) => {
    const [preloaded, home] = [join(await tempDir(), 'preloaded.cjs'), await tempDir()];
    await writeFile(preloaded, PRELOADED);
    const child = spawnTypeScript(
      join(__dirname, '../testing/load-binding.fixture.ts'),
      [place],
      { NODE_OPTIONS: `--require ${preloaded}`, ORT_DISABLE_TELEMETRY: '', HOME: home, XDG_CACHE_HOME: '' },
      'pipe',
    );
    const [output, errors, [code]] = await Promise.all([text(child.stdout!), text(child.stderr!), once(child, 'exit')]);
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    const loads = output.trim().split('\n');
    expect(loads.map((line) => JSON.parse(line) as object)).toEqual([{ ORT_DISABLE_TELEMETRY: '1' }]);
    // The compiler of the test has a cache there, too.
    const written = await readdir(home, { recursive: true });
    expect(written.filter((path) => /microsoft|onnx/i.test(path))).toEqual([]);
  },
);
