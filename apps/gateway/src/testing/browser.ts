import { ConsoleError, CurrentSession } from '@tire/contracts/console';
import { newId } from '@tire/kernel';
import { Readable } from 'node:stream';
import { administer } from '../administration/administration';

export interface ConsoleReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: unknown;
  readonly error: ConsoleError['error'] | undefined;
}

interface Sent {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

export const PASSWORD = 'correct horse battery';

/** Acts as a browser does for the console: keeps the cookie, sends the origin and the CSRF token. */
export class Browser {
  cookie = '';
  /** The cookie by which the console knows the browser. */
  browserCookie = '';
  csrfToken = '';

  constructor(
    private readonly origin: string,
    readonly address = '192.0.2.1',
  ) {}

  async call(method: string, path: string, { body, headers = {} }: Sent = {}): Promise<ConsoleReply> {
    const response = await fetch(`${this.origin}/console/api${path}`, {
      method,
      redirect: 'manual',
      headers: {
        'x-forwarded-for': this.address,
        ...(this.cookie || this.browserCookie ? { cookie: [this.cookie, this.browserCookie].filter(Boolean).join('; ') } : {}),
        ...(method === 'GET' ? {} : { origin: this.origin, 'x-csrf-token': this.csrfToken }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    for (const given of response.headers.getSetCookie()) {
      const cookie = given.split(';', 1)[0]!;
      if (cookie.includes('-browser=')) this.browserCookie = cookie;
      else this.cookie = cookie;
    }
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    const json: unknown = isJson ? JSON.parse(text) : undefined;
    const error = response.status >= 400 ? ConsoleError.parse(json).error : undefined;
    return { status: response.status, headers: response.headers, text, json, error };
  }

  async signIn(email: string, password = PASSWORD): Promise<CurrentSession> {
    const { status, text } = await this.call('POST', '/session', { body: { email, password } });
    if (status !== 200) throw new Error(`Signing in was answered ${status}: ${text}`);
    return this.refresh();
  }

  async refresh(): Promise<CurrentSession> {
    const session = CurrentSession.parse((await this.call('GET', '/session')).json);
    this.csrfToken = session.csrf_token;
    return session;
  }
}

/** An organization with an owner, created by the command line. */
export async function newOrganization(databaseUrl: string): Promise<{ organizationId: string; email: string }> {
  const email = `owner-${newId()}@shop.example`;
  const args = ['create-organization', '--name', 'Shop', '--owner-email', email, '--password-stdin', '--json'];
  const { id } = JSON.parse(await administer(args, Readable.from([PASSWORD]), () => databaseUrl)) as { id: string };
  return { organizationId: id, email };
}

/** A user who has accepted an invitation. */
export async function invited(
  owner: Browser,
  guest: Browser,
  organizationId: string,
  role: string,
  email: string,
): Promise<CurrentSession> {
  const { json } = await owner.call('POST', `/organizations/${organizationId}/invitations`, { body: { email, role } });
  const token = (json as { link: string }).link.split('#')[1];
  const accepted = await guest.call('POST', '/invitations/accept', { body: { token, name: `A ${role}`, password: PASSWORD } });
  if (accepted.status !== 200) throw new Error(`The invitation was answered ${accepted.status}: ${accepted.text}`);
  return guest.refresh();
}
