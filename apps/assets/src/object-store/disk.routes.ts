import { DomainError } from '@tire/kernel';
import { errorAnswer } from '@tire/platform';
import { type INestApplication, PayloadTooLargeException, RequestTimeoutException, UnsupportedMediaTypeException } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Server } from 'node:http';
import { Readable } from 'node:stream';
import { byteRange } from './byte-range';
import { ObjectTooLarge } from './disk-file';
import type { SignedMethod } from './disk-signature';
import type { DiskStore } from './disk.store';

/** 20 MB at 0.5 Mbit/s. The general request timeout is for small bodies. */
const UPLOAD_TIMEOUT_MS = 320_000;

const NO_IMAGE_TYPE = 'The Content-Type of an upload must be image/jpeg or image/png.';

/** CORS preflight for uploads from another origin. */
const PREFLIGHT = {
  'access-control-allow-methods': 'GET, HEAD, PUT',
  'access-control-allow-headers': 'cache-control, content-type',
  'access-control-max-age': '600',
};

type ObjectRequest = FastifyRequest<{ Params: { '*': string } }>;

function allowedKey(store: DiskStore, request: ObjectRequest, method: SignedMethod): string {
  const key = request.params['*'];
  const query = new URLSearchParams(request.url.split('?')[1] ?? '');
  if (store.isValidAddress({ method, key, expires: query.get('expires'), signature: query.get('signature') })) return key;
  throw new DomainError('forbidden', { message: 'The address is not valid or has expired.' });
}

/** The types of the interface, and what many call the first one. A PUT without one is accepted: the bytes decide. */
const IMAGE_TYPE = /^image\/(?:jpe?g|png)\s*(?:;|$)/i;

async function receive(store: DiskStore, maxBytes: number, request: ObjectRequest, reply: FastifyReply): Promise<void> {
  const key = allowedKey(store, request, 'PUT');
  // The rest of a refused body is not read, so the connection closes after the response.
  void reply.header('connection', 'close');
  const type = request.headers['content-type'];
  if (type && !IMAGE_TYPE.test(type)) throw new UnsupportedMediaTypeException();
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw new PayloadTooLargeException();
  const body = request.body instanceof Readable ? request.body : Readable.from([]);
  const headers = { contentType: request.headers['content-type'], cacheControl: request.headers['cache-control'] };
  try {
    await store.put(key, body, headers);
  } catch (error) {
    if (error instanceof ObjectTooLarge) throw new PayloadTooLargeException();
    if (request.raw.destroyed && !request.raw.complete) throw new RequestTimeoutException();
    throw error;
  }
  await reply.removeHeader('connection').code(200).send();
}

async function deliver(store: DiskStore, request: ObjectRequest, reply: FastifyReply): Promise<void> {
  const key = allowedKey(store, request, 'GET');
  const object = await store.openFile(key);
  if (!object) throw new DomainError('not_found');
  const { sizeBytes, offsetBytes, file } = object;
  const range = byteRange(request.headers.range, sizeBytes);
  void reply.header('accept-ranges', 'bytes').header('last-modified', object.modifiedAt.toUTCString());
  if (range === 'unsatisfiable') {
    await file.close();
    return void (await reply.code(416).header('content-range', `bytes */${sizeBytes}`).send());
  }
  const { start, end } = range === 'whole' ? { start: 0, end: sizeBytes - 1 } : range;
  if (range !== 'whole') void reply.code(206).header('content-range', `bytes ${start}-${end}/${sizeBytes}`);
  if (object.cacheControl !== undefined) void reply.header('cache-control', object.cacheControl);
  void reply.header('content-type', object.contentType ?? 'application/octet-stream').header('content-length', end - start + 1);
  if (request.method === 'HEAD' || end < start) {
    await file.close();
    return void (await reply.send());
  }
  await reply.send(file.createReadStream({ start: offsetBytes + start, end: offsetBytes + end }));
}

/** Registers on Fastify directly, so that uploads stream to the disk without the body parsers of the service. */
export function serveDiskStore(app: Pick<INestApplication, 'getHttpAdapter' | 'getHttpServer'>, store: DiskStore, maxBytes: number): void {
  (app.getHttpServer() as Server).requestTimeout = UPLOAD_TIMEOUT_MS;
  const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
  void fastify.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, parsed) => parsed(null, payload));
    scope.setErrorHandler((error, _request, reply) => {
      // Fastify itself refuses what is no media type.
      const isOtherType = Object(error).statusCode === 415;
      const { status, body } = errorAnswer(isOtherType ? new UnsupportedMediaTypeException() : error);
      const message = status === 415 ? NO_IMAGE_TYPE : body.error.message;
      return reply
        .code(status)
        .type('application/json; charset=utf-8')
        .send({ error: { ...body.error, message } });
    });
    // A browser shows an upload only as the image that it claims to be, and never runs it in this origin.
    scope.addHook('onRequest', (_request, reply, next) => {
      void reply.header('x-content-type-options', 'nosniff').header('content-security-policy', "default-src 'none'; sandbox");
      // Any origin may use an address: the signature authorizes the request, and no cookie is used.
      void reply.header('access-control-allow-origin', '*');
      next();
    });
    scope.options('/objects/*', (_request, reply) => reply.code(204).headers(PREFLIGHT).send());
    scope.put('/objects/*', { bodyLimit: maxBytes }, (request, reply) => receive(store, maxBytes, request as ObjectRequest, reply));
    const exposeHeadRoute = false;
    scope.head('/objects/*', (request, reply) => deliver(store, request as ObjectRequest, reply));
    scope.get('/objects/*', { exposeHeadRoute }, (request, reply) => deliver(store, request as ObjectRequest, reply));
    done();
  });
}
