import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 24 * 3_600_000;

const generateKeys = () => webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']) as Promise<webcrypto.CryptoKeyPair>;

async function privateKeyPem(key: webcrypto.CryptoKey): Promise<string> {
  const base64 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key)).toString('base64');
  return `-----BEGIN PRIVATE KEY-----\n${base64.match(/.{1,64}/g)!.join('\n')}\n-----END PRIVATE KEY-----\n`;
}

export interface TestCa {
  /** The certificate of the authority, for clients that must trust it. */
  ca: string;
  cert: string;
  key: string;
}

/** A new certificate authority and its certificate for 127.0.0.1 and localhost, as PEM. */
export async function testCa(validDays = 365): Promise<TestCa> {
  const [caKeys, leafKeys] = await Promise.all([generateKeys(), generateKeys()]);
  const validity = { notBefore: new Date(Date.now() - DAY_MS), notAfter: new Date(Date.now() + validDays * DAY_MS) };
  const authority = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=Tire local certificate authority',
    keys: caKeys,
    signingAlgorithm: ALGORITHM,
    ...validity,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
    ],
  });
  const leaf = await X509CertificateGenerator.create({
    subject: 'CN=127.0.0.1',
    issuer: authority.subject,
    signingKey: caKeys.privateKey,
    publicKey: leafKeys.publicKey,
    signingAlgorithm: ALGORITHM,
    ...validity,
    extensions: [
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension([
        { type: 'ip', value: '127.0.0.1' },
        { type: 'dns', value: 'localhost' },
      ]),
    ],
  });
  return { ca: authority.toString('pem'), cert: leaf.toString('pem'), key: await privateKeyPem(leafKeys.privateKey) };
}
