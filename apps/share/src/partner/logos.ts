import { Inject, Injectable } from '@nestjs/common';
import type { assetsApi, shareApi } from '@tire/contracts/grpc';
import { CLOCK, DomainError, isUuid, type Clock } from '@tire/kernel';
import { ASSETS, Database, logger, turnDeadline, type PromiseClient, type Tx } from '@tire/platform';
import { randomBytes } from 'node:crypto';
import { addUnused, findUnused, forgetUnused, isLogoNamed, lockPartner, type StoredLogo } from './partner.store';

/** Longer than for other calls: the logo waits for its turn and is decoded. Shorter than the gateway waits. */
const STORE_DEADLINE_MS = 15_000;
/** The settings of a project change one after the other: all its logos have one lock. */
export const PARTNER_RECORD = 'partner';
const NAME_BYTES = 32;
/** No upload takes so long. An object that no settings name after this time remains unused. */
const UNUSED_MS = 3_600_000;
/** The most logos that one turn removes. */
const REMOVED_MAX = 1_000;

/** The logos of projects and of their branches, whose bytes are in assets. */
@Injectable()
export class Logos {
  private readonly log = logger('partner');

  constructor(
    private readonly database: Database,
    @Inject(ASSETS) private readonly assets: PromiseClient<assetsApi.AssetServiceClient>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Stores the new image, then the settings, then removes the image before it, so that the settings always name an image that exists. Each
   * upload has an image of its own, because who replaces a logo removes the one before it. If this service ends in between, or assets stores
   * an image after the deadline, its name is in `unused_logos`, and `removeUnused` removes it later. `save` returns the logo before it.
   */
  async change(
    projectId: string,
    image: Buffer | undefined,
    save: (tx: Tx, logo: StoredLogo | null) => Promise<StoredLogo | null>,
  ): Promise<void> {
    if (!isUuid(projectId)) throw new DomainError('not_found');
    const logo = image ? await this.upload(projectId, image) : null;
    let before: StoredLogo | null = null;
    const work = async (tx: Tx): Promise<void> => {
      await lockPartner(tx, projectId);
      before = await save(tx, logo);
      if (logo) await forgetUnused(tx, { projectId, name: logo.name });
      if (before) await addUnused(tx, { projectId, name: before.name }, this.clock.now());
    };
    try {
      await this.database.withRecord(projectId, PARTNER_RECORD, work, turnDeadline());
      await this.removeUnlessNamed(projectId, before);
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

  /** Without an address if assets does not answer: the settings are read, or changed, all the same. */
  async shown(projectId: string, logo: StoredLogo | null): Promise<shareApi.PartnerLogo | undefined> {
    if (logo === null) return undefined;
    const { name, widthPx, heightPx } = logo;
    const size = { widthPx, heightPx };
    try {
      return { url: (await this.assets.signLogo({ projectId, name })).url, ...size };
    } catch (error) {
      this.log.warn({ err: error, project_id: projectId }, 'A logo has no address; the settings are shown without it');
      return size;
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
    const isNamed = async (tx: Tx): Promise<boolean> => {
      await lockPartner(tx, projectId);
      return isLogoNamed(tx, projectId, name);
    };
    try {
      if (!(await this.database.withRecord(projectId, PARTNER_RECORD, isNamed, turnDeadline())))
        await this.assets.removeLogo({ projectId, name });
      await this.database.withProject(projectId, (tx) => forgetUnused(tx, { projectId, name }));
      return true;
    } catch (error) {
      this.log.warn({ err: error, project_id: projectId }, 'A logo that may be unused stays');
      return false;
    }
  }
}
