import { CLOCK, type Clock } from '@tire/kernel';
import { Database } from '@tire/platform';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import { Clients } from '../edge/client';
import { RateLimiter } from '../edge/rate-limiter';
import { digestOf } from '../identity/secrets';
import { stopByReceiver } from './stops.store';

export const STOP_PATH = 's';

const TOKEN = /^[\w-]{22}$/;
/** Programs of mail providers press many links from one address. A guess has 128 bits to find. */
const OF_ADDRESS = { perSecond: 5, burst: 100 };
const BODY_BYTES_MAX = 4_096;

const STYLE =
  'body{font:1.125rem/1.6 system-ui,sans-serif;max-width:32rem;margin:0 auto;padding:3rem 1.25rem;color:#1a1a1a;background:#fff}h1{font-size:1.375rem}' +
  'button{font:inherit;padding:.75rem 1.25rem;border:0;border-radius:.5rem;background:#1a56b8;color:#fff;cursor:pointer}' +
  '@media (prefers-color-scheme:dark){body{color:#eee;background:#161616}button{background:#8ab4f8;color:#111}}';

const HEADERS = {
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex',
};

const TEXTS = {
  ko: {
    title: '점검 알림 받지 않기',
    ask: '이 정비소의 타이어 점검 알림을 그만 받으시겠습니까?',
    submit: '알림 받지 않기',
    done: '알림을 중지했습니다',
    later: '지금은 요청이 너무 많아 누른 것이 반영되지 않았습니다. 1분 뒤에 다시 눌러 주세요.',
    after: '이 정비소의 점검 알림을 더 이상 보내지 않습니다. 방금 발송이 시작된 알림은 도착할 수 있습니다.',
  },
  en: {
    title: 'Stop reminders',
    ask: 'Do you want to stop reminders from this shop?',
    submit: 'Stop reminders',
    done: 'Reminders are stopped',
    later: 'There are too many requests now. What you pressed did not count. Press again in a minute.',
    after: 'This shop sends you no more reminders of inspections. One that is being sent at this moment may still arrive.',
  },
} as const;

/**
 * The page that stops reminders, without a sign-in. A look at it changes nothing, because programs follow links; the button and one-click
 * unsubscribe of mail programs (RFC 8058) send a POST. An unknown token gets the same answers, so that they do not show which tokens exist.
 */
@Injectable()
export class StopPage implements OnModuleInit {
  private readonly addresses = new RateLimiter(OF_ADDRESS);

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly clients: Clients,
    private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    // Loaded when the server starts, after the hooks of all other parts.
    void fastify.register((scope, _options, done) => {
      // The form and the mail programs send what is not read: the address says all.
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: BODY_BYTES_MAX }, (_request, _body, parsed) => parsed(null));
      scope.get(`/${STOP_PATH}/:token`, (request, reply) => this.answer(request, reply, false));
      scope.post(`/${STOP_PATH}/:token`, (request, reply) => this.answer(request, reply, true));
      done();
    });
  }

  private async answer(request: FastifyRequest, reply: FastifyReply, stops: boolean): Promise<FastifyReply> {
    const { admitted } = this.addresses.take(this.clients.addressOf(request), this.clock.now().getTime());
    reply.headers(HEADERS).type('text/html; charset=utf-8');
    const language = languageOf(request);
    if (!admitted)
      return reply
        .code(429)
        .header('retry-after', '60')
        .send(page(language, stops ? 'later' : 'ask'));
    const { token } = request.params as { token: string };
    if (stops && TOKEN.test(token)) await stopByReceiver(this.database, digestOf(token), this.clock.now());
    return reply.send(page(language, stops ? 'done' : 'ask'));
  }
}

/** The customers of a Korean service read Korean, unless their browser asks for English first. */
const languageOf = ({ headers }: FastifyRequest): keyof typeof TEXTS => (/^\s*en\b/i.test(headers['accept-language'] ?? '') ? 'en' : 'ko');

/** `later`: a press that did not count. */
function page(language: keyof typeof TEXTS, state: 'ask' | 'later' | 'done'): string {
  const { title, ask, submit, done, later, after } = TEXTS[language];
  const isDone = state === 'done';
  const content = isDone
    ? `<h1>${done}</h1><p>${after}</p>`
    : `<h1>${title}</h1><p>${state === 'later' ? later : ask}</p><form method="post"><button type="submit">${submit}</button></form>`;
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${isDone ? done : title}</title><style>${STYLE}</style></head><body><main>${content}</main></body></html>`;
}
