import { filesOf, isAway, wayOf } from '../web/offline/ways';

const ORIGIN = 'https://api.example';
const PAGE = { method: 'GET', mode: 'navigate', destination: 'document', url: `${ORIGIN}/c/token` } as const;
const FILE = { method: 'GET', mode: 'cors', destination: 'script', url: `${ORIGIN}/capture/assets/main-AbCd1234.js` } as const;

describe('the service worker', () => {
  it.each([
    ['the page', PAGE, 'page'],
    ['the page with a slash', { ...PAGE, url: `${ORIGIN}/c/token/` }, 'page'],
    ['the page in a frame', { ...PAGE, destination: 'iframe' }, null],
    ['a form that is sent to the page', { ...PAGE, method: 'POST' }, null],
    ['another page of this origin', { ...PAGE, url: `${ORIGIN}/console` }, null],
    ['a page below the page', { ...PAGE, url: `${ORIGIN}/c/token/other` }, null],
    ['a page of another origin', { ...PAGE, url: 'https://shop.example/c/token' }, null],
    ['a file of the page', FILE, 'file'],
    ['the same file of another origin', { ...FILE, url: 'https://shop.example/capture/assets/main-AbCd1234.js' }, null],
    ['the interface', { ...FILE, destination: '', url: `${ORIGIN}/capture/api/session` }, null],
    ['an upload', { ...FILE, method: 'PUT', destination: '', url: 'https://objects.example/key' }, null],
  ] as const)('%s', (_, asked, way) => {
    expect(wayOf(asked, ORIGIN)).toBe(way);
  });

  it('keeps the files that the page names, each once', () => {
    const html =
      '<link href="/capture/assets/main-1.css"><script src="/capture/assets/main-2.js"></script><a href="/capture/assets/main-2.js">';
    expect(filesOf(html)).toEqual(['/capture/assets/main-1.css', '/capture/assets/main-2.js']);
    expect(filesOf('<p>')).toEqual([]);
  });

  it('shows the shell for faults of the server, and what the server says otherwise', () => {
    expect([200, 304, 404, 429, 500, 503].map(isAway)).toEqual([false, false, false, true, true, true]);
  });
});
