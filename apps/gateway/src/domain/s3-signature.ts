import { createHash, createHmac } from 'node:crypto';

/** An S3 server and a bucket of it, and who writes there. */
interface Bucket {
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

interface PutFile {
  readonly key: string;
  readonly contentType: string;
  readonly sha256: Buffer;
}

interface SignedRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

type Headers = Readonly<Record<string, string>>;
type Credentials = Pick<Bucket, 'region' | 'accessKeyId' | 'secretAccessKey'>;

const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const hexDigest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** 20261127T030000Z */
const stampOf = (at: Date): string => at.toISOString().replaceAll(/[-:]|\.\d+/g, '');

/** RFC 3986, and no slash. */
const encoded = (segment: string): string =>
  encodeURIComponent(segment).replaceAll(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * The Authorization header of a PUT, Signature Version 4. The names of the headers are in lower case; they include host, x-amz-date and
 * x-amz-content-sha256.
 */
export function authorizationOf(path: string, headers: Headers, { region, accessKeyId, secretAccessKey }: Credentials): string {
  const stamp = headers['x-amz-date']!;
  const names = Object.keys(headers).sort();
  const signedHeaders = names.join(';');
  const canonical = ['PUT', path, '', ...names.map((name) => `${name}:${headers[name]!.trim()}`), '', signedHeaders];
  const request = [...canonical, headers['x-amz-content-sha256']!].join('\n');
  const scope = `${stamp.slice(0, 8)}/${region}/s3/aws4_request`;
  const key = ['s3', 'aws4_request'].reduce(hmac, hmac(hmac(`AWS4${secretAccessKey}`, stamp.slice(0, 8)), region));
  const signature = hmac(key, `AWS4-HMAC-SHA256\n${stamp}\n${scope}\n${hexDigest(request)}`).toString('hex');
  return `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope},SignedHeaders=${signedHeaders},Signature=${signature}`;
}

/**
 * One PUT of a file, signed with the SHA-256 of its content: the server refuses other bytes. The object keeps it for its reader, as the
 * checksum of S3 and, because not every server has those, in its metadata too.
 */
export function signedPut(bucket: Bucket, { key, contentType, sha256 }: PutFile, at: Date): SignedRequest {
  const { host } = new URL(bucket.endpoint);
  const path = `/${[bucket.bucket, ...key.split('/')].map(encoded).join('/')}`;
  const headers = {
    host,
    'content-type': contentType,
    'x-amz-checksum-sha256': sha256.toString('base64'),
    'x-amz-content-sha256': sha256.toString('hex'),
    'x-amz-date': stampOf(at),
    'x-amz-meta-sha256': sha256.toString('hex'),
  };
  return { url: `${bucket.endpoint}${path}`, headers: { ...headers, authorization: authorizationOf(path, headers, bucket) } };
}
