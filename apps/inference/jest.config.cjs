// The native binding of onnxruntime reads this, in the processes in which Jest runs the specs.
process.env.ORT_DISABLE_TELEMETRY = '1';

const preset = require('../../jest.preset.cjs')({ displayName: 'inference', rootDir: __dirname, infrastructure: true });
module.exports = { ...preset, testMatch: [...preset.testMatch, '<rootDir>/tools/**/*.spec.ts'] };
