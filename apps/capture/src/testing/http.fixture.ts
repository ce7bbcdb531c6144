import type { IncomingMessage, ServerResponse } from 'node:http';

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  if (!request.complete) throw new Error('The request was cut.');
  return Buffer.concat(chunks);
}

export const answerError = (status: number, code: string, param: string | null = null): Answer => ({
  status,
  body: {
    error: { type: status >= 500 ? 'api_error' : 'invalid_request_error', code, message: 'For tests.', param, retryable: status >= 429 },
  },
});

export function json(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json', ...(status === 429 ? { 'retry-after': '1' } : {}) });
  response.end(body === undefined ? '' : JSON.stringify(body));
}
