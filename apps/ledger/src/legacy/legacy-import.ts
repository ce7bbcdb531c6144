import { newId, systemClock } from '@tire/kernel';
import { Database } from '@tire/platform';
import { decide } from '../domain/decide';
import { isRefusal } from '../domain/refusal';
import { evolve } from '../domain/report';
import { importCommand, LegacyReport, type ImportInto } from './legacy-report';
import { lockReport, saveReport } from '../reports/report.store';
import { z } from 'zod';

export type Into = Omit<ImportInto, 'revisionId'>;

/** Publishes no event: no service has work with a report from before versioned content. */
function importLine(database: Database, line: string, into: Into): Promise<'imported' | 'known'> {
  const command = importCommand(LegacyReport.parse(JSON.parse(line)), { ...into, revisionId: newId() });
  const now = systemClock.now();
  return database.withProject(into.projectId, async (tx) => {
    const before = await lockReport(tx, command.identity.reportId);
    const events = decide(before, command, now);
    if (isRefusal(events)) throw new Error(`refused: ${events.refused}`);
    if (events.length === 0) return 'known';
    await saveReport(tx, [{ before, events, after: events.reduce(evolve, before) }], now);
    return 'imported';
  });
}

export interface Imported {
  readonly imported: number;
  readonly known: number;
  readonly refused: number;
}

/** A line that cannot be imported is reported with its number, and the others are imported all the same. */
export async function importLines(
  database: Database,
  lines: AsyncIterable<string>,
  into: Into,
  reportFault: (fault: string) => void,
): Promise<Imported> {
  const counts = { imported: 0, known: 0, refused: 0 };
  let lineNumber = 0;
  for await (const line of lines) {
    lineNumber += 1;
    if (line.trim() === '') continue;
    try {
      counts[await importLine(database, line, into)] += 1;
    } catch (error) {
      counts.refused += 1;
      reportFault(`line ${lineNumber}: ${reasonOf(error)}`);
    }
  }
  return counts;
}

const reasonOf = (error: unknown): string =>
  error instanceof z.ZodError ? z.prettifyError(error) : error instanceof Error ? error.message : String(error);
