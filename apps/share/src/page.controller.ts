import { Controller, Get, Header, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CARD_PATH, PageService } from './page.service';
import { PdfService } from './pdf.service';

const CARD = readFileSync(join(__dirname, '../assets/card.png'));

@Controller()
export class PageController {
  constructor(
    private readonly pages: PageService,
    private readonly pdfs: PdfService,
  ) {}

  /** The same for every report: a picture of one would tell a chat what only the page may. */
  @Get(CARD_PATH)
  @Header('content-type', 'image/png')
  @Header('cache-control', 'public, max-age=86400')
  @Header('x-content-type-options', 'nosniff')
  card(): Buffer {
    return CARD;
  }

  @Get('r/:token(^[^.]+).pdf')
  async pdf(@Param('token') token: string, @Res() reply: FastifyReply): Promise<void> {
    const { status, headers, body } = await this.pdfs.open(token);
    await reply.status(status).headers(headers).send(body);
  }

  @Get('r/:token(^[^.]+$)')
  async page(@Param('token') token: string, @Res() reply: FastifyReply): Promise<void> {
    const { status, headers, body } = await this.pages.open(token);
    await reply.status(status).headers(headers).send(body);
  }

  /** Whatever else stands there: a link that was cut or grew on its way through a messenger is read by a person too. */
  @Get(['r', 'r/*'])
  noPage(@Res() reply: FastifyReply): Promise<void> {
    return this.page('', reply);
  }
}
