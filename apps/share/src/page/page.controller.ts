import { Controller, Get, Header, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asksForPdf, tokenIn } from '../domain/link';
import { PdfService } from '../pdf/pdf.service';
import { closedPage } from './closed-page';
import { CARD_PATH, PageService } from './page.service';

const CARD = readFileSync(join(__dirname, '../../assets/card.png'));

@Controller()
export class PageController {
  constructor(
    private readonly pages: PageService,
    private readonly pdfs: PdfService,
  ) {}

  /** The same image for every report: a chat must not show what only the page may show. */
  @Get(CARD_PATH)
  @Header('content-type', 'image/png')
  @Header('cache-control', 'public, max-age=86400')
  @Header('x-content-type-options', 'nosniff')
  card(): Buffer {
    return CARD;
  }

  @Get('r/:token(^[^.]+).pdf')
  pdf(@Param('token') token: string, @Res() reply: FastifyReply): Promise<void> {
    return send(reply, this.pdfs.open(tokenIn(token)));
  }

  @Get('r/:token(^[^.]+$)')
  page(@Param('token') token: string, @Res() reply: FastifyReply): Promise<void> {
    return send(reply, this.pages.open(tokenIn(token)));
  }

  /** Any other address, for example one that a messenger cut short or made longer. A person reads the answer. */
  @Get(['r', 'r/*'])
  other(@Param('*') text: string | undefined, @Res() reply: FastifyReply): Promise<void> {
    const token = tokenIn(text ?? '');
    return send(reply, asksForPdf(text ?? '') ? this.pdfs.open(token) : this.pages.open(token));
  }
}

async function send(reply: FastifyReply, opened: ReturnType<PageService['open']> | ReturnType<PdfService['open']>): Promise<void> {
  const { status, headers, body } = await opened;
  await reply.status(status).headers(headers).send(body);
}

/** An address that cannot be decoded reaches no route, for example one that was cut within a letter. */
export function answerBroken(path: string): { status: number; headers: Record<string, string>; body: string } | undefined {
  if (!path.startsWith('/r/')) return undefined;
  const { status, headers, html } = closedPage('unknown');
  return { status, headers, body: html };
}
