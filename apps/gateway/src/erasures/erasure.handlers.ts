import { CLOCK, type Clock } from '@tire/kernel';
import { Inject, Injectable } from '@nestjs/common';
import { Audit } from '../audit/audit';
import type { OperationHandlers } from '../edge/operation-handlers';
import { HttpResponse } from '../edge/response';
import { SignInService } from '../identity/sessions/sign-in.service';
import { ErasureRunner } from './erasure.runner';
import { ErasuresService } from './erasures.service';
import { SubjectExport } from './subject.export';

@Injectable()
export class ErasureHandlers {
  constructor(
    private readonly erasures: ErasuresService,
    private readonly runner: ErasureRunner,
    private readonly exports: SubjectExport,
    private readonly signIn: SignInService,
    private readonly audit: Audit,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  readonly handlers = {
    listErasures: ({ caller }) => this.erasures.list(caller),
    requestErasure: ({ caller, body }) => this.nudging(this.erasures.request(caller, body)),
    getErasure: ({ caller, params }) => this.erasures.one(caller, params.erasure_id),
    confirmErasure: async ({ caller, params, body }) => {
      await this.signIn.requirePassword(caller, body.password, 'password');
      return this.nudging(this.erasures.confirm(caller, params.erasure_id, body.reason));
    },
    cancelErasure: ({ caller, params }) => this.erasures.cancel(caller, params.erasure_id),
    checkCertificate: ({ caller, body }) => this.erasures.check(caller.projectId, body.certificate, body.value),
    exportSubject: async ({ caller, body: { password, ...subject } }) => {
      await this.signIn.requirePassword(caller, password, 'password');
      const { projectId } = caller;
      const reportIds = await this.exports.find(projectId, subject);
      const change = { action: 'subject.exported', details: { kind: subject.kind, reports: String(reportIds.length) } } as const;
      await this.audit.after(caller, Promise.resolve(), change);
      const name = `subject-${this.clock.now().toISOString().slice(0, 10)}.zip`;
      const headers = { 'content-disposition': `attachment; filename="${name}"` };
      return new HttpResponse(this.exports.file(projectId, subject, reportIds), headers, { type: 'application/zip' });
    },
  } satisfies Partial<OperationHandlers>;

  private async nudging<T>(work: Promise<T>): Promise<T> {
    const result = await work;
    this.runner.nudge();
    return result;
  }
}
