import { Controller, Get, Header, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isPdfPath, tokenIn } from '../domain/link';
import { PdfService } from '../pdf/pdf.service';
import { VehiclePageService } from '../vehicles/vehicle-page.service';
import { closedPage } from './document/closed-page';
import { askedBy, type AskingRequest } from './words/language';
import { PageService } from './page.service';
import type { Words } from './words/words';
import { ENGLISH } from './words/words-en';
import { KOREAN } from './words/words-ko';

const cardOf = ({ card }: Words): Buffer => readFileSync(join(__dirname, '../../assets', card));
const CARDS = { korean: cardOf(KOREAN), english: cardOf(ENGLISH) };

@Controller()
export class PageController {
  constructor(
    private readonly pages: PageService,
    private readonly pdfs: PdfService,
    private readonly vehicles: VehiclePageService,
  ) {}

  @Get(`r/${KOREAN.card}`)
  @Header('content-type', 'image/png')
  @Header('cache-control', 'public, max-age=86400')
  @Header('x-content-type-options', 'nosniff')
  card(): Buffer {
    return CARDS.korean;
  }

  @Get(`r/${ENGLISH.card}`)
  @Header('content-type', 'image/png')
  @Header('cache-control', 'public, max-age=86400')
  @Header('x-content-type-options', 'nosniff')
  englishCard(): Buffer {
    return CARDS.english;
  }

  @Get('r/:token(^[^.]+).pdf')
  pdf(@Param('token') token: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return send(reply, this.pdfs.open(tokenIn(token), askedBy(request)));
  }

  @Get('r/:token(^[^.]+$)')
  page(@Param('token') token: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return send(reply, this.pages.open(tokenIn(token), askedBy(request)));
  }

  /** Of a vehicle. Text after the token is handled as for reports. */
  @Get('r/v/*')
  vehicle(@Param('*') text: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const [token, asked] = [tokenIn(text), askedBy(request)];
    return send(reply, isPdfPath(text) ? this.vehicles.pdf(token, asked) : this.vehicles.open(token, asked));
  }

  /** Any other address, for example one that a messenger cut short or made longer. A person reads the answer. */
  @Get(['r', 'r/*'])
  other(@Param('*') text: string | undefined, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const [token, asked] = [tokenIn(text ?? ''), askedBy(request)];
    return send(reply, isPdfPath(text ?? '') ? this.pdfs.open(token, asked) : this.pages.open(token, asked));
  }
}

/** `br;q=0` refuses it. */
const BROTLI = /(?:^|,)\s*br\s*(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))(?:;|,|$)/i;
const takesBrotli = ({ headers }: FastifyRequest): boolean => BROTLI.test(String(headers['accept-encoding'] ?? ''));

type Answer = Awaited<ReturnType<PageService['open']> | ReturnType<PdfService['open']> | ReturnType<VehiclePageService['open']>>;

async function send(reply: FastifyReply, opened: Promise<Answer>): Promise<void> {
  const { status, headers, ...answer } = await opened;
  reply.status(status).headers(headers);
  if ('html' in answer) return void (await reply.send(answer.html));
  if ('brotli' in answer) reply.header('vary', 'accept-encoding');
  const brotli = 'brotli' in answer && takesBrotli(reply.request) ? answer.brotli : undefined;
  if (brotli) reply.header('content-encoding', 'br');
  await reply.send(brotli ?? answer.body);
}

/** An address that cannot be decoded reaches no route, for example one that was cut within a letter. */
export function answerBroken(request: AskingRequest): { status: number; headers: Record<string, string>; body: string } | undefined {
  if (!request.url.startsWith('/r/')) return undefined;
  const { status, headers, html } = closedPage('unknown', askedBy(request).preferred);
  return { status, headers, body: html };
}
