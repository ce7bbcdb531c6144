// The native binding of onnxruntime reads this, in the processes in which Jest runs the specs.
process.env.ORT_DISABLE_TELEMETRY = '1';

module.exports = require('../../jest.preset.cjs').forProject('inference', __dirname, ['src', 'tools']);
