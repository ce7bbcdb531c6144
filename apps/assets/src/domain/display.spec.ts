import { DISPLAY_RECIPE, DISPLAY_SIZES, missingOf, RECORD_OF, recordsWith } from './display';

describe('the record of the derivatives of an image', () => {
  it.each([
    ['nothing is stored', null],
    ['an older release stored them', DISPLAY_RECIPE - 1],
  ])('%s: all are missing', (_, record) => {
    expect([missingOf('page', record), missingOf('all', record)]).toEqual([['small', 'thumbnail'], DISPLAY_SIZES]);
  });

  it('those of a page are stored: the large one is missing', () => {
    expect([missingOf('page', RECORD_OF.page), missingOf('all', RECORD_OF.page)]).toEqual([[], ['large']]);
  });

  it('is the recipe where all are stored, as in the release before', () => {
    expect([RECORD_OF.all, missingOf('page', RECORD_OF.all), missingOf('all', RECORD_OF.all)]).toEqual([DISPLAY_RECIPE, [], []]);
  });

  it('of a page is also one of all', () => {
    expect([recordsWith('page').toSorted(), recordsWith('all')]).toEqual([[RECORD_OF.page, RECORD_OF.all].toSorted(), [RECORD_OF.all]]);
  });
});
