import { NO_PARTNER } from './partner.store';
import { publicFace } from './public-face';

const logoOf = (name: string) => ({ name, widthPx: 240, heightPx: 80 });
const PARTNER = {
  ...NO_PARTNER,
  ...{ name: 'Head office', phone: '02-1', address: 'Sejong-daero 1', openingHours: 'Mon', logo: logoOf('p'), version: 3 },
};
const BARE = { name: 'Gangnam', phone: null, address: null, openingHours: null, logo: null, version: 2 };
const WHOLE = { ...BARE, phone: '02-2', address: 'Teheran-ro 1', openingHours: 'Sun', logo: logoOf('b') };

it.each([
  ['nothing is set', null, null, [null, null, null, null, undefined, '0.0']],
  ['a shop without branches', PARTNER, null, ['Head office', '02-1', 'Sejong-daero 1', 'Mon', 'p', '3.0']],
  ['a branch with all of its own', PARTNER, WHOLE, ['Gangnam', '02-2', 'Teheran-ro 1', 'Sun', 'b', '3.2']],
  ['a branch with a name only: not the place of another one', PARTNER, BARE, ['Gangnam', '02-1', null, null, 'p', '3.2']],
  ['a branch of a project where nothing is set', null, BARE, ['Gangnam', null, null, null, undefined, '0.2']],
])('what visitors see of a shop: %s', (_, partner, branch, expected) => {
  const { name, phone, address, openingHours, logo, version } = publicFace(partner, branch);
  expect([name, phone, address, openingHours, logo?.name, version]).toEqual(expected);
});
