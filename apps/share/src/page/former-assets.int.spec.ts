import { publishedReport, type RunningShare, startOwnShare } from '../testing/service.fixture';

describe('a share page beside an assets of the former release, during a roll-out', () => {
  let share: RunningShare;

  beforeAll(async () => void (share = await startOwnShare({ hasFormerAssets: true })));
  afterAll(() => share?.close());

  const page = async (token: string) => (await share.app.inject({ method: 'GET', url: `/r/${token}` })).body;
  const countOf = (body: string, part: string | RegExp) => body.split(part).length - 1;

  it('shows all photographs at their small addresses', async () => {
    const { ended } = await publishedReport(share);
    const body = await page(ended.shareToken);
    const all = share.peers.signed.length;
    expect(all).toBeGreaterThan(1);
    expect([countOf(body, /<img src="[^"]*&amp;small"/), countOf(body, '<source')]).toEqual([all, 0]);
  });

  it('has a notice of a photograph whose time is over', async () => {
    const { ended } = await publishedReport(share);
    share.peers.ended.add(ended.reportId);
    const before = share.peers.signed.length;
    share.peers.meanwhile.signing = () => {
      share.peers.unsigned.add(share.peers.signed[before]!);
    };
    const body = await page(ended.shareToken);
    expect([countOf(body, 'class="photo ended"'), countOf(body, '<img')]).toEqual([1, share.peers.signed.length - before - 1]);
  });
});
