import { logger } from '@tire/platform';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

export interface StaticFile {
  readonly type: string;
  readonly etag: string;
  readonly bytes: Buffer;
  /** Null where it would not be smaller. */
  readonly brotli: Buffer | null;
  /** Its name holds a digest of what is in it. */
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
};

/** What Vite names a file in assets/: name-digest.ext. */
const HASHED = /^assets\/.+-[\w-]{8,}\.\w+$/;
const COMPRESSIBLE = /^(text|application|image\/svg)/;

function staticFile(root: string, path: string): StaticFile | null {
  const type = TYPES[extname(path)];
  if (!type) return null;
  const bytes = readFileSync(join(root, path));
  const brotli = COMPRESSIBLE.test(type) ? brotliCompressSync(bytes) : null;
  return {
    type,
    bytes,
    brotli: brotli && brotli.length < bytes.length ? brotli : null,
    etag: `"${createHash('sha256').update(bytes).digest('base64url')}"`,
    immutable: HASHED.test(path),
  };
}

/**
 * The whole built site in memory, read once: it is small, and an address can name nothing that lies outside of it, however it is
 * written.
 */
export function readSite(root: string): ReadonlyMap<string, StaticFile> {
  const site = new Map<string, StaticFile>();
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name).slice(root.length).split(sep).join('/').replace(/^\/+/, '');
    const file = staticFile(root, path);
    if (file) site.set(path, file);
    else logger('console').warn({ file: path }, 'A file of the console has a type that is not served');
  }
  if (!site.has('index.html')) throw new Error(`${root} has no index.html: it is no build of the console`);
  return site;
}
