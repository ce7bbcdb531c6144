import { newId } from '@tire/kernel';
import { exportKey, isExportKey, isObjectKey, imageKey, parseObjectKey, reportPrefix, uploadKey } from './object-key';

const identity = { projectId: newId(), reportId: newId(), slotId: 'tire.tread.front_left', assetId: newId() };

it('the key of an upload names its project, report, slot and asset', () => {
  const { projectId, reportId, assetId } = identity;
  expect(uploadKey(identity)).toBe(`projects/${projectId}/reports/${reportId}/tire.tread.front_left/${assetId}`);
  expect(isObjectKey(uploadKey(identity))).toBe(true);
});

it('the prefix of a report is that of all its objects and of no others', () => {
  const prefix = reportPrefix(identity);
  for (const key of [uploadKey(identity), imageKey(identity, Buffer.alloc(32))]) expect(key.startsWith(prefix)).toBe(true);
  for (const other of [{ reportId: newId() }, { projectId: newId() }])
    expect(uploadKey({ ...identity, ...other }).startsWith(prefix)).toBe(false);
  for (const wrong of [{ reportId: '' }, { projectId: '..' }]) expect(() => reportPrefix({ ...identity, ...wrong })).toThrow('Malformed');
});

it('the case of the letters of an id does not matter', () => {
  expect(uploadKey({ ...identity, assetId: identity.assetId.toUpperCase() })).toBe(uploadKey(identity));
});

it('other bytes have another key', () => {
  const keys = [1, 2].map((byte) => imageKey(identity, Buffer.alloc(32, byte)));
  expect(new Set(keys).size).toBe(2);
  for (const key of keys) expect(isObjectKey(key)).toBe(true);
});

it.each([{ projectId: '..' }, { reportId: '' }, { slotId: 'tire.tread.middle' }, { slotId: '../../x' }, { assetId: `${newId()}/..` }])(
  'a malformed identity has no key: %j',
  (wrong) => {
    expect(() => uploadKey({ ...identity, ...wrong })).toThrow('Malformed');
  },
);

it.each([
  '',
  '/',
  'a/',
  '/a',
  'a//b',
  '.',
  '..',
  'a/../b',
  'a/./b',
  'a\\b',
  'a\0',
  'a b',
  'a~',
  '%2e%2e/a',
  'ä',
  'a\n',
  `${'a/'.repeat(300)}a`,
])('not a key: %j', (key) => {
  expect(isObjectKey(key)).toBe(false);
});

it.each(['a', 'a/b', 'a/.hidden', 'a..b/c-d_e.f'])('a key: %j', (key) => {
  expect(isObjectKey(key)).toBe(true);
});

it('is parsed from its key', () => {
  const [upload, image] = [uploadKey(identity), imageKey(identity, Buffer.alloc(32, 1))];
  expect(parseObjectKey(upload)).toEqual({ ...identity, key: upload, isUpload: true });
  expect(parseObjectKey(image)).toEqual({ ...identity, key: image, isUpload: false });
});

it.each(['', 'backup.tar', 'projects/x', `${uploadKey(identity)}.txt`, `${uploadKey(identity)}/x`, `other/${uploadKey(identity)}`])(
  'is none of ours: %j',
  (key) => {
    expect(parseObjectKey(key)).toBeUndefined();
  },
);

it('an exported file has a key of its own below the prefix of its project', () => {
  const key = exportKey(identity.projectId, 'usage-monthly-2026-11-01-0000abcd.csv')!;
  expect(key).toBe(`projects/${identity.projectId}/exports/usage-monthly-2026-11-01-0000abcd.csv`);
  expect([isObjectKey(key), isExportKey(key), parseObjectKey(key)]).toEqual([true, true, undefined]);
  for (const other of [uploadKey(identity), `${key}/x`, key.replace('projects', 'other'), 'projects/x/exports/a.csv', ''])
    expect(isExportKey(other)).toBe(false);
});
