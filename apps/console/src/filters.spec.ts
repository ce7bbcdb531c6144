import { addressOf, exportFilterOf, filtersFrom, isFiltered, isPeriod, filterOf, orderOf, viewOf } from '../web/pages/reports/filters';

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

  it.each([
    ['', { attention: 'open', order: 'urgency' }],
    ['view=unread', { attention: 'unread', order: 'urgency' }],
    ['view=handled', { attention: 'handled' }],
    ['view=all', {}],
    ['view=all&order=urgency', { order: 'urgency' }],
    ['order=newest', { attention: 'open' }],
    // A car that comes again was handled long ago.
    ['search=3456', { search: '3456' }],
    ['search=3456&view=open&order=urgency', { search: '3456', attention: 'open' }],
    ['status=near_limit', { attention: 'open', order: 'urgency', urgency: 'near_limit' }],
    ['status=partial&view=all', { analysis_status: 'partial' }],
    ['person=user:01978a34-5c00-7000-8000-000000000001&view=all', { created_by: 'user:01978a34-5c00-7000-8000-000000000001' }],
  ])('%s asks for %j', (address, filter) => {
    expect(filterOf(chosen(address))).toEqual(filter);
  });

  it('leave out of the address what applies anyway', () => {
    expect(addressOf(chosen('view=open&order=urgency'))).toBe('');
    expect([viewOf(chosen('')), orderOf(chosen('')), viewOf(chosen('search=x')), orderOf(chosen('search=x'))]).toEqual([
      'open',
      'urgency',
      'all',
      'newest',
    ]);
  });

  it.each([
    'status=toString',
    'view=mine',
    'order=oldest',
    'person=root',
    'mode=by+hand',
    'from=yesterday',
    'from=2026-13-01',
    'to=2026-3-1',
  ])('ignore %s', (address) => expect(addressOf(chosen(address))).toBe(''));

  it('cover whole local days, also days of 23 hours', () => {
    const { created_from, created_before } = filterOf(chosen('from=2026-03-29&to=2026-03-29'));
    expect([new Date(created_from!), new Date(created_before!)]).toEqual([new Date(2026, 2, 29), new Date(2026, 2, 30)]);
    const inSeoul = filterOf(chosen('view=all&from=2026-03-29&to=2026-03-29'), 'Asia/Seoul');
    expect(inSeoul).toEqual({ created_from: '2026-03-28T15:00:00.000Z', created_before: '2026-03-29T15:00:00.000Z' });
    expect(filterOf(chosen('search=x&mode=manual'))).toEqual({ search: 'x', mode: 'manual' });
  });

  it('are the same for a file, which has one order', () => {
    const list = filterOf(chosen('from=2026-03-29&status=near_limit'), 'Asia/Seoul');
    expect(list.order).toBe('urgency');
    expect(exportFilterOf(list)).toEqual({ attention: 'open', urgency: 'near_limit', created_from: '2026-03-28T15:00:00.000Z' });
  });

  it('refuse a period that ends before it begins', () => {
    expect(isPeriod(chosen('from=2026-03-02&to=2026-03-01'))).toBe(false);
    for (const address of ['from=2026-03-01&to=2026-03-01', 'from=2026-03-02', 'to=2026-03-01'])
      expect(isPeriod(chosen(address))).toBe(true);
  });
});
