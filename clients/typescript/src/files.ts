import { ImageFileError } from './errors.ts';

/** The path of a file (Node only), or its bytes. */
export type ImageFile = string | Blob | Uint8Array | ArrayBuffer;

export const IMAGE_BYTES_MAX = 20 * 1024 * 1024;

export interface OpenedImage {
  readonly contentType: 'image/jpeg' | 'image/png';
  /** Read when its upload begins: eight photographs are not in memory at once. */
  bytes(): Promise<Blob>;
}

interface FileSystem {
  open(path: string): Promise<{
    stat(): Promise<{ size: number }>;
    read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<unknown>;
    close(): Promise<void>;
  }>;
  readFile(path: string): Promise<Uint8Array<ArrayBuffer>>;
}

/** Not imported, so that bundles for browsers do without it. */
function fileSystem(): FileSystem {
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): unknown } };
  const found = process?.getBuiltinModule?.('node:fs/promises');
  if (!found) throw new TypeError('There are no paths here: give the bytes or a Blob.');
  return found as FileSystem;
}

const SIGNATURE_BYTES = 8;

async function opened(id: string, file: ImageFile): Promise<{ size: number; head: Uint8Array; bytes: () => Promise<Blob> }> {
  if (typeof file !== 'string') {
    const blob = file instanceof Blob ? file : new Blob([file as Uint8Array<ArrayBuffer> | ArrayBuffer]);
    return {
      size: blob.size,
      head: new Uint8Array(await blob.slice(0, SIGNATURE_BYTES).arrayBuffer()),
      bytes: () => Promise.resolve(blob),
    };
  }
  const system = fileSystem();
  const handle = await system.open(file).catch((error: { code?: string }) => {
    throw new ImageFileError(id, `the file ${file} cannot be opened (${error.code ?? 'unknown'}).`);
  });
  try {
    const head = new Uint8Array(SIGNATURE_BYTES);
    await handle.read(head, 0, SIGNATURE_BYTES, 0);
    return { size: (await handle.stat()).size, head, bytes: async () => new Blob([await system.readFile(file)]) };
  } finally {
    await handle.close();
  }
}

const startsWith = (head: Uint8Array, signature: readonly number[]): boolean => signature.every((byte, index) => head[index] === byte);

/** Refuses what the service would refuse after the upload. */
export async function openImage(id: string, file: ImageFile): Promise<OpenedImage> {
  const { size, head, bytes } = await opened(id, file);
  if (size === 0) throw new ImageFileError(id, 'the file is empty.');
  if (size > IMAGE_BYTES_MAX) throw new ImageFileError(id, `the file has ${size} bytes, more than the ${IMAGE_BYTES_MAX} allowed.`);
  if (startsWith(head, [0xff, 0xd8, 0xff])) return { contentType: 'image/jpeg', bytes };
  if (startsWith(head, [0x89, 0x50, 0x4e, 0x47])) return { contentType: 'image/png', bytes };
  throw new ImageFileError(id, 'the file is neither JPEG nor PNG.');
}
