import { DomainError, isUuid } from '@tire/kernel';
import { Injectable, type PipeTransform } from '@nestjs/common';

const LIMIT_MAX = 100;
const LIMIT_DEFAULT = 20;

export class Page {
  readonly limit: number;
  readonly cursor: string | null;
}

@Injectable()
export class PagePipe implements PipeTransform<Record<string, unknown>, Page> {
  transform({ limit, cursor }: Record<string, unknown>): Page {
    const count = limit === undefined ? LIMIT_DEFAULT : Number(limit);
    if (!Number.isInteger(count) || count < 1 || count > LIMIT_MAX)
      throw new DomainError('validation_error', { param: 'limit', message: `limit: must be 1 to ${LIMIT_MAX}.` });
    if (cursor !== undefined && typeof cursor !== 'string') throw badCursor();
    return { limit: count, cursor: cursor ?? null };
  }
}

export const badCursor = (): DomainError =>
  new DomainError('validation_error', { param: 'cursor', message: 'cursor: is not one of this list.' });

/** Where a list is ordered by an id, the last one of a page says where the next begins. */
export function idCursor({ cursor }: Page): string | null {
  if (cursor !== null && !isUuid(cursor)) throw badCursor();
  return cursor;
}

/** One row more than the page was asked for: whether it goes on. */
export function pageOf<Row>(rows: readonly Row[], { limit }: Page, cursorOf: (row: Row) => string): { rows: Row[]; next: string | null } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { rows: shown, next: rows.length > limit && last !== undefined ? cursorOf(last) : null };
}
