/** A table of texts and numbers as a spreadsheet opens it. */

export type Cell = string | number | null;

/** Spreadsheets take a text for a formula that begins with one of these, also in the full width of East Asian keyboards. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** A byte order mark, without which Excel reads Korean text in the encoding of the computer. */
export const CSV_START = '\uFEFF';

/** RFC 4180. Numbers are our own, and no formula. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(csvCell).join(',')}\r\n`;

function csvCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}

const XML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Characters that no XML document can hold are left out. `_x0041_` means a character in a workbook, so its underscore is escaped. */
export const xmlText = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replaceAll(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_')
    .replaceAll(/[&<>]/g, (character) => XML[character]!);

/** One row of a sheet. A text stays a text: a formula would be another kind of cell. */
export const sheetRow = (cells: readonly Cell[]): string => `<row>${cells.map(sheetCell).join('')}</row>`;

function sheetCell(cell: Cell): string {
  if (cell === null) return '<c/>';
  if (typeof cell === 'number') return `<c><v>${cell}</v></c>`;
  return `<c t="inlineStr"><is><t xml:space="preserve">${xmlText(cell)}</t></is></c>`;
}
