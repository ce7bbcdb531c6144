import { stockSize } from './stock-size';

describe('a size in text', () => {
  it.each<[string, string[], string | null]>([
    ['as it is written', ['DOT 4B9J', '225/45 R17 91W'], '225/45R17'],
    ['with a Z, small letters and spaces', ['p255 / 35 zr 19'], '255/35R19'],
    ['that most lines have', ['205/55R16', '205/56R16', '205/55R16'], '205/55R16'],
    ['that nobody has written', ['225145R17', 'MAX LOAD 615 KG', ''], null],
    ['of no lines', [], null],
  ])('%s', (_, texts, size) => {
    expect(stockSize(texts)).toBe(size);
  });
});
