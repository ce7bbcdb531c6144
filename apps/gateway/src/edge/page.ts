/** One row more than the page holds shows whether there is a next page. */
export function pageOf<Row>(rows: readonly Row[], limit: number, cursorOf: (row: Row) => string): { rows: Row[]; next: string | null } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { rows: shown, next: rows.length > limit && last !== undefined ? cursorOf(last) : null };
}
