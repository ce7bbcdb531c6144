import { addressOf, chosenOf, isFiltered, isPeriod, soughtOf } from '../web/pages/reports/sought';

const chosen = (address: string) => {
  const query = new URLSearchParams(address);
  return chosenOf((name) => query.get(name) ?? '');
};

describe('what is chosen of the reports', () => {
  it('stands in the address, and nothing that is not chosen', () => {
    const address = 'search=12%EA%B0%80+3456&status=failed&mode=manual&from=2026-03-01&to=2026-03-31';
    expect(addressOf(chosen(address))).toBe(address);
    expect([addressOf(chosen('')), addressOf(chosen('status=&search=++'))]).toEqual(['', '']);
    expect([isFiltered(chosen('search=x')), isFiltered(chosen('to=2026-03-31'))]).toEqual([false, true]);
  });

  it.each(['status=toString', 'mode=by+hand', 'from=yesterday', 'from=2026-13-01', 'to=2026-3-1'])('is not %s', (address) =>
    expect(addressOf(chosen(address))).toBe(''),
  );

  it('is whole days of the clock on the wall, also where one has 23 hours', () => {
    const { created_from, created_before } = soughtOf(chosen('from=2026-03-29&to=2026-03-29'));
    expect([new Date(created_from!), new Date(created_before!)]).toEqual([new Date(2026, 2, 29), new Date(2026, 2, 30)]);
    expect(soughtOf(chosen('search=x&mode=manual'))).toEqual({ search: 'x', mode: 'manual' });
  });

  it('is no period that ends before it begins', () => {
    expect(isPeriod(chosen('from=2026-03-02&to=2026-03-01'))).toBe(false);
    for (const address of ['from=2026-03-01&to=2026-03-01', 'from=2026-03-02', 'to=2026-03-01'])
      expect(isPeriod(chosen(address))).toBe(true);
  });
});
