import { Controller, Get, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { PageService } from './page.service';

@Controller()
export class PageController {
  constructor(private readonly pages: PageService) {}

  @Get('r/:token')
  async page(@Param('token') token: string, @Res() reply: FastifyReply): Promise<void> {
    const { status, headers, html } = await this.pages.open(token);
    await reply.status(status).headers(headers).send(html);
  }
}
