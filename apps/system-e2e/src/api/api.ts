import type { ErrorEnvelope, Report } from '@tire/contracts/api';
import { declaredAnswer } from './declared-answer';
import { endpointOf, type Answers, type Operation } from './operations';

export interface Call {
  report?: string;
  vehicle?: string;
  contentRevision?: string;
  query?: string;
  body?: unknown;
  /** Sent verbatim instead of a JSON body. */
  raw?: string | Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
}

/** A response that the interface declares for the operation. Any other response throws before. */
export class Answer<O extends Operation> {
  constructor(
    readonly operation: O,
    readonly status: number,
    readonly headers: Headers,
    readonly text: string,
  ) {}

  get done(): Answers[O] {
    if (this.status >= 300) throw new Error(`${this.operation} answered ${this.status}: ${this.text}`);
    return JSON.parse(this.text) as Answers[O];
  }

  get error(): ErrorEnvelope['error'] {
    if (this.status < 400) throw new Error(`${this.operation} was not refused but answered ${this.status}: ${this.text}`);
    return (JSON.parse(this.text) as ErrorEnvelope).error;
  }

  /** The fields on which clients branch. */
  get refusal(): [status: number, code: string, param: string | null] {
    const { code, param } = this.error;
    return [this.status, code, param];
  }
}

/** A partner with one key. Every response is checked against the interface. */
export class Api {
  constructor(
    private readonly baseUrl: string,
    /** The whole Authorization header, or none. */
    private readonly authorization: string | undefined,
  ) {}

  async call<O extends Operation>(operation: O, call: Call = {}): Promise<Answer<O>> {
    const { method, path } = endpointOf(operation);
    const filled = path
      .replace('{report_id}', call.report ?? '')
      .replace('{content_revision}', call.contentRevision ?? '')
      .replace('{external_vehicle_id}', call.vehicle ?? '');
    const body = call.raw ?? (call.body === undefined ? undefined : JSON.stringify(call.body));
    const response = await fetch(`${this.baseUrl}${filled}${call.query ? `?${call.query}` : ''}`, {
      method: method.toUpperCase(),
      headers: {
        ...(this.authorization === undefined ? {} : { authorization: this.authorization }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...call.headers,
      },
      body,
    });
    const answer = new Answer(operation, response.status, response.headers, await response.text());
    const fault = declaredAnswer(answer);
    if (fault) throw new Error(`${operation} ${filled} answered ${answer.status} ${answer.text.slice(0, 2_000)}: ${fault}`);
    return answer;
  }

  create = (body: object = {}, headers?: Record<string, string>) => this.call('createReport', { body, headers });
  report = async (report: string): Promise<Report> => (await this.call('getReport', { report })).done;
}
