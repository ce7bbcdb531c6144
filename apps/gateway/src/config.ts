import {
  baseUrl,
  callerConfig,
  databaseConfig,
  grpcAddress,
  loopbackOrigin,
  outboundConfig,
  readSealingKeys,
  retentionDays,
  serviceConfig,
  trustedProxies,
} from '@tire/platform';
import { z } from 'zod';
import { smsConfig, smsFaults } from './messages/sms.config';
import { smtpConfig, smtpFaults } from './messages/smtp.config';

export const configSchema = z
  .object({
    ...serviceConfig,
    ...callerConfig,
    ...databaseConfig,
    LEDGER_GRPC_URL: grpcAddress().describe('Address (host:port) of the ledger service.'),
    CONTENT_GRPC_URL: grpcAddress().describe('Address (host:port) of the content service.'),
    SHARE_GRPC_URL: grpcAddress().describe('Address (host:port) of the share service.'),
    ASSETS_GRPC_URL: grpcAddress().describe('Address (host:port) of the assets service, which stores exported files.'),
    PUBLIC_API_URL: baseUrl().describe(
      'Address of the public API as clients reach it, ending in /api/v1; links in responses start with it.',
    ),
    SHARE_BASE_URL: baseUrl()
      .optional()
      .describe(
        'Address below which share pages open, as people reach it; default: the origin of PUBLIC_API_URL. Previews of messages show it.',
      ),
    RATE_LIMIT_PER_SECOND: z.coerce
      .number()
      .min(0)
      .max(1_000_000)
      .default(1_000)
      .describe(
        'Sustained requests per second of one key to one gateway process; the keys of a project together have twice as many. 0: no limit.',
      ),
    RATE_LIMIT_BURST: z.coerce
      .number()
      .int()
      .min(1)
      .max(1_000_000)
      .default(2_000)
      .describe(
        'Requests that one key may send at once before RATE_LIMIT_PER_SECOND applies; the keys of a project together twice as many.',
      ),
    REQUESTS_IN_FLIGHT_MAX: z.coerce
      .number()
      .int()
      .min(1)
      .max(100_000)
      .default(2_000)
      .describe(
        'Requests that one gateway process handles at the same time, and bodies that arrive at the same time in units of 32 KiB; further ones get 429. One key gets at most a third of them, one project half, one organization two thirds.',
      ),
    SHED_LOOP_LAG_MS: z.coerce
      .number()
      .int()
      .min(0)
      .max(60_000)
      .default(250)
      .describe('Requests get 429 while the event loop is repeatedly later than this; 0: never.'),
    KEY_USE_FLUSH_SECONDS: z.coerce
      .number()
      .int()
      .min(1)
      .max(3_600)
      .default(30)
      .describe('Interval at which the last use of API keys is written.'),
    REQUEST_LOG_RETENTION_DAYS: retentionDays('request_log', 30).describe(
      'After how many days entries of the request log are removed in projects that chose nothing else in the console.',
    ),
    MESSAGE_RETENTION_DAYS: retentionDays('messages', 180).describe(
      'After how many days ended messages to customers are forgotten in projects that chose nothing else.',
    ),
    AUDIT_RETENTION_DAYS: retentionDays('audit_log', 730).describe(
      'After how many days entries of the audit log are removed: those of organizations and accounts, and of projects that chose nothing else.',
    ),
    RETENTION_INTERVAL_MS: z.coerce
      .number()
      .int()
      .min(1_000)
      .default(600_000)
      .describe('How often the gateway looks for what is kept no longer.'),
    BACKUP_DAYS: z.coerce
      .number()
      .int()
      .min(0)
      .max(3_650)
      .default(30)
      .describe(
        'For how many days backups of this installation are kept. Certificates of erasure name the day until which they may have the data.',
      ),
    CONSOLE_ROOT: z
      .string()
      .optional()
      .describe('Folder of the built web console, served at /console. Without it the gateway serves only the API of the console.'),
    GUIDE_ROOT: z
      .string()
      .optional()
      .describe("Folder of the built partner's guide, served at /docs. Without it the gateway serves only the API references there."),
    CAPTURE_ROOT: z.string().optional().describe('Folder of the built capture page, served at /c. Without it capture links open nothing.'),
    OBJECT_STORE_PUBLIC_ORIGIN: z
      .url()
      .optional()
      .describe(
        'Origin of the object store. The console allows browsers to load images from it and to upload images to it, and to no other origin.',
      ),
    CONSOLE_IDLE_MINUTES: z.coerce
      .number()
      .int()
      .min(1)
      .max(1_440)
      .default(60)
      .describe('A session of the console ends if it is unused for this time.'),
    CONSOLE_SESSION_HOURS: z.coerce
      .number()
      .int()
      .min(1)
      .max(720)
      .default(12)
      .describe('A session of the console ends after this time, used or not.'),
    TRUSTED_PROXIES: trustedProxies().describe(
      'Addresses and networks of the proxies of this installation, separated by commas. What they append to X-Forwarded-For is trusted, and nothing else. Empty: the address of the connection is the client.',
    ),
    CONSOLE_SECRET_KEY: z
      .string()
      .refine((text) => readSealingKeys(text) !== null, 'must be id:base64 of 32 random bytes, or several with commas between')
      .optional()
      .describe(
        'Seals the secrets of one-time codes, the data of customers, the secret keys of their buckets, mail that waits, and the key by which customers are found by phone: id:base64 of 32 random bytes. Without it all of them are lost: keep a copy apart from the backups. To replace it: append the new key after a comma; when every process has it, move it to the front; remove the old key an hour later, and not while the log says that some values are still sealed with another key. Required in production.',
      ),
    CONSOLE_OIDC_ISSUER: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('OpenID Connect: the issuer whose users can sign in to the console, if they are members or invited; https.'),
    CONSOLE_OIDC_CLIENT_ID: z
      .string()
      .optional()
      .describe('OpenID Connect: the client id. Its redirect address is <origin of PUBLIC_API_URL>/console/api/session/openid/callback.'),
    CONSOLE_OIDC_CLIENT_SECRET: z
      .string()
      .optional()
      .describe('OpenID Connect: the client secret. Without it the client is public and uses PKCE only.'),
    CONSOLE_OIDC_NAME: z
      .string()
      .max(40)
      .optional()
      .describe('OpenID Connect: the name on the button of the sign-in page; default: the host of the issuer.'),
    KAKAO_SDK_URL: z
      .url({ protocol: /^https?$/ })
      .regex(/^[\w.:/@%-]+$/)
      .default('https://t1.kakaocdn.net/kakao_js_sdk/2.7.4/kakao.min.js')
      .describe('The script with which projects that have a key of Kakao share links in KakaoTalk.'),
    KAKAO_SDK_INTEGRITY: z
      .string()
      .regex(/^sha(256|384|512)-[A-Za-z0-9+/]+=*$/)
      .default('sha384-DKYJZ8NLiK8MN4/C5P2dtSmLQ4KwPaoqAfyA/DfmEc1VDxu4yyC7wy6K1Hs90nka')
      .describe('Subresource integrity of that script, as Kakao publishes it. Browsers run no other bytes.'),
    ...smtpConfig,
    ...smsConfig,
    ...outboundConfig,
  })
  .superRefine((config, context) => {
    const { NODE_ENV, CONSOLE_SECRET_KEY, CONSOLE_OIDC_ISSUER, CONSOLE_OIDC_CLIENT_ID, CONSOLE_OIDC_CLIENT_SECRET } = config;
    const fault = (variable: keyof typeof config, message: string) => context.addIssue({ code: 'custom', path: [variable], message });
    for (const { variable, message } of [...smtpFaults(config), ...smsFaults(config)]) fault(variable, message);
    if (NODE_ENV === 'production' && CONSOLE_SECRET_KEY === undefined) fault('CONSOLE_SECRET_KEY', 'needed in production');
    if (CONSOLE_OIDC_ISSUER === undefined) {
      if (CONSOLE_OIDC_CLIENT_ID ?? CONSOLE_OIDC_CLIENT_SECRET) fault('CONSOLE_OIDC_ISSUER', 'needed with a client');
      return;
    }
    if (CONSOLE_OIDC_CLIENT_ID === undefined) fault('CONSOLE_OIDC_CLIENT_ID', 'needed with CONSOLE_OIDC_ISSUER');
    if (!CONSOLE_OIDC_ISSUER.startsWith('https:') && (NODE_ENV === 'production' || loopbackOrigin(CONSOLE_OIDC_ISSUER) === undefined))
      fault('CONSOLE_OIDC_ISSUER', 'must be an https address');
  });

