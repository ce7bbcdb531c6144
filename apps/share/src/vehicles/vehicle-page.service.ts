import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, dayIn, type Clock } from '@tire/kernel';
import { logger } from '@tire/platform';
import { createHash } from 'node:crypto';
import type { Config } from '../config';
import { vehiclePdfUrl, vehicleUrl } from '../links/addresses';
import { closedPage } from '../page/document/closed-page';
import type { Page } from '../page/document/layout';
import { vehiclePage } from '../page/document/vehicle-page';
import { vehicleFacts, type VehicleShown } from '../page/facts/vehicle-facts';
import { ReportReader } from '../page/report.reader';
import type { Asked, Language } from '../page/words/language';
import { VEHICLE_WORDS } from '../page/words/vehicle-words';
import { ImageReader } from '../pdf/image.reader';
import { isBusy, PdfMaker, type PdfAnswer, type Prepared } from '../pdf/pdf-maker';
import { closedAnswer } from '../pdf/pdf.service';
import { CONFIG } from '../tokens';
import { type OpenVehicle, VehicleReader } from './vehicle.reader';

/** A vehicle has no language of its own. */
const FIRST_LANGUAGE: Language = 'ko';
const OTHER: Readonly<Record<Language, Language>> = { ko: 'en', en: 'ko' };

/** The page of a vehicle and its PDF. Each request checks the link and asks the ledger; only PDFs are kept, by all that they show. */
@Injectable()
export class VehiclePageService {
  private readonly log = logger('vehicle');

  constructor(
    private readonly vehicles: VehicleReader,
    private readonly reports: ReportReader,
    private readonly images: ImageReader,
    private readonly maker: PdfMaker,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async open(token: string, { language, preferred }: Asked): Promise<Page> {
    try {
      const opened = await this.vehicles.open(token);
      return opened.status === 'active' ? await this.page(opened, token, language ?? FIRST_LANGUAGE) : closedPage(opened.status, preferred);
    } catch (error) {
      if (!isBusy(error)) this.log.error({ err: error }, 'The page of a vehicle cannot be shown');
      return closedPage('unavailable', preferred);
    }
  }

  async pdf(token: string, { language = null, preferred }: Asked): Promise<PdfAnswer> {
    try {
      const opened = await this.vehicles.open(token);
      if (opened.status !== 'active') return closedAnswer(opened.status, preferred);
      const asked = language ?? FIRST_LANGUAGE;
      const key = this.keyOf(opened, asked);
      const answer = await this.maker.get(key, opened.projectId, () => this.prepare(opened, asked));
      // Making it may take a second. Meanwhile the link may have ended, or a report may have been discarded.
      const now = await this.vehicles.open(token);
      if (now.status !== 'active') return closedAnswer(now.status, preferred);
      return this.keyOf(now, asked) === key ? answer : closedAnswer('unavailable', preferred);
    } catch (error) {
      if (!isBusy(error)) this.log.error({ err: error }, 'The PDF of a vehicle cannot be made');
      return closedAnswer('unavailable', preferred);
    }
  }

  private async page(opened: OpenVehicle, token: string, language: Language): Promise<Page> {
    const words = VEHICLE_WORDS[language];
    const other = VEHICLE_WORDS[OTHER[language]].base;
    const { OBJECT_STORE_PUBLIC_ORIGIN: objectStore, SHARE_BASE_URL: base } = this.config;
    return vehiclePage({
      words,
      facts: vehicleFacts(words, this.shownOf(opened)),
      partner: await this.reports.partner(opened),
      imageOrigin: new URL(objectStore).origin,
      cardUrl: `${base}/r/${words.base.card}`,
      pdfUrl: vehiclePdfUrl(this.config, token, language),
      others: [{ words: other, url: vehicleUrl(this.config, token, other.language) }],
    });
  }

  private async prepare(opened: OpenVehicle, language: Language): Promise<Prepared> {
    const { isComplete, ...partner } = await this.images.partner(opened);
    return {
      drawn: { kind: 'vehicle', input: { shown: this.shownOf(opened), language, partner } },
      plainName: 'tire-history.pdf',
      name: VEHICLE_WORDS[language].pdfName,
      isComplete,
    };
  }

  private shownOf({ vehicle, showsPlate, partner }: OpenVehicle): VehicleShown {
    return { vehicle, showsPlate, timeZone: partner.timeZone, now: this.clock.now() };
  }

  /** The day belongs to it, because the age of the tires does. */
  private keyOf({ projectId, vehicle, showsPlate, partner }: OpenVehicle, language: Language): string {
    const day = dayIn(partner.timeZone, this.clock.now());
    const facts = createHash('sha256')
      .update(JSON.stringify([vehicle, showsPlate]))
      .digest('base64');
    return ['vehicle', projectId, facts, language, partner.version, day].join(' ');
  }
}
