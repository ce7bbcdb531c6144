import { logger } from '@tire/platform';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { brotliCompressSync, constants } from 'node:zlib';

export interface StaticFile {
  readonly type: string;
  readonly etag: string;
  readonly bytes: Buffer;
  /** Null if it is not smaller. */
  readonly brotli: Buffer | null;
  /** The name contains a digest of the content. */
  readonly immutable: boolean;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.onnx': 'application/octet-stream',
  '.tgz': 'application/gzip',
  '.whl': 'application/zip',
};

/** Vite names files in assets/ like this: name-digest.ext. */
const HASHED = /^assets\/.+-[\w-]{8,}\.\w+$/;
/** A file of many megabytes is compressed by the build, because here that would take a second of each start. */
const COMPRESSED = '.br';
const COMPRESSIBLE = /^(text|application(?!\/(gzip|zip))|image\/svg)/;

function staticFile(root: string, path: string, change: (html: string) => string): StaticFile | null {
  const type = TYPES[extname(path)];
  if (!type) return null;
  const bytes = readFileSync(join(root, path));
  const compressed = `${join(root, path)}${COMPRESSED}`;
  if (existsSync(compressed)) return fileOf(type, bytes, HASHED.test(path), readFileSync(compressed));
  return fileOf(type, path.endsWith('.html') ? change(bytes.toString()) : bytes, HASHED.test(path));
}

/** A megabyte of script takes 30 ms and becomes 3 % larger than with the best quality, which takes 2 s. */
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

export function fileOf(type: string, content: Buffer | string, immutable = false, compressed?: Buffer): StaticFile {
  const bytes = Buffer.from(content);
  const brotli = compressed ?? (COMPRESSIBLE.test(type) ? brotliCompressSync(bytes, QUALITY) : null);
  return {
    type,
    bytes,
    brotli: brotli && brotli.length < bytes.length ? brotli : null,
    etag: `"${createHash('sha256').update(bytes).digest('base64url')}"`,
    immutable,
  };
}

const YEAR_SECONDS = 31_536_000;

export function sendFile(request: FastifyRequest, reply: FastifyReply, file: StaticFile, headers: Record<string, string>): FastifyReply {
  reply.headers({ ...headers, etag: file.etag, vary: 'accept-encoding' });
  reply.header('cache-control', file.immutable ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache');
  if (request.headers['if-none-match'] === file.etag) return reply.code(304).send();
  const isCompressed = file.brotli !== null && /\bbr\b/.test(String(request.headers['accept-encoding'] ?? ''));
  return isCompressed ? reply.type(file.type).header('content-encoding', 'br').send(file.brotli) : reply.type(file.type).send(file.bytes);
}

/** Reads a built site into memory, once: it is small, and no request can reach a file outside of it. */
export function readSite(root: string, change: (html: string) => string = (html) => html): ReadonlyMap<string, StaticFile> {
  const site = new Map<string, StaticFile>();
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name.endsWith(COMPRESSED)) continue;
    const path = join(entry.parentPath, entry.name).slice(root.length).split(sep).join('/').replace(/^\/+/, '');
    const file = staticFile(root, path, change);
    if (file) site.set(path, file);
    else logger('site').warn({ root, file: path }, 'A file of a site is not served: its type is unknown');
  }
  if (!site.has('index.html')) throw new Error(`${root} has no index.html: it is no build of a site`);
  return site;
}
