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

interface Shown {
  readonly partner: CaptureSession['partner'];
  readonly settings: StoredCaptureSettings;
}

const NOBODY: CaptureSession['partner'] = { name: null, phone_number: null, logo_url: null };

@Injectable()
export class CaptureService {
  private readonly log = logger('capture');
  private readonly shown: LRUCache<string, Shown>;
  /** By project and branch. What a branch leaves open is that of the project. */
  private readonly branches: LRUCache<string, CaptureSession['partner']>;

  constructor(
    private readonly database: Database,
    private readonly audit: Audit,
    @Inject(LEDGER) private readonly ledger: PromiseClient<ledgerApi.LedgerServiceClient>,
    @Inject(SHARE) private readonly share: PromiseClient<shareApi.ShareServiceClient>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.shown = new LRUCache({ max: PARTNERS_MAX, ttl: PARTNER_MS, fetchMethod: (projectId) => this.readShown(projectId) });
    this.branches = new LRUCache({ max: PARTNERS_MAX, ttl: PARTNER_MS, fetchMethod: (key) => this.readBranch(key) });
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
    const { partner, settings } = await this.shownOf(report.projectId);
    const face = branchId === undefined ? partner : ((await this.branches.fetch(`${report.projectId} ${branchId}`)) ?? NOBODY);
    const asking = {
      name: face.name ?? partner.name,
      phone_number: face.phone_number ?? partner.phone_number,
      logo_url: face.logo_url ?? partner.logo_url,
    };
    return { ...session, partner: asking, share_url: settings.showsShareLink ? session.share_url : null };
  }

  async finish(caller: CaptureCaller): Promise<CaptureSession> {
    const { captureDigest: tokenDigest, ...report } = caller;
    await this.ledger.finishCapture({ key: { ...report, tokenDigest } });
    return this.session(caller);
  }

  async settings(projectId: string): Promise<CaptureSettings> {
    return shownSettings(await this.database.asSystem((tx) => findCaptureSettings(tx, projectId)));
  }

  async changeSettings({ projectId, organizationId, actor }: ProjectMember, changed: CaptureSettings): Promise<CaptureSettings> {
    const settings = { embedOrigins: changed.embed_origins, showsShareLink: changed.shows_share_link };
    await this.database.asSystem(async (tx) => {
      await saveCaptureSettings(tx, projectId, settings);
      const details = { embed_origins: settings.embedOrigins.join(' '), shows_share_link: String(settings.showsShareLink) };
      await recordChange(tx, organizationId, actor, { action: 'capture_settings.changed', projectId, details }, this.clock.now());
    });
    this.shown.delete(projectId);
    return shownSettings(settings);
  }

  /** The origins that may embed the page. Read each time: pages are opened seldom. */
  async embedOrigins(projectId: string): Promise<readonly string[]> {
    return (await this.database.asSystem((tx) => findCaptureSettings(tx, projectId))).embedOrigins;
  }

  private async shownOf(projectId: string): Promise<Shown> {
    const shown = await this.shown.fetch(projectId);
    if (!shown) throw new Error('The settings of a project were not read');
    return shown;
  }

  private async readBranch(key: string): Promise<CaptureSession['partner']> {
    const [projectId = '', branchId = ''] = key.split(' ');
    try {
      const { branch } = await this.share.getBranch({ projectId, branchId });
      return { name: branch?.texts?.name ?? null, phone_number: branch?.texts?.phone ?? null, logo_url: branch?.logo?.url ?? null };
    } catch (error) {
      this.log.warn({ err: error, project_id: projectId }, 'A capture page is shown without the branch');
      return NOBODY;
    }
  }

  /** Photographs are taken without the name of the partner too. */
  private async readShown(projectId: string): Promise<Shown> {
    const settings = await this.database.asSystem((tx) => findCaptureSettings(tx, projectId));
    try {
      const { partner } = await this.share.getPartner({ projectId });
      const { name = null, phone = null, logo } = partner ?? {};
      return { settings, partner: { name, phone_number: phone, logo_url: logo?.url ?? null } };
    } catch (error) {
      this.log.warn({ err: error, project_id: projectId }, 'A capture page is shown without the partner');
      return { settings, partner: NOBODY };
    }
  }
}

const shownSettings = ({ embedOrigins, showsShareLink }: StoredCaptureSettings): CaptureSettings => ({
  embed_origins: [...embedOrigins],
  shows_share_link: showsShareLink,
});
