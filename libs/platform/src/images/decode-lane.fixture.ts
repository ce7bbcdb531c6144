import type { Decoded, FromDecoder, ToDecoder } from './decode-protocol';

// Stands in for a process that decodes: the bytes of the image are its instructions. One of the lowest priority is killed at its start.
const kept: Buffer[] = [];
const DECODED: Decoded = { kind: 'pixels', image: { width: 1, height: 1, rgb: new Uint8Array(3), orientation: 1 } };
const send = (message: FromDecoder) => process.send?.(message);
let isSignalled = false;
let onSignal = () => undefined as void;
process.on('SIGUSR2', () => {
  isSignalled = true;
  onSignal();
});

process.on('message', ({ bytes }: ToDecoder) => {
  const what = Buffer.from(bytes).toString();
  if (what.startsWith('SIG')) return process.kill(process.pid, what as NodeJS.Signals);
  if (what === 'grow') return kept.push(Buffer.alloc(700 * 1024 * 1024, 1));
  if (what === 'keep') kept.push(Buffer.alloc(250 * 1024 * 1024, 1));
  onSignal = () => void send({ kind: 'decoded', decoded: DECODED });
  if (what !== 'hold' || isSignalled) onSignal();
});
process.on('disconnect', () => process.exit(0));
if (process.argv[2] === '19') process.kill(process.pid, 'SIGKILL');
else send({ kind: 'ready', warmUpCpuMs: 1 });
