import type { SidewallResult } from '@tire/contracts/api';
import type { ledgerApi } from '@tire/contracts/grpc';
import { newId } from '@tire/kernel';
import { Database } from '@tire/platform';
import { Injectable } from '@nestjs/common';
import { isSameSize, notOffered, offeredSizes } from '../domain/size-guess';
import type { Report } from '../domain/report';
import type { Size } from '../domain/slot';
import { analysisStatus } from '../domain/status';
import { findGuesses, findResults } from '../reports/reads.store';
import { ReportCommands, refusalError } from '../reports/report.commands';

/** What members are asked about sidewalls that no engine could read surely. */
@Injectable()
export class SizeGuessesService {
  constructor(
    private readonly commands: ReportCommands,
    private readonly database: Database,
  ) {}

  async list({ projectId, reportId }: ledgerApi.ListSizeGuessesRequest): Promise<ledgerApi.ListSizeGuessesResponse> {
    const report = await this.commands.served(projectId, reportId);
    const guesses = offeredSizes(report, await findGuesses(this.database, projectId, reportId));
    return { guesses: guesses.map(({ slotId, size }) => ({ slotId, size: entered(size) })) };
  }

  /** A repeated confirmation changes nothing. Nothing is confirmed in a manual report. */
  async confirm(request: ledgerApi.ConfirmSizeRequest): Promise<ledgerApi.ConfirmSizeResponse> {
    const { projectId, reportId, slotId } = request;
    const report = await this.commands.mutable(projectId, reportId);
    const size = sizeOf(request.size);
    const result = (await findResults(this.database, projectId, reportId)).get(slotId);
    const current = result === undefined ? null : (JSON.parse(result) as SidewallResult);
    if (size && current?.size && isConfirmed(report, slotId) && isSameSize(current.size, size)) {
      return { analysisStatus: analysisStatus(report), changed: false };
    }
    const offered = offeredSizes(report, await findGuesses(this.database, projectId, reportId)).find((one) => one.slotId === slotId);
    if (!offered || !current || !size || !isSameSize(offered.size, size)) throw refusalError(notOffered());
    // The engine read them, and the age of the tire counts in verdicts.
    const read = { manufactured: current.manufactured, brand: current.brand };
    const command = { type: 'confirmSize' as const, offered, read, analysisId: newId(), revisionId: newId() };
    const changed = await this.commands.change(projectId, reportId, command);
    return { analysisStatus: analysisStatus(changed.report), changed: true };
  }
}

const isConfirmed = ({ slots, identity }: Report, slotId: string): boolean =>
  identity.creation.mode === 'automatic' &&
  slots.some((slot) => slot.slotId === slotId && slot.state.phase === 'succeeded' && slot.state.analysis.provenance === 'manual');

const entered = ({ section_width, aspect_ratio, rim_diameter }: Size): ledgerApi.EnteredSize => ({
  sectionWidthMm: section_width ?? 0,
  aspectRatioPercent: aspect_ratio ?? 0,
  rimDiameterInch: rim_diameter ?? 0,
});

const sizeOf = (size: ledgerApi.EnteredSize | undefined): Size | null =>
  size ? { section_width: size.sectionWidthMm, aspect_ratio: size.aspectRatioPercent, rim_diameter: size.rimDiameterInch } : null;
