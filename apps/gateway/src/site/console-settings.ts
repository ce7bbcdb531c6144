import { readSealingKeys, type SealingKeys } from '@tire/platform';
import { createHash, createSecretKey } from 'node:crypto';
import type { KakaoSdk } from './kakao-frame';

export const CONSOLE_SETTINGS = Symbol('ConsoleSettings');

export interface ConsoleSettings {
  /** The origin under which browsers reach the console. */
  readonly origin: string;
  /** Address below which share pages open. */
  readonly shareBaseUrl: string;
  readonly cookie: CookieSettings;
  readonly idleMs: number;
  readonly absoluteMs: number;
  /** Folder of the built site; null: only the API is served. */
  readonly root: string | null;
  /** Where browsers download and upload images. */
  readonly objectsOrigin: string | null;
  /** The script of Kakao, for projects with a key. */
  readonly kakaoSdk: KakaoSdk;
  /** OpenID Connect sign-in. */
  readonly openId: OpenIdSettings | null;
  /** Newest first. */
  readonly sealingKeys: SealingKeys;
}

export interface OpenIdSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** Null: a public client, which PKCE alone protects. */
  readonly clientSecret: string | null;
  /** Shown on the sign-in button. */
  readonly name: string;
}

export interface CookieSettings {
  readonly name: string;
  readonly secure: boolean;
}

/** The development key is not secret. In production the gateway does not start without its own key. */
const DEVELOPMENT_KEYS: SealingKeys = [{ id: 'development', key: createSecretKey(createHash('sha256').update('development').digest()) }];

const MINUTE_MS = 60_000;

interface Configuration {
  readonly NODE_ENV: 'development' | 'test' | 'production';
  readonly PUBLIC_API_URL: string;
  readonly SHARE_BASE_URL?: string;
  readonly CONSOLE_IDLE_MINUTES: number;
  readonly CONSOLE_SESSION_HOURS: number;
  readonly CONSOLE_ROOT?: string;
  readonly OBJECT_STORE_PUBLIC_ORIGIN?: string;
  readonly CONSOLE_SECRET_KEY?: string;
  readonly KAKAO_SDK_URL: string;
  readonly KAKAO_SDK_INTEGRITY: string;
  readonly CONSOLE_OIDC_ISSUER?: string;
  readonly CONSOLE_OIDC_CLIENT_ID?: string;
  readonly CONSOLE_OIDC_CLIENT_SECRET?: string;
  readonly CONSOLE_OIDC_NAME?: string;
}

export function consoleSettings(config: Configuration): ConsoleSettings {
  const { origin, protocol } = new URL(config.PUBLIC_API_URL);
  // Browsers accept a __Host- cookie over TLS only: development without TLS uses another name, production never does.
  const plain = protocol === 'http:' && config.NODE_ENV !== 'production';
  return {
    origin,
    shareBaseUrl: config.SHARE_BASE_URL ?? origin,
    cookie: plain ? { name: 'console-development', secure: false } : { name: '__Host-console', secure: true },
    idleMs: config.CONSOLE_IDLE_MINUTES * MINUTE_MS,
    absoluteMs: config.CONSOLE_SESSION_HOURS * 60 * MINUTE_MS,
    root: config.CONSOLE_ROOT ?? null,
    objectsOrigin: config.OBJECT_STORE_PUBLIC_ORIGIN ?? null,
    kakaoSdk: { url: config.KAKAO_SDK_URL, integrity: config.KAKAO_SDK_INTEGRITY },
    openId: openIdSettings(config),
    sealingKeys: sealingKeysOf(config),
  };
}

export const sealingKeysOf = ({ CONSOLE_SECRET_KEY: keys }: Pick<Configuration, 'CONSOLE_SECRET_KEY'>): SealingKeys =>
  readSealingKeys(keys ?? '') ?? DEVELOPMENT_KEYS;

function openIdSettings(config: Configuration): OpenIdSettings | null {
  const { CONSOLE_OIDC_ISSUER: issuer, CONSOLE_OIDC_CLIENT_ID: clientId } = config;
  if (issuer === undefined || clientId === undefined) return null;
  const name = config.CONSOLE_OIDC_NAME ?? new URL(issuer).hostname;
  return { issuer, clientId, clientSecret: config.CONSOLE_OIDC_CLIENT_SECRET ?? null, name };
}