export type Config = z.infer<typeof configSchema>;

/** The environment of the admin command, which runs beside the service. */
export const adminConfig = z.object({ DATABASE_URL: databaseConfig.DATABASE_URL });

/** The environment of `admin report explain`, which asks the services. */
export const explainConfig = z.object({
  ...callerConfig,
  DATABASE_URL: databaseConfig.DATABASE_URL,
  LEDGER_GRPC_URL: configSchema.shape.LEDGER_GRPC_URL,
  SHARE_GRPC_URL: configSchema.shape.SHARE_GRPC_URL,
});

/** The environment of `admin erasure`. */
export const erasureConfig = z
  .object({
    ...callerConfig,
    NODE_ENV: configSchema.shape.NODE_ENV,
    DATABASE_URL: databaseConfig.DATABASE_URL,
    LEDGER_GRPC_URL: configSchema.shape.LEDGER_GRPC_URL,
    SHARE_GRPC_URL: configSchema.shape.SHARE_GRPC_URL,
    CONTENT_GRPC_URL: configSchema.shape.CONTENT_GRPC_URL,
    PUBLIC_API_URL: configSchema.shape.PUBLIC_API_URL,
    CONSOLE_SECRET_KEY: configSchema.shape.CONSOLE_SECRET_KEY,
  })
  .refine(({ NODE_ENV, CONSOLE_SECRET_KEY }) => NODE_ENV !== 'production' || CONSOLE_SECRET_KEY !== undefined, {
    path: ['CONSOLE_SECRET_KEY'],
    message: 'needed in production',
  });
