import { sandboxBytes, sandboxManifest } from '@tire/contracts/sandbox';
import { DomainError, isSandboxName, type SandboxName } from '@tire/kernel';
import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { fileOf, sendFile, type StaticFile } from './static';

const HEADERS = { 'content-security-policy': "default-src 'none'", 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };

/** The well-known photographs of the sandbox, and their list for programs. */
@Controller('docs/sandbox')
export class SandboxController {
  private readonly manifest = fileOf('application/json; charset=utf-8', JSON.stringify(sandboxManifest(), null, 2));
  /** Each is read at its first download: 1.4 MB together. */
  private readonly photographs = new Map<SandboxName, Promise<StaticFile>>();

  @Get('manifest.json')
  list(@Req() request: FastifyRequest, @Res() reply: FastifyReply): FastifyReply {
    return sendFile(request, reply, this.manifest, HEADERS);
  }

  @Get(':file')
  async photograph(@Param('file') file: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<FastifyReply> {
    const name = file.replace(/\.jpg$/, '');
    if (name === file || !isSandboxName(name)) throw new DomainError('not_found');
    return sendFile(request, reply, await this.read(name), HEADERS);
  }

  private read(name: SandboxName): Promise<StaticFile> {
    const known = this.photographs.get(name);
    if (known) return known;
    const reading = sandboxBytes(name).then((bytes) => fileOf('image/jpeg', bytes));
    this.photographs.set(name, reading);
    reading.catch(() => this.photographs.delete(name));
    return reading;
  }
}
