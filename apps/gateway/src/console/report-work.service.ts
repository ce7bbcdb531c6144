import type {
  AnalyzeRequest,
  CreateConsoleReportRequest,
  CreateManualReportRequest,
  CreateReportResponse,
  ledgerApi,
  ManualTire,
  RegisterImagesRequest,
  UploadTargetsRequest,
} from '@tire/contracts';
import { DomainError } from '@tire/kernel';
import { Injectable } from '@nestjs/common';
import type { Answer } from '../answer';
import { firstUnusual } from '../domain/entered-values';
import { MeasuringService } from '../measuring.service';
import { PublicationService } from '../publication.service';
import { ReportsService } from '../reports.service';
import { Audit } from './audit';
import type { Deed } from './audit.store';
import type { SignedInVisitor } from './door';

const SOURCE_CHANNEL = 'atrace_console';
const SLOTS_WITH_SIZES = { some: 'tire_4t_2s', all: 'tire_4t_4s', none: 'tire_4t_0s' } as const;

/** What the public API does with reports, done by a person: the same commands, and an entry in the log. */
@Injectable()
export class ReportWork {
  constructor(
    private readonly audit: Audit,
    private readonly reports: ReportsService,
    private readonly measuring: MeasuringService,
    private readonly publication: PublicationService,
  ) {}

  create(visitor: SignedInVisitor, idempotencyKey: string | undefined, request: CreateConsoleReportRequest): Promise<Answer> {
    return this.created(visitor, idempotencyKey, request, {});
  }

  createManual(
    visitor: SignedInVisitor,
    idempotencyKey: string | undefined,
    { tires, confirm_unusual, ...request }: CreateManualReportRequest,
  ): Promise<Answer> {
    const unusual = confirm_unusual ? null : firstUnusual(tires);
    if (unusual !== null)
      throw new DomainError('confirmation_required', { param: unusual, message: `${unusual}: is unusual; is it what was measured?` });
    const entered = { tires: tires.map(enteredTire) };
    return this.created(visitor, idempotencyKey, { ...request, template: templateFor(tires) }, { entered });
  }

  targets(visitor: SignedInVisitor, reportId: string, request: UploadTargetsRequest): Promise<Answer> {
    return this.measuring.uploadTargets(projectOf(visitor).projectId, reportId, request);
  }

  images(visitor: SignedInVisitor, reportId: string, request: RegisterImagesRequest, replace: boolean): Promise<Answer> {
    const work = this.measuring.images(projectOf(visitor).projectId, reportId, request, replace);
    return this.done(visitor, 'report.images_registered', reportId, work, { replace: String(replace) });
  }

  analyze(visitor: SignedInVisitor, reportId: string, request: AnalyzeRequest): Promise<Answer> {
    return this.done(visitor, 'report.analyzed', reportId, this.measuring.analyze(projectOf(visitor).projectId, reportId, request));
  }

  publish(visitor: SignedInVisitor, reportId: string): Promise<Answer> {
    return this.done(visitor, 'report.published', reportId, this.publication.publish(projectOf(visitor).projectId, reportId));
  }

  reissueShare(visitor: SignedInVisitor, reportId: string): Promise<Answer> {
    return this.done(visitor, 'report.share_reissued', reportId, this.publication.reissue(projectOf(visitor).projectId, reportId));
  }

  revokeShare(visitor: SignedInVisitor, reportId: string): Promise<Answer> {
    return this.done(visitor, 'report.share_revoked', reportId, this.publication.revoke(projectOf(visitor).projectId, reportId));
  }

  discard(visitor: SignedInVisitor, reportId: string): Promise<Answer> {
    return this.done(visitor, 'report.discarded', reportId, this.reports.discard(projectOf(visitor), reportId));
  }

  private created(
    visitor: SignedInVisitor,
    idempotencyKey: string | undefined,
    request: CreateConsoleReportRequest,
    origin: Pick<ledgerApi.CreateReportRequest, 'entered'>,
  ): Promise<Answer> {
    const { projectId, mode } = projectOf(visitor);
    const work = this.reports.create({ projectId, mode }, idempotencyKey, request, { sourceChannel: SOURCE_CHANNEL, ...origin });
    const details = { mode: origin.entered ? 'manual' : 'automatic' };
    return this.audit.after(visitor, work, ({ body }) => {
      const { report_id: subject } = JSON.parse(String(body)) as CreateReportResponse;
      return { action: 'report.created', projectId, subject, details };
    });
  }

  private done(visitor: SignedInVisitor, action: Deed['action'], subject: string, work: Promise<Answer>, details = {}): Promise<Answer> {
    return this.audit.after(visitor, work, () => ({ action, projectId: projectOf(visitor).projectId, subject, details }));
  }
}

function projectOf({ member }: SignedInVisitor) {
  if (!member?.project) throw new Error('A report was reached without its project');
  return member.project;
}

/** The one whose slots hold what was entered. */
function templateFor(tires: readonly ManualTire[]): CreateConsoleReportRequest['template'] {
  const sizes = tires.filter(({ size }) => size).length;
  if (sizes === 0) return SLOTS_WITH_SIZES.none;
  return sizes === tires.length ? SLOTS_WITH_SIZES.all : SLOTS_WITH_SIZES.some;
}

const enteredTire = ({ position, groove_depths_mm, size }: ManualTire): ledgerApi.EnteredTire => ({
  position,
  grooveDepthsMm: groove_depths_mm,
  size: size
    ? { sectionWidthMm: size.section_width, aspectRatioPercent: size.aspect_ratio, rimDiameterInch: size.rim_diameter }
    : undefined,
});
