import { createHash } from 'node:crypto';
import http, { IncomingMessage } from 'node:http';
import https from 'node:https';
import { finished } from 'node:stream/promises';
import { Client, S3Error } from 'minio';
import { readWhole, type ObjectFacts, type ObjectHeaders, type ObjectStore, type OpenObject, type PeekedObject } from './object-store';

export interface S3StoreOptions {
  /** The address that clients use. Upload and read addresses are signed for this host. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** The longest time without traffic during a request. */
  readonly idleTimeoutMs?: number;
}

/** Shorter than the deadline of the ledger for a registration. */
const IDLE_TIMEOUT_MS = 15_000;

const ABSENT = new Set(['NoSuchKey', 'NotFound']);

const absentIsFine = (error: unknown): undefined => {
  if (error instanceof S3Error && error.code !== undefined && ABSENT.has(error.code)) return undefined;
  throw error;
};

/** No range of an empty object can be read. */
const emptyIsFine = (error: unknown): 'empty' => {
  if (error instanceof S3Error && error.code === 'InvalidRange') return 'empty';
  throw error;
};

const withStart = (facts: ObjectFacts | undefined, start: Buffer): PeekedObject | undefined => facts && { ...facts, start };

const sizeIn = (contentRange: string | undefined): number | undefined => {
  const [, size] = /\/(\d+)$/.exec(contentRange ?? '') ?? [];
  return size === undefined ? undefined : Number(size);
};

const sentHeaders = ({ contentType, cacheControl }: ObjectHeaders): Record<string, string> => ({
  ...(contentType === undefined ? {} : { 'Content-Type': contentType }),
  ...(cacheControl === undefined ? {} : { 'Cache-Control': cacheControl }),
});

type Transport = NonNullable<ConstructorParameters<typeof Client>[0]['transport']>;

/** The client has no timeout of its own: a request to a server that stops responding would never end. */
const withIdleTimeout = (send: typeof http.request, idleTimeoutMs: number): Transport => ({
  request: ((options: http.RequestOptions, answered?: (response: IncomingMessage) => void) => {
    const request = send({ ...options, timeout: idleTimeoutMs }, answered);
    return request.once('timeout', () => request.destroy(new Error('The object store stopped responding')));
  }) as Transport['request'],
});

const isEncrypted = (endpoint: string): boolean => new URL(endpoint).protocol === 'https:';

export function s3Client({ endpoint, region, accessKey, secretKey, idleTimeoutMs = IDLE_TIMEOUT_MS }: S3StoreOptions): Client {
  const { hostname, port } = new URL(endpoint);
  return new Client({
    endPoint: hostname,
    port: port ? Number(port) : undefined,
    useSSL: isEncrypted(endpoint),
    region,
    accessKey,
    secretKey,
    transport: withIdleTimeout(isEncrypted(endpoint) ? https.request : http.request, idleTimeoutMs),
  });
}

/** Any server with the S3 protocol. The operator creates the bucket. */
export class S3Store implements ObjectStore {
  private readonly client: Client;
  private readonly bucket: string;
  private readonly isEncrypted: boolean;

  constructor(options: S3StoreOptions) {
    this.client = s3Client(options);
    this.bucket = options.bucket;
    this.isEncrypted = isEncrypted(options.endpoint);
  }

  signPut(key: string, lifetimeSeconds: number): Promise<string> {
    return this.client.presignedPutObject(this.bucket, key, lifetimeSeconds);
  }

  signGet(key: string, lifetimeSeconds: number): Promise<string> {
    return this.client.presignedGetObject(this.bucket, key, lifetimeSeconds);
  }

  async stat(key: string): Promise<ObjectFacts | undefined> {
    const found = await this.client.statObject(this.bucket, key).catch(absentIsFine);
    if (!found) return undefined;
    const headers = found.metaData as Record<string, string | undefined>;
    return { sizeBytes: found.size, contentType: headers['content-type'], cacheControl: headers['cache-control'] };
  }

  async peek(key: string, bytes: number): Promise<PeekedObject | undefined> {
    const body = await this.client.getPartialObject(this.bucket, key, 0, bytes).catch(absentIsFine).catch(emptyIsFine);
    if (body === undefined) return undefined;
    if (body === 'empty') return withStart(await this.stat(key), Buffer.alloc(0));
    if (!(body instanceof IncomingMessage)) throw new Error('The S3 client gave no HTTP answer');
    const { 'content-type': contentType, 'cache-control': cacheControl, 'content-range': range, 'content-length': length } = body.headers;
    const start = await readWhole({ sizeBytes: Number(length), contentType, cacheControl, body });
    return { sizeBytes: sizeIn(range) ?? start.length, contentType, cacheControl, start };
  }

  /** The facts come from the response with the bytes. A separate request could return those of another version. */
  async open(key: string): Promise<OpenObject | undefined> {
    const body = await this.client.getObject(this.bucket, key).catch(absentIsFine);
    if (!body) return undefined;
    if (!(body instanceof IncomingMessage)) throw new Error('The S3 client gave no HTTP answer');
    const { 'content-type': contentType, 'cache-control': cacheControl, 'content-length': length } = body.headers;
    return { sizeBytes: Number(length), contentType, cacheControl, body };
  }

  /**
   * putObject of the client copies the bytes twice and computes two digests, of which the server gets one. The server verifies
   * the bytes: over http by their signed SHA-256, over https by their MD5.
   */
  async put(key: string, bytes: Buffer, headers: ObjectHeaders): Promise<void> {
    const sha256 = this.isEncrypted ? '' : createHash('sha256').update(bytes).digest('hex');
    const md5 = this.isEncrypted ? { 'Content-MD5': createHash('md5').update(bytes).digest('base64') } : {};
    const answer = await this.client.makeRequestStreamAsync(
      {
        method: 'PUT',
        bucketName: this.bucket,
        objectName: key,
        headers: { ...sentHeaders(headers), ...md5, 'Content-Length': String(bytes.length) },
      },
      bytes,
      sha256,
      [200],
      '',
    );
    await finished(answer.resume());
  }

  async remove(key: string): Promise<void> {
    await this.client.removeObject(this.bucket, key);
  }

  async *list(prefix: string, after = ''): AsyncIterable<string> {
    for await (const item of this.client.listObjectsV2(this.bucket, prefix, true, after)) {
      const { name } = item as { name?: string };
      if (name !== undefined) yield name;
    }
  }

  async check(): Promise<void> {
    if (!(await this.client.bucketExists(this.bucket))) throw new Error('the bucket does not exist');
  }
}
