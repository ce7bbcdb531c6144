import type { CaptureSession } from '@tire/contracts/capture';
import type { ledgerApi } from '@tire/contracts/grpc';
import { CLOCK, DomainError, refuseFaulty, type Clock } from '@tire/kernel';
import { Database, type SealingKeys } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { captureSlots, endOfCapture, type CaptureLink } from '../domain/capture';
import { linkIsValid, shareUrl, type PublicAddresses } from '../domain/document';
import type { Report } from '../domain/report';
import { ReportCommands } from '../reports/report.commands';
import { openToken, tokenDigest } from '../reports/share-token';
import { ADDRESSES, CREATION, SEALING_KEYS } from '../tokens';
import type { CreationSettings } from '../creation/creation.service';
import { captureUrl, newCapture, returnUrlFaults } from './capture.link';
import { findByCapture, findCaptureAnalyses } from './capture.store';

type Session = Omit<CaptureSession, 'partner'>;

/** The links with which somebody without a key takes the images of a report. */
@Injectable()
export class CaptureService {
  constructor(
    private readonly database: Database,
    private readonly commands: ReportCommands,
    @Inject(ADDRESSES) private readonly addresses: PublicAddresses,
    @Inject(SEALING_KEYS) private readonly keys: SealingKeys,
    @Inject(CREATION) private readonly settings: Pick<CreationSettings, 'plainCallbacks'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async issue({ projectId, reportId, order }: ledgerApi.IssueCaptureRequest): Promise<ledgerApi.IssueCaptureResponse> {
    const { link, token } = newCapture(order ?? { expiresInHours: 0, language: '' }, this.clock.now());
    refuseFaulty(returnUrlFaults(link, 'return_url', this.settings.plainCallbacks));
    await this.commands.change(projectId, reportId, { type: 'issueCapture', link });
    return { captureUrl: captureUrl(this.addresses, token), expiresAt: link.expiresAt };
  }

  async revoke({ projectId, reportId }: ledgerApi.RevokeCaptureRequest): Promise<ledgerApi.RevokeCaptureResponse> {
    const { report } = await this.commands.change(projectId, reportId, { type: 'revokeCapture' });
    return { revokedAt: report.capture?.revokedAt ?? this.clock.now().toISOString() };
  }

  async find({ token }: ledgerApi.FindCaptureRequest): Promise<ledgerApi.FindCaptureResponse> {
    const digest = tokenDigest(token);
    const found = await findByCapture(this.database, digest);
    if (!found) throw new DomainError('not_found');
    return { key: { ...found, tokenDigest: digest } };
  }

  /** A link that was replaced since the gateway found it opens nothing. */
  async session({ key }: ledgerApi.GetCaptureRequest): Promise<ledgerApi.GetCaptureResponse> {
    const { projectId, reportId, tokenDigest: digest } = given(key);
    let report = await this.commands.served(projectId, reportId);
    if (!report.capture?.digest.equals(digest)) throw new DomainError('not_found');
    if (report.capture.openedAt === null) ({ report } = await this.commands.change(projectId, reportId, { type: 'openCapture', digest }));
    const session = await this.sessionOf(report, given(report.capture));
    return { sessionJson: Buffer.from(JSON.stringify(session)), branchId: report.identity.branchId ?? undefined };
  }

  async finish({ key }: ledgerApi.FinishCaptureRequest): Promise<ledgerApi.FinishCaptureResponse> {
    const { projectId, reportId, tokenDigest: digest } = given(key);
    await this.commands.change(projectId, reportId, { type: 'finishCapture', digest });
    return {};
  }

  private async sessionOf(report: Report, capture: CaptureLink): Promise<Session> {
    const { identity } = report;
    const reason = endOfCapture(report, this.clock.now());
    const needed = (imageType: string) =>
      identity.template.requirements.find(({ image_type }) => image_type === imageType)?.minimum_success_count ?? 0;
    // A link from an old message leads to nothing.
    const withdrawn = reason === 'revoked' || reason === 'expired';
    return {
      schema_version: 'capture.v1',
      report_id: identity.reportId,
      state: reason === null ? 'open' : 'ended',
      ended_reason: reason,
      finished_at: capture.finishedAt,
      expires_at: capture.expiresAt,
      language: capture.language,
      return_url: withdrawn ? null : capture.returnUrl,
      share_url: withdrawn ? null : this.pageOf(report),
      template: { key: identity.template.key, minimum_success_count: { tread: needed('tread'), sidewall: needed('sidewall') } },
      slots: withdrawn ? [] : captureSlots(report, await findCaptureAnalyses(this.database, identity)),
    };
  }

  private pageOf({ identity, publication: { status, link } }: Report): string | null {
    if (status !== 'published' || link === null) return null;
    const linkExpiresAt = link.expiresAt === null ? null : new Date(link.expiresAt);
    if (!linkIsValid({ legacy: identity.legacy, linkExpiresAt }, this.clock.now())) return null;
    return shareUrl(this.addresses, openToken(this.keys, identity, link.token.sealed));
  }
}

function given<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('A call with a capture link has no link');
  return value;
}
