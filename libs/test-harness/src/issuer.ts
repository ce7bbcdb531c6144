import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An account of the provider, and the claims about it. */
export interface IssuerAccount {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean | string;
}

interface Grant {
  readonly account: IssuerAccount;
  readonly nonce: string;
  readonly codeChallenge: string;
  readonly redirectUri: string;
  /** Whether the request has max_age, for the time of the sign-in. */
  readonly hasMaxAge: boolean;
}

const CLIENT = { id: 'console', secret: 'secret of the client' };

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

interface Faults {
  claims: Record<string, unknown>;
  key: KeyObject;
  atUserInfo: IssuerAccount | null;
  /** While this promise is pending, the token endpoint does not answer. */
  silence: Promise<void> | null;
  hasFault: boolean;
}

const newKey = (): KeyObject => generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey;

/** A local provider of OpenID Connect that can return wrong claims. */
export async function startIssuer() {
  const [key, stranger] = [newKey(), newKey()];
  const faults: Faults = { claims: {}, key, atUserInfo: null, silence: null, hasFault: false };
  const grants = new Map<string, Grant>();
  const tokenCalls = { count: 0 };
  let present: IssuerAccount | null = null;
  const server = createServer((request, response) => {
    const { href, pathname } = new URL(request.url ?? '/', originOf(server));
    if (pathname === '/authorize' && present) return void response.writeHead(303, { location: agree(href, present).href }).end();
    answer(request, { origin: originOf(server), key, grants, faults, tokenCalls }).then(
      ([status, body]) => send(response, status, body),
      () => send(response, 500, {}),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = originOf(server);
  const agree = (authorizationUrl: string, account: IssuerAccount, over: Record<string, string> = {}): URL => {
    const wanted = new URL(authorizationUrl).searchParams;
    const code = randomBytes(16).toString('hex');
    const redirectUri = wanted.get('redirect_uri') ?? '';
    const parameters = {
      nonce: wanted.get('nonce') ?? '',
      codeChallenge: wanted.get('code_challenge') ?? '',
      hasMaxAge: wanted.has('max_age'),
    };
    grants.set(code, { account, redirectUri, ...parameters });
    const back = new URL(redirectUri);
    for (const [name, value] of Object.entries({ code, state: wanted.get('state') ?? '', iss: origin, ...over }))
      back.searchParams.set(name, value);
    return back;
  };
  return {
    origin,
    client: CLIENT,
    faults,
    stranger,
    /** The number of requests to the token endpoint. */
    calls: () => tokenCalls.count,
    /** The user consents. Returns the address to which the provider redirects the browser. */
    agree,
    /** The account that is signed in. The provider redirects browsers back at once. */
    admit: (account: IssuerAccount) => void (present = account),
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

const originOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

interface Provider {
  readonly origin: string;
  readonly key: KeyObject;
  readonly grants: Map<string, Grant>;
  readonly faults: Faults;
  readonly tokenCalls: { count: number };
}

async function answer(request: IncomingMessage, provider: Provider): Promise<[number, object]> {
  const { origin, key, faults } = provider;
  switch (request.url) {
    case '/.well-known/openid-configuration':
      return [200, metadata(origin)];
    case '/keys':
      return [200, { keys: [{ ...createPublicKey(key).export({ format: 'jwk' }), kid: '1', alg: 'RS256', use: 'sig' }] }];
    case '/userinfo':
      return [200, faults.atUserInfo ?? {}];
    case '/token':
      provider.tokenCalls.count += 1;
      await faults.silence;
      if (faults.hasFault) return [500, {}];
      return token(new URLSearchParams(await bodyOf(request)), provider);
    default:
      return [404, {}];
  }
}

/** A code is valid for one request, whether it succeeds or fails. */
function token(form: URLSearchParams, provider: Provider): [number, object] {
  const code = form.get('code') ?? '';
  const grant = provider.grants.get(code);
  provider.grants.delete(code);
  const verifier = form.get('code_verifier') ?? '';
  const right =
    form.get('client_id') === CLIENT.id &&
    form.get('client_secret') === CLIENT.secret &&
    grant?.codeChallenge === createHash('sha256').update(verifier).digest('base64url') &&
    grant.redirectUri === form.get('redirect_uri');
  if (!right) return [400, { error: 'invalid_grant' }];
  return [200, { access_token: 'access', token_type: 'Bearer', expires_in: 300, id_token: idToken(grant, provider) }];
}

function idToken({ account, nonce, hasMaxAge }: Grant, { origin, faults }: Provider): string {
  const nowSeconds = Math.floor(Date.now() / 1_000);
  const time = hasMaxAge ? { auth_time: nowSeconds } : {};
  const claims = { iss: origin, aud: CLIENT.id, iat: nowSeconds, exp: nowSeconds + 300, nonce, ...time, ...account, ...faults.claims };
  const signed = `${base64url({ alg: 'RS256', kid: '1' })}.${base64url(claims)}`;
  return `${signed}.${sign('sha256', Buffer.from(signed), faults.key).toString('base64url')}`;
}

const metadata = (origin: string) => ({
  issuer: origin,
  authorization_endpoint: `${origin}/authorize`,
  token_endpoint: `${origin}/token`,
  userinfo_endpoint: `${origin}/userinfo`,
  jwks_uri: `${origin}/keys`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
});

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
}

const send = (response: ServerResponse, status: number, body: object): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
