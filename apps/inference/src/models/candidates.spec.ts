import { readProjects } from './candidates';

const ID = '0199c0de-0000-7000-8000-00000000000a';

it.each<[string, string[]]>([
  ['[]', []],
  [JSON.stringify([ID]), [ID]],
  [JSON.stringify([ID, ID.toUpperCase()]), [ID]],
])('%s', (text, ids) => {
  expect([...readProjects('folder', text)]).toEqual(ids);
});

it.each(['', '{}', '["all"]', '[1]', JSON.stringify(Array(1_001).fill(ID)), `"${ID}"`])('%.30s is refused', (text) => {
  expect(() => readProjects('folder', text)).toThrow(/model folder: projects\.json/);
});
