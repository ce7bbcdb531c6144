import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';

export interface ReadObjectOptions {
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
}

/**
 * Reads one object of a store. Its address comes from an operator or from assets. `timeoutMs` bounds the whole response. `fetch` takes
 * more CPU.
 */
export async function readObject(url: string, { timeoutMs, maxBytes, signal }: ReadObjectOptions): Promise<Buffer> {
  const ended = new AbortController();
  const timer = setTimeout(() => ended.abort(new Error(`no end within ${timeoutMs} ms`)), timeoutMs);
  const abort = () => ended.abort(signal!.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort, { once: true });
  try {
    ended.signal.throwIfAborted();
    return await bodyOf(await answerOf(url, ended.signal), maxBytes);
  } catch (error) {
    // Its reason says more than the error of the connection that it ended.
    ended.signal.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

/** The global agents keep connections. One that the store closed meanwhile is no fault of the store: the request is sent again on a new one. */
async function answerOf(url: string, signal: AbortSignal, agent?: false): Promise<IncomingMessage> {
  const request = (url.startsWith('https:') ? httpsRequest : httpRequest)(url, { signal, agent });
  const answer = new Promise<IncomingMessage>((resolve, reject) => request.once('response', resolve).on('error', reject));
  request.end();
  return answer.catch((cause: unknown) => {
    if (request.reusedSocket && !signal.aborted) return answerOf(url, signal, false);
    throw new Error('the store cannot be reached', { cause });
  });
}

/** An answer that is not read to its end ends its connection. */
async function bodyOf(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  if (response.statusCode !== 200) {
    response.destroy();
    throw new Error(`the store answered ${response.statusCode}`);
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error(`the object is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes);
}
