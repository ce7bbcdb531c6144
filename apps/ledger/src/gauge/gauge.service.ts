import type { ledgerApi } from '@tire/contracts/grpc';
import { CLOCK, DomainError, fault, isUuid, newId, type Clock } from '@tire/kernel';
import { Database } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { gaugeReadings } from '../domain/gauge-readings';
import { refuseFaults } from '../domain/refusal';
import { analysisStatus } from '../domain/status';
import { ReportCommands, refusalError } from '../reports/report.commands';
import { findHeld, isTrainingAllowed, listGauged, saveTrainingUse } from './gauge.store';

const PAGE = 100;
const FIRST = '00000000-0000-0000-0000-000000000000';

/** Depths that people measure with a gauge, and their use to train and calibrate models. */
@Injectable()
export class GaugeService {
  constructor(
    private readonly commands: ReportCommands,
    private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async set({ projectId, reportId, slotId, analysisRevision, values }: ledgerApi.SetGaugeRequest): Promise<ledgerApi.SetGaugeResponse> {
    await this.commands.mutable(projectId, reportId);
    const seen = isUuid(analysisRevision) ? analysisRevision : FIRST;
    const held = await findHeld(this.database, projectId, reportId, slotId, seen);
    if (!held) throw refusalError(refuseFaults([fault('slot_id', 'has no groove that was measured.')]));
    const readings = values.map(({ groove, depthMm }) => ({ groove, depthMm: depthMm ?? null }));
    const command = { type: 'setGauge' as const, slotId, held, readings, analysisId: newId(), revisionId: newId() };
    const { report, events } = await this.commands.change(projectId, reportId, command);
    return { analysisStatus: analysisStatus(report), changed: events.length > 0 };
  }

  async use({ projectId }: ledgerApi.GetTrainingUseRequest): Promise<ledgerApi.GetTrainingUseResponse> {
    return { isAllowed: await isTrainingAllowed(this.database, projectId) };
  }

  async setUse({ projectId, isAllowed }: ledgerApi.SetTrainingUseRequest): Promise<ledgerApi.SetTrainingUseResponse> {
    await saveTrainingUse(this.database, projectId, isAllowed, this.clock.now());
    return {};
  }

  async readings({ projectId, cursor }: ledgerApi.ListGaugeReadingsRequest): Promise<ledgerApi.ListGaugeReadingsResponse> {
    if (!(await isTrainingAllowed(this.database, projectId))) {
      throw new DomainError('forbidden', { message: 'The project does not allow the use of its gauge values.' });
    }
    const rows = await listGauged(this.database, projectId, cursor ?? FIRST, PAGE);
    const treads = rows.flatMap(({ report_id: reportId, slot_id: slotId, asset_id: assetId, body }): ledgerApi.GaugedTread[] => {
      const grooves = gaugeReadings(body);
      return assetId && grooves.length > 0 ? [{ reportId, slotId, assetId, grooves }] : [];
    });
    return { treads, nextCursor: rows.length === PAGE ? rows.at(-1)!.analysis_id : undefined };
  }
}
