import { newId } from '@tire/kernel';
import { isObjectKey, keptKey, parseObjectKey, reportPrefix, uploadKey } from './object-key';

const identity = { projectId: newId(), reportId: newId(), slotId: 'tire.tread.front_left', assetId: newId() };

it('an upload lies under its project, report, slot and asset', () => {
  const { projectId, reportId, assetId } = identity;
  expect(uploadKey(identity)).toBe(`projects/${projectId}/reports/${reportId}/tire.tread.front_left/${assetId}`);
  expect(isObjectKey(uploadKey(identity))).toBe(true);
});

it('all objects of a report lie under its prefix, and those of no other report', () => {
  const prefix = reportPrefix(identity);
  for (const key of [uploadKey(identity), keptKey(identity, Buffer.alloc(32))]) expect(key.startsWith(prefix)).toBe(true);
  for (const other of [{ reportId: newId() }, { projectId: newId() }])
    expect(uploadKey({ ...identity, ...other }).startsWith(prefix)).toBe(false);
  for (const wrong of [{ reportId: '' }, { projectId: '..' }])
    expect(() => reportPrefix({ ...identity, ...wrong })).toThrow('Not the identity');
});

it('an id means the same object however its letters are written', () => {
  expect(uploadKey({ ...identity, assetId: identity.assetId.toUpperCase() })).toBe(uploadKey(identity));
});

it('other bytes are kept under another key', () => {
  const keys = [1, 2].map((byte) => keptKey(identity, Buffer.alloc(32, byte)));
  expect(new Set(keys).size).toBe(2);
  for (const key of keys) expect(isObjectKey(key)).toBe(true);
});

it.each([{ projectId: '..' }, { reportId: '' }, { slotId: 'tire.tread.middle' }, { slotId: '../../x' }, { assetId: `${newId()}/..` }])(
  'what is no identity gets no key: %j',
  (wrong) => {
    expect(() => uploadKey({ ...identity, ...wrong })).toThrow('Not the identity');
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

it('is told back from its key, uploaded and kept', () => {
  const [upload, kept] = [uploadKey(identity), keptKey(identity, Buffer.alloc(32, 1))];
  expect(parseObjectKey(upload)).toEqual({ ...identity, key: upload, isUpload: true });
  expect(parseObjectKey(kept)).toEqual({ ...identity, key: kept, isUpload: false });
});

it.each(['', 'backup.tar', 'projects/x', `${uploadKey(identity)}.txt`, `${uploadKey(identity)}/x`, `other/${uploadKey(identity)}`])(
  'is none of ours: %j',
  (key) => {
    expect(parseObjectKey(key)).toBeUndefined();
  },
);
