import { strToU8, Zip, ZipDeflate } from 'fflate';
import { type Cell, sheetRow } from '../domain/export-table';

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const DOCUMENT = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const SHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const relations = (type: string, target: string): string =>
  `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${DOCUMENT}/${type}" Target="${target}"/></Relationships>`;

/** Everything but the sheet. */
const PARTS: Readonly<Record<string, string>> = {
  '[Content_Types].xml':
    `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
    `<Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/>` +
    `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/></Types>`,
  '_rels/.rels': relations('officeDocument', 'xl/workbook.xml'),
  'xl/_rels/workbook.xml.rels': relations('worksheet', 'worksheets/sheet1.xml'),
  'xl/workbook.xml': `${HEAD}<workbook xmlns="${SHEET}" xmlns:r="${DOCUMENT}"><sheets><sheet name="Reports" sheetId="1" r:id="rId1"/></sheets></workbook>`,
};

/**
 * A workbook with one sheet, while its rows arrive: a page of rows is in memory at once. Libraries for workbooks that are maintained keep
 * the whole sheet.
 */
export async function* workbook(pages: AsyncIterable<readonly (readonly Cell[])[]>): AsyncGenerator<Buffer> {
  let chunks: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    chunks.push(chunk);
  });
  const taken = (): Buffer => {
    const written = Buffer.concat(chunks);
    chunks = [];
    return written;
  };
  const add = (name: string): ZipDeflate => {
    const part = new ZipDeflate(name);
    zip.add(part);
    return part;
  };
  for (const [name, text] of Object.entries(PARTS)) add(name).push(strToU8(text), true);
  const sheet = add('xl/worksheets/sheet1.xml');
  sheet.push(strToU8(`${HEAD}<worksheet xmlns="${SHEET}"><sheetData>`));
  for await (const rows of pages) {
    sheet.push(strToU8(rows.map(sheetRow).join('')));
    const written = taken();
    if (written.length > 0) yield written;
  }
  sheet.push(strToU8('</sheetData></worksheet>'), true);
  zip.end();
  yield taken();
}
