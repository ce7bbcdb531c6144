import { databaseConfig, grpcAddress, loopbackOrigin, serviceConfig } from '@tire/platform';
import { z } from 'zod';
import { readSealingKeys } from './domain/sealing';

export const gatewayConfig = z
  .object({
    ...serviceConfig,
    ...databaseConfig,
    LEDGER_GRPC_URL: grpcAddress().describe('Address (host:port) of the ledger service.'),
    CONTENT_GRPC_URL: grpcAddress().describe('Address (host:port) of the content service.'),
    SHARE_GRPC_URL: grpcAddress().describe('Address (host:port) of the share service.'),
    PUBLIC_API_URL: z
      .url()
      .transform((url) => url.replace(/\/+$/, ''))
      .describe('Address of the public API as clients reach it, ending in /api/v1; links in answers start with it.'),
    RATE_LIMIT_PER_SECOND: z.coerce
      .number()
      .min(0)
      .max(1_000_000)
      .default(1_000)
      .describe('Requests a second that one key may send to one gateway process in the long run; 0 switches the limit off.'),
    RATE_LIMIT_BURST: z.coerce
      .number()
      .int()
      .min(1)
      .max(1_000_000)
      .default(2_000)
      .describe('Requests that one key may send at once before RATE_LIMIT_PER_SECOND binds it.'),
    REQUESTS_IN_FLIGHT_MAX: z.coerce
      .number()
      .int()
      .min(1)
      .max(100_000)
      .default(2_000)
      .describe('Requests that one gateway process answers at the same time; one more is refused with 429.'),
    SHED_LOOP_LAG_MS: z.coerce
      .number()
      .int()
      .min(0)
      .max(60_000)
      .default(250)
      .describe('Requests are refused with 429 while the event loop is later than this again and again; 0: never.'),
    KEY_USE_FLUSH_SECONDS: z.coerce.number().int().min(1).max(3_600).default(30).describe('How often the last use of API keys is written.'),
    CONSOLE_ROOT: z
      .string()
      .optional()
      .describe('Folder of the built web console, served at /console; without it the gateway has the API of the console only.'),
    OBJECT_STORE_PUBLIC_ORIGIN: z
      .url()
      .optional()
      .describe('Origin from which browsers load photographs and to which they upload them; the console lets them reach no other.'),
    CONSOLE_IDLE_MINUTES: z.coerce
      .number()
      .int()
      .min(1)
      .max(1_440)
      .default(60)
      .describe('A session of the console ends when it is unused this long.'),
    CONSOLE_SESSION_HOURS: z.coerce
      .number()
      .int()
      .min(1)
      .max(720)
      .default(12)
      .describe('A session of the console ends after this time, used or not.'),
    PROXY_HOPS: z.coerce
      .number()
      .int()
      .min(0)
      .max(10)
      .default(0)
      .describe('Proxies of this installation before the gateway, each of which appends to X-Forwarded-For; 0: who connects is who asks.'),
    CONSOLE_SECRET_KEY: z
      .string()
      .refine((text) => readSealingKeys(text) !== null, 'must be id:base64 of 32 random bytes, or several with commas between')
      .optional()
      .describe(
        'Seals the secrets of one-time codes: id:base64 of 32 random bytes; to replace it, put the new one behind it with a comma, in front when every process has it, and take the old one away an hour later. Required in production.',
      ),
    CONSOLE_OIDC_ISSUER: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('OpenID Connect: the issuer whose accounts open the console too, for members and for who was invited; over https.'),
    CONSOLE_OIDC_CLIENT_ID: z
      .string()
      .optional()
      .describe('OpenID Connect: the client; its redirect address is <origin of PUBLIC_API_URL>/console/api/session/openid/callback.'),
    CONSOLE_OIDC_CLIENT_SECRET: z.string().optional().describe('OpenID Connect: secret of the client; without it, a public one with PKCE.'),
    CONSOLE_OIDC_NAME: z.string().max(40).optional().describe('OpenID Connect: what the button on the sign-in page says; else the host.'),
  })
  .superRefine((config, context) => {
    const { NODE_ENV, CONSOLE_SECRET_KEY, CONSOLE_OIDC_ISSUER, CONSOLE_OIDC_CLIENT_ID, CONSOLE_OIDC_CLIENT_SECRET } = config;
    const fault = (variable: keyof typeof config, message: string) => context.addIssue({ code: 'custom', path: [variable], message });
    if (NODE_ENV === 'production' && CONSOLE_SECRET_KEY === undefined) fault('CONSOLE_SECRET_KEY', 'needed in production');
    if (CONSOLE_OIDC_ISSUER === undefined) {
      if (CONSOLE_OIDC_CLIENT_ID ?? CONSOLE_OIDC_CLIENT_SECRET) fault('CONSOLE_OIDC_ISSUER', 'needed with a client');
      return;
    }
    if (CONSOLE_OIDC_CLIENT_ID === undefined) fault('CONSOLE_OIDC_CLIENT_ID', 'needed with CONSOLE_OIDC_ISSUER');
    if (!CONSOLE_OIDC_ISSUER.startsWith('https:') && (NODE_ENV === 'production' || loopbackOrigin(CONSOLE_OIDC_ISSUER) === undefined))
      fault('CONSOLE_OIDC_ISSUER', 'must be an https address');
  });

export type GatewayConfig = z.infer<typeof gatewayConfig>;

/** What the admin command reads: it runs beside the service, with the same variable. */
export const adminConfig = z.object({ DATABASE_URL: databaseConfig.DATABASE_URL });
