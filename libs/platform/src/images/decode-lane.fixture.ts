import type { DecodedImage, FromDecoder, ToDecoder } from './decode-protocol';

// A process that decodes, which does what the bytes of the image say. That of the heavy lane is killed at its start.
const kept: Buffer[] = [];
const IMAGE: DecodedImage = { width: 1, height: 1, data: new Uint8Array(3), orientation: 1 };
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
  onSignal = () => void send({ kind: 'decoded', image: IMAGE });
  if (what !== 'hold' || isSignalled) onSignal();
});
process.on('disconnect', () => process.exit(0));
if (process.argv[2] === 'heavy') process.kill(process.pid, 'SIGKILL');
else send({ kind: 'ready', warmUpCpuMs: 1 });
