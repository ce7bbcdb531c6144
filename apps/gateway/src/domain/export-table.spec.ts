import { csvLine, sheetRow, xmlText } from './export-table';

describe('a line of CSV', () => {
  it.each([
    ['plain text', ['12가 3456'], '12가 3456'],
    ['numbers and nothing', [1.6, 0, null, ''], '1.6,0,,'],
    ['a comma, a quote, a line end', ['a,b', 'say "x"', 'one\r\ntwo'], '"a,b","say ""x""","one\r\ntwo"'],
    ['spaces at an end', [' a', 'b '], '" a","b "'],
    ['a formula', ['=1+1', '+82', '-1', '@SUM(A1)'], "'=1+1,'+82,'-1,'@SUM(A1)"],
    ['a formula with a quote', ['=HYPERLINK("x","y")'], '"\'=HYPERLINK(""x"",""y"")"'],
    ['a formula behind a tab or a line end', ['\t=1', '\r=1', '\n=1'], '\'\t=1,"\'\r=1","\'\n=1"'],
    ['a formula in full width', ['＝1', '＋1', '－1', '＠A'], "'＝1,'＋1,'－1,'＠A"],
    ['a sign inside', ['a=1', '1-2'], 'a=1,1-2'],
    ['a negative number of ours', [-1], '-1'],
  ])('holds %s', (_, cells, line) => expect(csvLine(cells)).toBe(`${line}\r\n`));
});

describe('a row of a sheet', () => {
  it('has numbers as numbers and texts as texts, whatever they look like', () => {
    expect(sheetRow([1.6, null, '=1+1'])).toBe(
      '<row><c><v>1.6</v></c><c/><c t="inlineStr"><is><t xml:space="preserve">=1+1</t></is></c></row>',
    );
  });

  it.each([
    ['<a href="x">&', '&lt;a href="x"&gt;&amp;'],
    ['bell \u0007 and null \u0000', 'bell  and null '],
    ['tab\tand line\n', 'tab\tand line\n'],
    ['half a character \ud83d', 'half a character \ufffd'],
    ['_x0041_', '_x005F_x0041_'],
    ['_x004', '_x004'],
    [']]>', ']]&gt;'],
  ])('%j is %j', (text, xml) => expect(xmlText(text)).toBe(xml));
});
