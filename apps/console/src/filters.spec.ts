import { addressOf, filtersFrom, isFiltered, isPeriod, filterOf } from '../web/pages/reports/filters';

const chosen = (address: string) => {
  const query = new URLSearchParams(address);
  return filtersFrom((name) => query.get(name) ?? '');
};

describe('the filters of the report list', () => {
  it('are in the address only if they are chosen', () => {
    const address = 'search=12%EA%B0%80+3456&status=failed&mode=manual&from=2026-03-01&to=2026-03-31';
    expect(addressOf(chosen(address))).toBe(address);
    expect([addressOf(chosen('')), addressOf(chosen('status=&search=++'))]).toEqual(['', '']);
    expect([isFiltered(chosen('search=x')), isFiltered(chosen('to=2026-03-31'))]).toEqual([false, true]);
  });

  it.each(['status=toString', 'mode=by+hand', 'from=yesterday', 'from=2026-13-01', 'to=2026-3-1'])('ignore %s', (address) =>
    expect(addressOf(chosen(address))).toBe(''),
  );

  it('cover whole local days, also days of 23 hours', () => {
    const { created_from, created_before } = filterOf(chosen('from=2026-03-29&to=2026-03-29'));
    expect([new Date(created_from!), new Date(created_before!)]).toEqual([new Date(2026, 2, 29), new Date(2026, 2, 30)]);
    const inSeoul = filterOf(chosen('from=2026-03-29&to=2026-03-29'), 'Asia/Seoul');
    expect(inSeoul).toEqual({ created_from: '2026-03-28T15:00:00.000Z', created_before: '2026-03-29T15:00:00.000Z' });
    expect(filterOf(chosen('search=x&mode=manual'))).toEqual({ search: 'x', mode: 'manual' });
  });

  it('refuse a period that ends before it begins', () => {
    expect(isPeriod(chosen('from=2026-03-02&to=2026-03-01'))).toBe(false);
    for (const address of ['from=2026-03-01&to=2026-03-01', 'from=2026-03-02', 'to=2026-03-01'])
      expect(isPeriod(chosen(address))).toBe(true);
  });
});
