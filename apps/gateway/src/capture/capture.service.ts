import type { CaptureOrder, IssuedCapture, RevokedCapture } from '@tire/contracts/api';
import type { CaptureSession } from '@tire/contracts/capture';
import type { CaptureSettings } from '@tire/contracts/console';
import type { ledgerApi, shareApi } from '@tire/contracts/grpc';
import { CLOCK, type Clock } from '@tire/kernel';
import { Database, LEDGER, logger, SHARE, type PromiseClient } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { recordChange } from '../audit/audit.store';
import { Audit } from '../audit/audit';
import type { CaptureCaller, KeyHolder, ProjectMember } from '../edge/callers';
import { captureOrder } from './capture-order';
import { findCaptureSettings, saveCaptureSettings, type StoredCaptureSettings } from './capture-settings.store';

/** A page reads its session every second while images are measured, and a partner changes seldom. */
const PARTNER_MS = 60_000;
const PARTNERS_MAX = 1_000;

const NOBODY: CaptureSession['partner'] = { name: null, phone_number: null, address: null, opening_hours: null, logo_url: null };

@Injectable()
export class CaptureService {
  private readonly log = logger('capture');
  private readonly changeable: LRUCache<string, StoredCaptureSettings>;
  /** By project and branch. */
  private readonly faces: LRUCache<string, CaptureSession['partner']>;

  constructor(
    private readonly database: Database,
    private readonly audit: Audit,
    @Inject(LEDGER) private readonly ledger: PromiseClient<ledgerApi.LedgerServiceClient>,
    @Inject(SHARE) private readonly share: PromiseClient<shareApi.ShareServiceClient>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.changeable = new LRUCache({ max: PARTNERS_MAX, ttl: PARTNER_MS, fetchMethod: (projectId) => this.readSettings(projectId) });
    this.faces = new LRUCache({ max: PARTNERS_MAX, ttl: PARTNER_MS, fetchMethod: (key) => this.readFace(key) });
  }

  async issue(caller: KeyHolder | ProjectMember, reportId: string, order: CaptureOrder): Promise<IssuedCapture> {
    const work = this.ledger.issueCapture({ projectId: caller.projectId, reportId, order: captureOrder(order) });
    const { captureUrl, expiresAt } = await this.audit.after(caller, work, { action: 'report.capture_issued', subject: reportId });
    return { report_id: reportId, capture_url: captureUrl, expires_at: expiresAt };
  }

  async revoke(caller: KeyHolder | ProjectMember, reportId: string): Promise<RevokedCapture> {
    const work = this.ledger.revokeCapture({ projectId: caller.projectId, reportId });
    const { revokedAt } = await this.audit.after(caller, work, { action: 'report.capture_revoked', subject: reportId });
    return { report_id: reportId, revoked_at: revokedAt };
  }

  async session({ captureDigest: tokenDigest, ...report }: CaptureCaller): Promise<CaptureSession> {
    const { sessionJson, branchId } = await this.ledger.getCapture({ key: { ...report, tokenDigest } });
    const session = JSON.parse(String(sessionJson)) as Omit<CaptureSession, 'partner'>;
    const settings = await this.changeable.fetch(report.projectId);
    const partner = (await this.faces.fetch(`${report.projectId} ${branchId ?? ''}`)) ?? NOBODY;
    return { ...session, partner, share_url: settings?.showsShareLink ? session.share_url : null };
  }

  async finish(caller: CaptureCaller): Promise<CaptureSession> {
    const { captureDigest: tokenDigest, ...report } = caller;
    await this.ledger.finishCapture({ key: { ...report, tokenDigest } });
    return this.session(caller);
  }

  async settings(projectId: string): Promise<CaptureSettings> {
    return shownSettings(await this.readSettings(projectId));
  }

  async changeSettings({ projectId, organizationId, actor }: ProjectMember, changed: CaptureSettings): Promise<CaptureSettings> {
    const settings = { embedOrigins: changed.embed_origins, showsShareLink: changed.shows_share_link };
    await this.database.asSystem(async (tx) => {
      await saveCaptureSettings(tx, projectId, settings);
      const details = { embed_origins: settings.embedOrigins.join(' '), shows_share_link: String(settings.showsShareLink) };
      await recordChange(tx, organizationId, actor, { action: 'capture_settings.changed', projectId, details }, this.clock.now());
    });
    this.changeable.delete(projectId);
    return shownSettings(settings);
  }

  /** The origins that may embed the page. Read each time: pages are opened seldom. */
  async embedOrigins(projectId: string): Promise<readonly string[]> {
    return (await this.readSettings(projectId)).embedOrigins;
  }

  private readSettings(projectId: string): Promise<StoredCaptureSettings> {
    return this.database.asSystem((tx) => findCaptureSettings(tx, projectId));
  }

  /** Photographs are taken without the name of the partner too. */
  private async readFace(key: string): Promise<CaptureSession['partner']> {
    const [projectId = '', branchId] = key.split(' ');
    try {
      const { face } = await this.share.getFace({ projectId, branchId: branchId || undefined });
      const { name = null, phone = null, address = null, openingHours = null, logo } = face ?? {};
      return { name, phone_number: phone, address, opening_hours: openingHours, logo_url: logo?.url ?? null };
    } catch (error) {
      this.log.warn({ err: error, project_id: projectId }, 'A capture page is shown without the partner');
      return NOBODY;
    }
  }
}

const shownSettings = ({ embedOrigins, showsShareLink }: StoredCaptureSettings): CaptureSettings => ({
  embed_origins: [...embedOrigins],
  shows_share_link: showsShareLink,
});
