import { randomBytes } from 'node:crypto';
import { isPdfPath, closedBecause, isToken, isValid, linkStatus, tokenIn } from './link';

const NOW = new Date('2026-10-01T09:00:00Z');
const LATER = new Date('2026-10-02T09:00:00Z');
const fresh = { expiresAt: LATER, revokedAt: null };

const MINTED = 'abcdefghijklmnopqrstuvwxyz-_ABCDEFGHIJKLMNw';

describe('the token of a share link', () => {
  it('has the format of new tokens', () => {
    for (let round = 0; round < 1_000; round += 1) expect(isToken(randomBytes(32).toString('base64url'))).toBe(true);
  });

  it.each([
    '',
    'short',
    `${MINTED}w`,
    MINTED.slice(1),
    `${MINTED.slice(0, 42)}x`,
    `${MINTED.slice(0, 41)}.w`,
    `${MINTED}\n`,
    '가'.repeat(43),
  ])('is not %j', (text) => {
    expect(isToken(text)).toBe(false);
  });

  it.each(['', ')', '.', ').', ',', '를 열어 보세요', '"', '/', '.pdf', '\n'])('is found in front of %j', (tail) => {
    expect(tokenIn(MINTED + tail)).toBe(MINTED);
  });

  it.each(['w', '-x', '_', 'A.'])('is not found in front of %j, which could continue it', (tail) => {
    expect(tokenIn(MINTED + tail)).toBe('');
  });
});

it.each([
  ['.pdf', true],
  ['.pdf).', true],
  ['.pdf를', true],
  ['.pdfx', false],
  [').pdf', false],
  ['', false],
])('the suffix %j after a token requests the PDF: %s', (tail, requested) => {
  expect(isPdfPath(MINTED + tail)).toBe(requested);
});

describe('share link', () => {
  it.each([
    ['active', fresh, 'c1', 'c1'],
    ['closed', fresh, null, 'c1'],
    ['closed', fresh, 'c1', 'c2'],
    ['closed', fresh, 'c1', null],
    ['closed', fresh, null, null],
    ['expired', { ...fresh, expiresAt: NOW }, 'c1', 'c1'],
    ['revoked', { ...fresh, revokedAt: NOW }, 'c1', 'c1'],
    ['revoked', { expiresAt: NOW, revokedAt: NOW }, null, null],
  ] as const)('is %s for %j, published %s, current %s', (status, link, published, current) => {
    expect(linkStatus(link, published, current, NOW)).toBe(status);
    expect(isValid(link, NOW)).toBe(status === 'active' || status === 'closed');
  });
});

describe('a page with a valid link is closed because of', () => {
  it.each([
    ['processing', 'pending', 'processing'],
    ['awaiting_images', 'pending', 'awaiting_images'],
    ['partial', 'failed', 'partial'],
    ['failed', 'failed', 'failed'],
    ['failed', 'failed', 'complete'],
    ['processing', 'pending', 'complete'],
    ['processing', 'ready', 'complete'],
  ])('%s: content %s, analysis %s', (because, status, analysisStatus) => {
    expect(closedBecause({ errorCode: '', pointer: { status, analysisStatus } })).toBe(because);
  });

  it.each([
    ['legacy', 'content_unavailable_for_legacy'],
    ['discarded', 'not_found'],
  ])('%s: %s', (because, errorCode) => {
    expect(closedBecause({ errorCode })).toBe(because);
  });
});
