import { Injectable } from '@nestjs/common';
import type { shareApi } from '@tire/contracts/grpc';
import { DomainError, isTimeZone, isUuid } from '@tire/kernel';
import { Database, turnDeadline, type Tx } from '@tire/platform';
import { partnerTexts } from '../domain/partner';
import { Logos, PARTNER_RECORD } from './logos';
import { findFace, type PublicFace } from './public-face';
import { findPartner, noteTimeZone, saveLogo, savePartner } from './partner.store';

interface PartnerAnswer {
  readonly partner: shareApi.Partner;
}

/** The requests of the console about what the pages of a project show of the partner. Pages always show the current settings. */
@Injectable()
export class PartnerService {
  constructor(
    private readonly database: Database,
    private readonly logos: Logos,
  ) {}

  async get({ projectId }: shareApi.GetPartnerRequest): Promise<PartnerAnswer> {
    return this.answer(projectId, () => Promise.resolve());
  }

  async change({ projectId, ...texts }: shareApi.ChangePartnerRequest): Promise<PartnerAnswer> {
    const named = partnerTexts(texts);
    return this.answer(projectId, (tx) => savePartner(tx, projectId, named));
  }

  async face({ projectId, branchId }: shareApi.GetFaceRequest): Promise<shareApi.GetFaceResponse> {
    if (!isUuid(projectId)) throw new DomainError('not_found');
    const branch = branchId !== undefined && isUuid(branchId) ? branchId : null;
    return { face: await this.shown(projectId, await findFace(this.database, projectId, branch)) };
  }

  async changeLogo({ projectId, image }: shareApi.ChangeLogoRequest): Promise<PartnerAnswer> {
    await this.logos.change(projectId, image, (tx, logo) => saveLogo(tx, projectId, logo));
    return this.answer(projectId, () => Promise.resolve());
  }

  async noteTimeZone({ projectId, timeZone, version }: shareApi.NoteTimeZoneRequest): Promise<shareApi.NoteTimeZoneResponse> {
    if (!isUuid(projectId)) throw new DomainError('not_found');
    if (!isTimeZone(timeZone)) throw new Error(`No time zone: ${timeZone}`);
    await this.database.withRecord(projectId, PARTNER_RECORD, (tx) => noteTimeZone(tx, projectId, timeZone, version), turnDeadline());
    return {};
  }

  private async answer(projectId: string, change: (tx: Tx) => Promise<void>): Promise<PartnerAnswer> {
    if (!isUuid(projectId)) throw new DomainError('not_found');
    const work = async (tx: Tx) => {
      await change(tx);
      return findPartner(tx, projectId);
    };
    return { partner: await this.shown(projectId, await this.database.withRecord(projectId, PARTNER_RECORD, work, turnDeadline())) };
  }

  private async shown(
    projectId: string,
    { name, phone, address, openingHours, logo }: Omit<PublicFace, 'timeZone' | 'version'>,
  ): Promise<shareApi.Partner> {
    return {
      name: name ?? undefined,
      phone: phone ?? undefined,
      address: address ?? undefined,
      openingHours: openingHours ?? undefined,
      logo: await this.logos.shown(projectId, logo),
    };
  }
}
