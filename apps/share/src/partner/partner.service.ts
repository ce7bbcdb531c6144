import { Inject, Injectable } from '@nestjs/common';
import type { assetsApi, shareApi } from '@tire/contracts/grpc';
import { CLOCK, DomainError, isUuid, type Clock } from '@tire/kernel';
import { ASSETS, Database, logger, turnDeadline, type PromiseClient, type Tx } from '@tire/platform';
import { randomBytes } from 'node:crypto';
import { partnerName, partnerPhone } from '../domain/partner';
import {
  addUnused,
  findPartner,
  findUnused,
  forgetUnused,
  lockPartner,
  saveLogo,
  savePartner,
  type StoredLogo,
  type StoredPartner,
} from './partner.store';

/** Longer than for other calls: the logo waits for its turn and is decoded. Shorter than the gateway waits. */
const STORE_DEADLINE_MS = 15_000;
/** A project has one record of its partner. */
const RECORD = 'partner';
const NAME_BYTES = 32;
/** No upload takes so long. An object that no settings name after this time remains unused. */
const UNUSED_MS = 3_600_000;
/** The most logos that one turn removes. */
const REMOVED_MAX = 1_000;

interface PartnerAnswer {
  readonly partner: shareApi.Partner;
}

/** The requests of the console about what the pages of a project show of the partner. Pages always show the current settings. */
@Injectable()
export class PartnerService {
  private readonly log = logger('partner');

  constructor(
    private readonly database: Database,
    @Inject(ASSETS) private readonly assets: PromiseClient<assetsApi.AssetServiceClient>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async get({ projectId }: shareApi.GetPartnerRequest): Promise<PartnerAnswer> {
    return this.answer(projectId, () => Promise.resolve());
  }

  async change({ projectId, name, phone }: shareApi.ChangePartnerRequest): Promise<PartnerAnswer> {
    const named = { name: partnerName(name), phone: partnerPhone(phone) };
    return this.answer(projectId, (tx) => savePartner(tx, projectId, named));
  }

  /**
   * Stores the new image, then the settings, then removes the image before it, so that the settings always name an image that exists. Each
   * upload has an image of its own, because who replaces a logo removes the one before it. If this service ends in between, or assets stores
   * an image after the deadline, its name is in `unused_logos`, and `removeUnused` removes it later.
   */
  async changeLogo({ projectId, image }: shareApi.ChangeLogoRequest): Promise<PartnerAnswer> {
    if (!isUuid(projectId)) throw new DomainError('not_found');
    const logo = image ? await this.upload(projectId, image) : null;
    let before: StoredLogo | null = null;
    try {
      const answer = await this.answer(projectId, async (tx) => {
        before = await saveLogo(tx, projectId, logo);
        if (logo) await forgetUnused(tx, { projectId, name: logo.name });
        if (before) await addUnused(tx, { projectId, name: before.name }, this.clock.now());
      });
      await this.removeUnlessNamed(projectId, before);
      return answer;
    } catch (error) {
      // The connection can end after the commit, so either image may be the one that the settings name.
      await this.removeUnlessNamed(projectId, logo);
      await this.removeUnlessNamed(projectId, before);
      throw error;
    }
  }

  /** Removes the images that nothing has named for an hour. */
  async removeUnused(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - UNUSED_MS);
    for (const logo of await findUnused(this.database, before, REMOVED_MAX)) {
      // Probably the others fail too: assets does not answer.
      if (!(await this.removeUnlessNamed(logo.projectId, logo))) return;
    }
  }

  private async upload(projectId: string, image: Buffer): Promise<StoredLogo> {
    const name = randomBytes(NAME_BYTES).toString('hex');
    await this.database.withProject(projectId, (tx) => addUnused(tx, { projectId, name }, this.clock.now()));
    try {
      return await this.assets.storeLogo({ projectId, image, name }, { deadlineMs: STORE_DEADLINE_MS });
    } catch (error) {
      // Nothing was stored. After any other failure an image may be stored, or still be.
      const isRefused = error instanceof DomainError && error.code === 'validation_error';
      if (isRefused) {
        await this.database
          .withProject(projectId, (tx) => forgetUnused(tx, { projectId, name }))
          .catch((cause: unknown) => this.log.warn({ err: cause, project_id: projectId }, 'The name of a refused logo stays for an hour'));
      }
      throw error;
    }
  }

  /** Reads what the settings name now. False for a failure, which leaves the image to `removeUnused` and does not fail the request. */
  private async removeUnlessNamed(projectId: string, logo: Pick<StoredLogo, 'name'> | null): Promise<boolean> {
    if (logo === null) return true;
    const { name } = logo;
    try {
      const named = await this.database.withRecord(projectId, RECORD, (tx) => lockPartner(tx, projectId), turnDeadline());
      if (named.logo?.name !== name) await this.assets.removeLogo({ projectId, name });
      await this.database.withProject(projectId, (tx) => forgetUnused(tx, { projectId, name }));
      return true;
    } catch (error) {
      this.log.warn({ err: error, project_id: projectId }, 'A logo that may be unused stays');
      return false;
    }
  }

  private async answer(projectId: string, change: (tx: Tx) => Promise<void>): Promise<PartnerAnswer> {
    if (!isUuid(projectId)) throw new DomainError('not_found');
    const work = async (tx: Tx): Promise<StoredPartner> => {
      await change(tx);
      return findPartner(tx, projectId);
    };
    const stored = await this.database.withRecord(projectId, RECORD, work, turnDeadline());
    return { partner: await this.shown(projectId, stored) };
  }

  private async shown(projectId: string, { name, phone, logo }: StoredPartner): Promise<shareApi.Partner> {
    return { name: name ?? undefined, phone: phone ?? undefined, logo: logo ? await this.shownLogo(projectId, logo) : undefined };
  }

  /** Without an address if assets does not answer: the settings are read, or changed, all the same. */
  private async shownLogo(projectId: string, { name, widthPx, heightPx }: StoredLogo): Promise<shareApi.PartnerLogo> {
    const size = { widthPx, heightPx };
    try {
      return { url: (await this.assets.signLogo({ projectId, name })).url, ...size };
    } catch (error) {
      this.log.warn({ err: error, project_id: projectId }, 'A logo has no address; the settings are shown without it');
      return size;
    }
  }
}
