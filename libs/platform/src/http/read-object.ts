export interface ReadObjectOptions {
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
}

/** Reads one object of a store. Its address comes from an operator or from assets. `timeoutMs` bounds the whole response. */
export async function readObject(url: string, { timeoutMs, maxBytes, signal }: ReadObjectOptions): Promise<Buffer> {
  const ended = new AbortController();
  const timer = setTimeout(() => ended.abort(new Error(`no end within ${timeoutMs} ms`)), timeoutMs);
  const abort = () => ended.abort(signal!.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort, { once: true });
  try {
    const response = await fetch(url, { redirect: 'error', signal: ended.signal }).catch((cause: unknown) => {
      ended.signal.throwIfAborted();
      throw new Error('the store cannot be reached', { cause });
    });
    return await readBody(response, maxBytes, ended.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

/** The signal of fetch does not end a body whose request has been garbage collected (seen with Node 20.20), hence the cancel. */
async function readBody(response: Response, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
  const reader = response.body?.getReader();
  const cancel = (): void => void reader?.cancel().catch(() => undefined);
  signal.addEventListener('abort', cancel, { once: true });
  try {
    if (!response.ok || !reader) throw new Error(`the store answered ${response.status}`);
    const chunks: Uint8Array[] = [];
    for (let bytes = 0; ;) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) return Buffer.concat(chunks);
      bytes += value.byteLength;
      if (bytes > maxBytes) throw new Error(`the object is larger than ${maxBytes} bytes`);
      chunks.push(value);
    }
  } finally {
    signal.removeEventListener('abort', cancel);
    // Ends the connection of a body that is not read to its end.
    cancel();
  }
}
