import { newId } from '@tire/kernel';
import { BRANCH_LIMITS } from '@tire/contracts/limits';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { ShareController } from '../publication/share.controller';
import { readPdf } from '../testing/pdf.fixture';
import { publishedReport, type RunningShare, startOwnShare } from '../testing/service.fixture';

describe('the branches of a project', () => {
  let share: RunningShare;
  let images: Server;
  let logo: Buffer;
  let projectId: string;

  beforeAll(async () => {
    logo = await sharp({ create: { width: 240, height: 80, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    images = createServer((_, response) => response.end(logo));
    await new Promise<void>((resolve) => images.listen(0, '127.0.0.1', resolve));
    share = await startOwnShare();
  });
  afterAll(async () => {
    images?.closeAllConnections();
    images?.close();
    await share?.close();
  });
  beforeEach(() => {
    projectId = newId();
    share.peers.images.set(projectId, `http://127.0.0.1:${(images.address() as AddressInfo).port}/logo`);
  });

  const calls = () => share.app.get(ShareController);
  const get = (path: string) => share.app.inject({ method: 'GET', url: `/r/${path}` });
  const page = async (token: string) => (await get(token)).body;
  const pdfText = async (token: string) => (await readPdf((await get(`${token}.pdf`)).rawPayload)).map(({ text }) => text).join(' ');
  const save = async (name: string, over: object = {}, branchId?: string, archived = false) =>
    (await calls().saveBranch({ projectId, branchId, archived, texts: { name, ...over } })).branch!;
  const reportOf = async (branchId?: string) => (await publishedReport(share, {}, projectId, { branchId })).ended.shareToken;

  it('stand on page and PDF in place of the project, as set now, also after they were archived', async () => {
    await calls().changePartner({ projectId, name: '한빛 타이어', phone: '1588-0000' });
    const texts = { address: '서울 강남구 테헤란로 1', openingHours: '평일 09:00~19:00\n\n 토요일  09:00~15:00 ' };
    const { branchId } = await save('강남 <b>점</b>', texts);
    const [ofBranch, ofProject] = [await reportOf(branchId), await reportOf()];
    const shown = await page(ofBranch);
    for (const text of ['강남 &lt;b&gt;점&lt;/b&gt;', '1588-0000', '테헤란로 1', '영업시간', '토요일 09:00~15:00'])
      expect(shown).toContain(text);
    expect(shown).not.toContain('한빛 타이어');
    const printed = await pdfText(ofBranch);
    for (const text of ['강남 <b>점</b>', '테헤란로 1', '영업시간 평일 09:00~19:00', '토요일 09:00~15:00']) expect(printed).toContain(text);
    expect(await page(ofProject)).not.toContain('강남');
    await save('강남점', { phone: '02-555-0000' }, branchId, true);
    const archived = await page(ofBranch);
    expect(archived).toContain('강남점');
    expect(archived).toContain('tel:025550000');
    expect(archived).not.toContain('테헤란로');
    const { archivedAt } = (await calls().getBranch({ projectId, branchId })).branch!;
    expect(archivedAt).toEqual(expect.any(String));
    expect((await save('강남점', {}, branchId, true)).archivedAt).toBe(archivedAt);
    expect((await save('강남점', {}, branchId)).archivedAt).toBeUndefined();
  });

  it('are shown to the gateway as to visitors: those of the project, and the project where there is none', async () => {
    await calls().changePartner({
      projectId,
      name: '한빛 타이어',
      phone: '1588-0000',
      address: '세종대로 1',
      openingHours: '매일\n연중무휴',
    });
    const { branchId } = await save('강남점', { address: '테헤란로 1' });
    const ofProject = { name: '한빛 타이어', phone: '1588-0000', address: '세종대로 1', openingHours: '매일\n연중무휴' };
    const face = async (of: string, branch?: string) => (await calls().getFace({ projectId: of, branchId: branch })).face;
    expect(await face(projectId)).toEqual(ofProject);
    expect(await face(projectId, branchId)).toEqual({ name: '강남점', phone: '1588-0000', address: '테헤란로 1' });
    for (const none of [newId(), 'none']) expect(await face(projectId, none)).toEqual(ofProject);
    expect(await face(newId(), branchId)).toEqual({});
    await expect(face('none')).rejects.toMatchObject({ code: 'not_found' });
    // What was not sent stays, and an empty text removes it.
    await calls().changePartner({ projectId, name: '한빛 타이어' });
    expect(await face(projectId)).toMatchObject({ address: '세종대로 1', openingHours: '매일\n연중무휴' });
    await calls().changePartner({ projectId, name: '한빛 타이어', address: ' ', openingHours: '' });
    expect(await face(projectId)).toEqual({ name: '한빛 타이어' });
  });

  it('leave the place of the project on pages of reports without a branch', async () => {
    await calls().changePartner({ projectId, address: '세종대로 1', openingHours: '매일' });
    const [token, ofBranch] = [await reportOf(), await reportOf((await save('강남점')).branchId)];
    for (const shown of [await page(token), await pdfText(token)]) {
      expect(shown).toContain('세종대로 1');
      expect(shown).toContain('영업시간');
    }
    expect(await page(ofBranch)).not.toContain('세종대로');
  });

  it('have a logo of their own, which is removed when another one replaces it', async () => {
    const { logos } = share.peers;
    logos.clear();
    const { branchId } = await save('강남점');
    const token = await reportOf(branchId);
    await calls().changeLogo({ projectId, image: logo });
    const [ofProject] = [...logos];
    expect(await page(token)).toContain('/logo"');
    for (let upload = 0; upload < 2; upload++) {
      const { branch } = await calls().changeBranchLogo({ projectId, branchId, image: logo });
      expect(branch?.logo).toMatchObject({ widthPx: 240, heightPx: 80 });
      expect([logos.size, logos.has(ofProject!)]).toEqual([2, true]);
    }
    await calls().changeBranchLogo({ projectId, branchId });
    expect([...logos]).toEqual([ofProject]);
    await expect(calls().changeBranchLogo({ projectId, branchId: newId(), image: logo })).rejects.toMatchObject({ code: 'not_found' });
    expect([...logos]).toEqual([ofProject]);
  });

  it('belong to one project, and their number and texts are bounded', async () => {
    const { branchId } = await save('강남점');
    const other = newId();
    const notFound = { code: 'not_found' };
    await expect(calls().getBranch({ projectId: other, branchId })).rejects.toMatchObject(notFound);
    await expect(calls().saveBranch({ projectId: other, branchId, archived: true, texts: { name: 'x' } })).rejects.toMatchObject(notFound);
    expect((await calls().listBranches({ projectId: other })).branches).toEqual([]);
    const { ended } = await publishedReport(share, {}, other, { branchId });
    expect(await page(ended.shareToken)).not.toContain('강남점');
    await expect(save(' \u202e ')).rejects.toMatchObject({ param: 'name' });
    await expect(save('x'.repeat(BRANCH_LIMITS.name + 1))).rejects.toMatchObject({ param: 'name' });
    await expect(save('x', { address: 'x'.repeat(BRANCH_LIMITS.address + 1) })).rejects.toMatchObject({ param: 'address' });
    await expect(save('x', { openingHours: 'x'.repeat(BRANCH_LIMITS.openingHours + 1) })).rejects.toMatchObject({ param: 'opening_hours' });
    await expect(save('x', { phone: 'call me' })).rejects.toMatchObject({ param: 'phone' });
    await share.owner.query(
      `INSERT INTO branches (branch_id, project_id, name, created_at) SELECT gen_random_uuid(), $1, n::text, now() FROM generate_series(3, $2::int) n`,
      [projectId, BRANCH_LIMITS.branches],
    );
    const more = await Promise.allSettled([save('one'), save('two'), save('three')]);
    expect(more.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await calls().listBranches({ projectId })).branches).toHaveLength(BRANCH_LIMITS.branches);
  });

  it('the time of a page is in the zone of the newest version that was noted', async () => {
    const token = await reportOf();
    const before = await page(token);
    const timeOf = (body: string) => /<time datetime="([^"]+)">([^<]+)</.exec(body)!.slice(1);
    const [at = '', inSeoul] = timeOf(before);
    const inZone = (timeZone: string) =>
      new Intl.DateTimeFormat('ko-KR', { dateStyle: 'long', timeStyle: 'short', hourCycle: 'h23', timeZone }).format(new Date(at));
    expect(inSeoul).toBe(inZone('Asia/Seoul'));
    await calls().noteTimeZone({ projectId, timeZone: 'America/New_York', version: 2 });
    await calls().noteTimeZone({ projectId, timeZone: 'Europe/Berlin', version: 1 });
    await calls().noteTimeZone({ projectId, timeZone: 'Europe/Berlin', version: 2 });
    expect(timeOf(await page(token))[1]).toBe(`${inZone('America/New_York')} (America/New_York)`);
    await calls().noteTimeZone({ projectId, timeZone: 'Asia/Seoul', version: 3 });
    expect(await page(token)).toBe(before);
  });
});
