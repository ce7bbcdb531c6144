/** onnxruntime reads this variable when its native binding loads: import this file before anything that loads it. */
// oxlint-disable-next-line no-restricted-properties -- written for the native code, not read
process.env['ORT_DISABLE_TELEMETRY'] = '1';
