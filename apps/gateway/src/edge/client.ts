import { logger, senderOf, type TrustedProxies } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { browserToken } from '../identity/sessions/cookie';
import { CONSOLE_SETTINGS, type ConsoleSettings } from '../site/console-settings';
import { TRUSTED_PROXIES } from '../tokens';

/** The source of a request. */
export interface Client {
  readonly address: string;
  readonly userAgent: string;
  /** Of the cookie by which the console knows a browser. */
  readonly browserToken: string | null;
}

const USER_AGENT_LENGTH_MAX = 300;

@Injectable()
export class Clients {
  private readonly log = logger('clients');
  private warned = false;

  constructor(
    @Inject(TRUSTED_PROXIES) private readonly proxies: TrustedProxies,
    @Inject(CONSOLE_SETTINGS) private readonly settings: ConsoleSettings,
  ) {}

  addressOf({ headers, socket }: FastifyRequest): string {
    const { address, claims } = senderOf(socket.remoteAddress, headers['x-forwarded-for'], this.proxies);
    if (claims) this.warn(address);
    return address;
  }

  of(request: FastifyRequest): Client {
    const userAgent = request.headers['user-agent'] ?? '';
    return {
      address: this.addressOf(request),
      userAgent: printable(userAgent).slice(0, USER_AGENT_LENGTH_MAX),
      browserToken: browserToken(request, this.settings.cookie),
    };
  }

  /** Once. If it is the ingress, all clients share its address, and with it every limit of an address. */
  private warn(address: string): void {
    if (this.warned) return;
    this.warned = true;
    this.log.warn({ address }, 'X-Forwarded-For is ignored, because its sender is not in TRUSTED_PROXIES');
  }
}

const printable = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, '?');
