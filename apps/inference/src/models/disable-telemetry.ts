/**
 * onnxruntime reads this variable when its native binding loads. The assignment reaches the native environment in the main thread only: a
 * worker thread has a copy of `process.env`. Import this file before anything that loads the binding or starts such a thread.
 */
// eslint-disable-next-line no-restricted-properties -- written for the native code, not read
process.env['ORT_DISABLE_TELEMETRY'] = '1';
