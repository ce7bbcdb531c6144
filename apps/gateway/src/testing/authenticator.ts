import { isoCBOR } from '@simplewebauthn/server/helpers';
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

type Options = Readonly<Record<string, unknown>>;
type Encoded = Parameters<typeof isoCBOR.encode>[0];

interface Holding {
  /** Whether the device checked who holds it. */
  readonly verifies?: boolean;
  /** Whether it counts its signatures. Authenticators of telephones do not. */
  readonly counts?: boolean;
}

const [PRESENT, VERIFIED, WITH_KEY] = [0x01, 0x04, 0x40];
const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
const base64url = (data: string | Buffer): string => Buffer.from(data).toString('base64url');

/** Signs as a security key does, over what a browser of this origin sends. */
export class Authenticator {
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly id = base64url(randomBytes(16));
  counter = 0;

  constructor(
    private readonly origin: string,
    private readonly holding: Holding = {},
  ) {}

  register({ challenge }: Options) {
    const { x = '', y = '' } = this.keys.publicKey.export({ format: 'jwk' });
    const key = new Map<number, Encoded>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
      [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
    ]);
    const id = Buffer.from(this.id, 'base64url');
    const length = Buffer.from([0, id.length]);
    const authData = Buffer.concat([this.data(WITH_KEY), Buffer.alloc(16), length, id, isoCBOR.encode(key)]);
    const object = new Map<string, Encoded>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', new Uint8Array(authData)],
    ]);
    const clientDataJSON = this.clientData('webauthn.create', challenge);
    return this.answer({ clientDataJSON, attestationObject: base64url(Buffer.from(isoCBOR.encode(object))), transports: ['usb'] });
  }

  use({ challenge }: Options, over: { readonly origin?: string; readonly id?: string } = {}) {
    if (this.holding.counts) this.counter += 1;
    const authenticatorData = this.data(0);
    const clientDataJSON = this.clientData('webauthn.get', challenge, over.origin);
    const signed = Buffer.concat([authenticatorData, sha256(Buffer.from(clientDataJSON, 'base64url'))]);
    const signature = base64url(sign('sha256', signed, this.keys.privateKey));
    return this.answer({ clientDataJSON, authenticatorData: base64url(authenticatorData), signature }, over.id);
  }

  private answer(response: object, id = this.id) {
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }

  private clientData(type: string, challenge: unknown, origin = this.origin): string {
    return base64url(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  private data(flags: number): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(this.counter);
    const verified = (this.holding.verifies ?? true) ? VERIFIED : 0;
    return Buffer.concat([sha256(new URL(this.origin).hostname), Buffer.from([flags | PRESENT | verified]), count]);
  }
}
