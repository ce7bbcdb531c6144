import http, { IncomingMessage } from 'node:http';
import https from 'node:https';
import { Client, S3Error } from 'minio';
import type { ObjectFacts, ObjectHeaders, ObjectStore, OpenObject } from './object-store';

export interface S3StoreOptions {
  /** As clients reach it: addresses are signed for this host. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** How long a server may say and take nothing in the middle of a request. */
  readonly silenceMaxMs?: number;
}

/** Less than the ledger waits for a registration. */
const SILENCE_MAX_MS = 15_000;

const ABSENT = new Set(['NoSuchKey', 'NotFound']);

const absentIsFine = (error: unknown): undefined => {
  if (error instanceof S3Error && error.code !== undefined && ABSENT.has(error.code)) return undefined;
  throw error;
};

const sentHeaders = ({ contentType, cacheControl }: ObjectHeaders): Record<string, string> => ({
  ...(contentType === undefined ? {} : { 'Content-Type': contentType }),
  ...(cacheControl === undefined ? {} : { 'Cache-Control': cacheControl }),
});

type Transport = NonNullable<ConstructorParameters<typeof Client>[0]['transport']>;

/** The client knows no time limit of its own: a server that falls silent would hold its caller, and his place among few, for ever. */
const impatient = (send: typeof http.request, silenceMaxMs: number): Transport => ({
  request: ((options: http.RequestOptions, answered?: (response: IncomingMessage) => void) => {
    const request = send({ ...options, timeout: silenceMaxMs }, answered);
    return request.once('timeout', () => request.destroy(new Error('The object store fell silent')));
  }) as Transport['request'],
});

export function s3Client({ endpoint, region, accessKey, secretKey, silenceMaxMs = SILENCE_MAX_MS }: S3StoreOptions): Client {
  const { hostname, port, protocol } = new URL(endpoint);
  return new Client({
    endPoint: hostname,
    port: port ? Number(port) : undefined,
    useSSL: protocol === 'https:',
    region,
    accessKey,
    secretKey,
    transport: impatient(protocol === 'https:' ? https.request : http.request, silenceMaxMs),
  });
}

/** Any server of the S3 protocol. The bucket is the operator's: it is expected to exist. */
export class S3Store implements ObjectStore {
  private readonly client: Client;
  private readonly bucket: string;

  constructor(options: S3StoreOptions) {
    this.client = s3Client(options);
    this.bucket = options.bucket;
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

  /** The facts are those of the answer that brings the bytes: asked for apart, they could be another version's. */
  async open(key: string): Promise<OpenObject | undefined> {
    const body = await this.client.getObject(this.bucket, key).catch(absentIsFine);
    if (!body) return undefined;
    if (!(body instanceof IncomingMessage)) throw new Error('The S3 client gave no HTTP answer');
    const { 'content-type': contentType, 'cache-control': cacheControl, 'content-length': length } = body.headers;
    return { sizeBytes: Number(length), contentType, cacheControl, body };
  }

  async put(key: string, bytes: Buffer, headers: ObjectHeaders): Promise<void> {
    await this.client.putObject(this.bucket, key, bytes, bytes.length, sentHeaders(headers));
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
