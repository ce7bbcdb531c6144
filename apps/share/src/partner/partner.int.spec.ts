import { newId } from '@tire/kernel';
import { testClock } from '@tire/test-harness';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { ShareController } from '../publication/share.controller';
import { readPdf } from '../testing/pdf.fixture';
import { publishedReport, type RunningShare, startOwnShare } from '../testing/service.fixture';
import { Logos } from './logos';

describe('the partner and the languages of a share page', () => {
  const clock = testClock(new Date());
  let share: RunningShare;
  let images: Server;
  let logo: Buffer;
  let projectId: string;

  beforeAll(async () => {
    logo = await sharp({ create: { width: 240, height: 80, channels: 3, background: '#ffffff' } })
      .png()
      .toBuffer();
    const image = await sharp({ create: { width: 90, height: 60, channels: 3, background: '#456' } })
      .jpeg()
      .toBuffer();
    images = createServer((request, response) => response.end(request.url?.startsWith('/logo') ? logo : image));
    await new Promise<void>((resolve) => images.listen(0, '127.0.0.1', resolve));
    share = await startOwnShare({ clock });
  });
  afterAll(async () => {
    images?.closeAllConnections();
    images?.close();
    await share?.close();
  });
  beforeEach(() => {
    projectId = newId();
    share.peers.images.set(projectId, imageAt(`logo?${projectId}`));
  });

  const imageAt = (path: string) => `http://127.0.0.1:${(images.address() as AddressInfo).port}/${path}`;
  const console_ = () => share.app.get(ShareController);
  const get = (path: string, headers: Record<string, string> = {}) => share.app.inject({ method: 'GET', url: `/r/${path}`, headers });
  const page = async (token: string, query = '') => (await get(token + query)).body;
  const pdf = async (token: string, query = '') => {
    const { rawPayload } = await get(`${token}.pdf${query}`);
    return (await readPdf(rawPayload)).map(({ text, images: count }) => ({ text, count }));
  };
  const version2 = { generator: { ruleset_version: '2.0', copy_version: '2.0', projection_version: '2.0' } } as const;

  it('is shown as set now, also on a page that is open already, and nothing where nothing is set', async () => {
    const { ended } = await publishedReport(share, {}, projectId);
    const before = await page(ended.shareToken);
    expect(before).not.toMatch(/class="band"|tel:/);
    const name = '한빛 <b>타이어</b> & 휠';
    await console_().changePartner({ projectId, name, phone: '02-123-4567' });
    const after = await page(ended.shareToken);
    expect(after).toContain('한빛 &lt;b&gt;타이어&lt;/b&gt; &amp; 휠');
    expect(after).toContain('<a href="tel:021234567">02-123-4567</a>');
    expect((await pdf(ended.shareToken))[0]!.text).toContain(`${name} 전화 02-123-4567`);
    await console_().changePartner({ projectId });
    expect(await page(ended.shareToken)).toBe(before);
    expect((await pdf(ended.shareToken))[0]!.text).not.toContain('02-123-4567');
  });

  it('has a logo on page and PDF, with a text for who cannot see it unless the name is beside it', async () => {
    const { ended } = await publishedReport(share, {}, projectId);
    const [{ count: without } = { count: 0 }] = await pdf(ended.shareToken);
    const policy = async () => /img-src [^;]*/.exec(String((await get(ended.shareToken)).headers['content-security-policy']))?.[0];
    const policyBefore = await policy();
    const changed = await console_().changeLogo({ projectId, image: logo });
    expect(changed.partner?.logo).toMatchObject({ url: share.peers.images.get(projectId), widthPx: 240, heightPx: 80 });
    expect(await page(ended.shareToken)).toContain(`<img src="${changed.partner!.logo!.url}" width="240" height="80" alt="업체 로고" />`);
    expect(await policy()).toBe(policyBefore);
    expect((await pdf(ended.shareToken))[0]!.count).toBe(without + 1);
    await console_().changePartner({ projectId, name: '한빛 타이어' });
    expect(await page(ended.shareToken)).toMatch(/alt="" \/>[\s\S]*한빛 타이어/);
    await console_().changeLogo({ projectId });
    expect(await page(ended.shareToken)).not.toContain('/logo');
    expect((await console_().getPartner({ projectId })).partner).toMatchObject({ name: '한빛 타이어', logo: undefined });
  });

  const named = async () =>
    (await share.owner.query<{ name: string | null }>('SELECT logo_name AS name FROM partners WHERE project_id = $1', [projectId])).rows;

  const unusedCount = async () => (await share.owner.query('SELECT FROM unused_logos WHERE project_id = $1', [projectId])).rowCount;

  it('has one logo: the one before it is removed, unless assets does not answer', async () => {
    const { logos, silent } = share.peers;
    logos.clear();
    const change = async (image?: Buffer) => (await console_().changeLogo({ projectId, image })).partner?.logo !== undefined;
    for (let upload = 0; upload < 2; upload++) {
      expect(await change(logo)).toBe(true);
      expect(await named()).toEqual([...logos].map((name) => ({ name })));
    }
    silent.add('removal of a logo');
    expect(await change(logo)).toBe(true);
    expect(logos.size).toBe(2);
    silent.clear();
    expect(await change()).toBe(false);
    expect([logos.size, await named()]).toEqual([1, [{ name: null }]]);
  });

  it.each(['storing of a logo', 'removal of a logo'] as const)(
    'leaves no object that nothing names for longer than an hour, where assets answers too late: %s',
    async (late) => {
      const { logos, silent } = share.peers;
      logos.clear();
      await console_().changeLogo({ projectId, image: logo });
      silent.add(late);
      const changed = console_().changeLogo({ projectId, image: logo });
      // The state after a crash between the upload and the change of the settings: the object exists, and nothing names it.
      await (late === 'storing of a logo' ? expect(changed).rejects.toThrow() : changed);
      silent.clear();
      const unused = share.app.get(Logos);
      await unused.removeUnused();
      expect(logos.size).toBe(2);
      clock.advanceMs(3_600_001);
      await unused.removeUnused();
      expect(await named()).toEqual([...logos].map((name) => ({ name })));
      expect(await unusedCount()).toBe(0);
    },
  );

  it('has an object for the logo that is named last when members send the same image at once', async () => {
    const { logos } = share.peers;
    logos.clear();
    await Promise.all(Array.from({ length: 4 }, () => console_().changeLogo({ projectId, image: logo })));
    expect(await named()).toEqual([...logos].map((name) => ({ name })));
  });

  it('keeps no image of a change that failed', async () => {
    const { logos } = share.peers;
    await console_().changeLogo({ projectId, image: logo });
    logos.clear();
    await share.owner.query(`ALTER TABLE partners ADD CONSTRAINT refused CHECK (logo_width_px < 240) NOT VALID`);
    const before = await named();
    await expect(console_().changeLogo({ projectId, image: logo })).rejects.toThrow();
    await share.owner.query('ALTER TABLE partners DROP CONSTRAINT refused');
    expect([...logos]).toEqual([]);
    expect(await named()).toEqual(before);
  });

  it('without an address for the logo the report is shown without it, and the settings can be read and changed', async () => {
    const { ended } = await publishedReport(share, {}, projectId);
    await console_().changeLogo({ projectId, image: logo });
    share.peers.unsigned.add(projectId);
    const { statusCode, body } = await get(ended.shareToken);
    expect([statusCode, body.includes('/logo')]).toEqual([200, false]);
    expect(await pdf(ended.shareToken)).not.toEqual([]);
    const unsigned = { url: undefined, widthPx: 240, heightPx: 80 };
    const named = await console_().changePartner({ projectId, name: '한빛 타이어' });
    const replaced = await console_().changeLogo({ projectId, image: logo });
    for (const { partner } of [named, replaced]) expect(partner).toEqual({ name: '한빛 타이어', phone: undefined, logo: unsigned });
    expect((await console_().getPartner({ projectId })).partner?.logo).toEqual(unsigned);
    share.peers.unsigned.clear();
  });

  it('an image that is none changes nothing, and another project has its own', async () => {
    await console_().changePartner({ projectId, name: '한빛 타이어' });
    await expect(console_().changeLogo({ projectId, image: Buffer.from('<svg/>') })).rejects.toMatchObject({ code: 'validation_error' });
    expect(await unusedCount()).toBe(0);
    await expect(console_().changePartner({ projectId, phone: 'call me' })).rejects.toMatchObject({ param: 'phone' });
    expect((await console_().getPartner({ projectId })).partner).toEqual({ name: '한빛 타이어', phone: undefined, logo: undefined });
    expect((await console_().getPartner({ projectId: newId() })).partner).toEqual({ name: undefined, phone: undefined, logo: undefined });
    const { ended } = await publishedReport(share, {}, newId());
    expect(await page(ended.shareToken)).not.toContain('한빛');
  });

  it('a report of versions with two languages links to the other one, in page and PDF', async () => {
    const { ended } = await publishedReport(share, version2, projectId);
    const korean = await page(ended.shareToken);
    const address = `https://share.example.com/r/${ended.shareToken}`;
    expect(korean).toContain('<html lang="ko-KR">');
    expect(korean).toContain(`<a href="${address}?lang=en" hreflang="en" lang="en">English</a>`);
    const english = await page(ended.shareToken, '?lang=en');
    expect(english).toContain('<html lang="en-US">');
    expect(english).toContain(`<a href="${address}?lang=ko" hreflang="ko" lang="ko">한국어</a>`);
    expect(english).toContain(`href="${address}.pdf?lang=en"`);
    expect(await page(ended.shareToken, '?lang=ko')).toBe(korean);
    expect(await page(ended.shareToken)).toBe(korean);
    expect((await pdf(ended.shareToken))[0]!.text).toContain('타이어 점검 리포트');
    const { headers } = await get(`${ended.shareToken}.pdf?lang=en`);
    expect(headers['content-disposition']).toContain(encodeURIComponent('tire-inspection-report'));
    expect((await pdf(ended.shareToken, '?lang=en'))[0]!.text).toContain('Tire inspection report');
  });

  it('a report of versions with one language has no link, and is shown in its own, whichever is requested', async () => {
    const { ended } = await publishedReport(share, {}, projectId);
    const korean = await page(ended.shareToken);
    expect(korean).not.toContain('hreflang');
    expect(await page(ended.shareToken, '?lang=en')).toBe(korean);
    expect(await page(ended.shareToken, '?lang=de')).toBe(korean);
  });

  it('a closed page begins with the language of the address, else of the browser', async () => {
    const first = async (query: string, language: string) => {
      const { body } = await get(`unknown${query}`, { 'accept-language': language });
      return [/<html lang="([^"]+)"/.exec(body)![1], /<h1>([^<]+)/.exec(body)![1]];
    };
    expect(await first('', 'en-GB,en;q=0.9')).toEqual(['en-US', 'Page not found']);
    expect(await first('', 'ko-KR')).toEqual(['ko-KR', '페이지를 찾을 수 없습니다']);
    expect(await first('?lang=en', 'ko-KR')).toEqual(['en-US', 'Page not found']);
    // An address that was cut within a letter reaches no route.
    expect(await first('%E?lang=en', 'ko-KR')).toEqual(['en-US', 'Page not found']);
    expect(await first('%E', 'en-GB')).toEqual(['en-US', 'Page not found']);
  });
});
