import type { ReportDetail } from '@tire/contracts/console';
import { reportExample } from '@tire/contracts/openapi';
import { becomes, describeWithBrowser, type Visitor } from '@tire/test-harness';
import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { walks } from './testing/walks.fixture';

/** In place of Kakao's script, which cannot be reached here. A key of zeros is one that Kakao refuses at the press. */
const STAND_IN = `
  let key;
  window.Kakao = {
    isInitialized: () => key !== undefined,
    init: (given) => { key = given; },
    Share: {
      sendDefault: (message) => {
        if (/^0+$/.test(key)) throw new Error('The key is unknown');
        document.title = JSON.stringify({ key, ...message });
      },
    },
  };`;
const REPORT = { ...reportExample, publication_status: 'published' as const };
const URL_OF_LINK = 'https://share.example/r/token';
const KEY = '0123456789abcdef'.repeat(2);

describeWithBrowser('the button of KakaoTalk, in a browser', () => {
  let sdk: Server;
  let asked = 0;
  let isChanged = false;
  const address = () => `http://127.0.0.1:${(sdk.address() as AddressInfo).port}/kakao.min.js`;

  beforeAll(async () => {
    sdk = createServer((_, response) => {
      asked += 1;
      const headers = { 'access-control-allow-origin': '*', 'content-type': 'text/javascript' };
      response.writeHead(200, headers).end(isChanged ? `${STAND_IN}//` : STAND_IN);
    });
    await new Promise<void>((resolve) => sdk.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => sdk?.close());
  beforeEach(() => {
    asked = 0;
    isChanged = false;
  });

  const { owner, newProject, checkPage, expectErrors } = walks(() => ({
    KAKAO_SDK_URL: address(),
    KAKAO_SDK_INTEGRITY: `sha384-${createHash('sha384').update(STAND_IN).digest('base64')}`,
  }));

  const withReport = async (visitor: Visitor, project: string) => {
    const give = (below: string, json: object) =>
      visitor.tab.route(new RegExp(`/console/api/.*/reports/${REPORT.report_id}${below}$`), (route) => route.fulfill({ json }));
    const work = { standing: 'good', attention: 'read', handled: null, result: 'good/1/1' } as const;
    await give('', { report: REPORT, trace_id: '0'.repeat(32), history: [], work } satisfies ReportDetail);
    const at = '2026-11-27T01:00:00.000Z';
    await give('/share', {
      ...{ report_id: REPORT.report_id, status: 'active', share_url: URL_OF_LINK },
      ...{ expires_at: null, revoked_at: null, created_at: at },
    });
    await visitor.open(`${project}/reports/${REPORT.report_id}`);
    await visitor.button('Copy link').waitFor();
  };
  const saveKey = async (visitor: Visitor, project: string, key: string) => {
    const partner = { name: null, phone: null, address: null, opening_hours: null, logo: null };
    await visitor.tab.route(/\/partner$/, (route) => route.fulfill({ json: partner }));
    await visitor.open(`${project}/share-page`);
    await visitor.fill('JavaScript key (optional)', key);
    await visitor.button('Save the key').click();
  };
  const frameOf = ({ tab }: Visitor) => tab.frames().find((frame) => frame.url().endsWith('/console/kakao-frame'));
  const buttonOf = ({ tab }: Visitor, name = 'KakaoTalk') => tab.frameLocator('.kakao-frame').getByRole('button', { name });

  it('is there with the key of the project, and sends the link from a frame that reaches nothing of the console', async () => {
    const visitor = await owner('Kay');
    // axe asks the frame for its results, which has an origin of its own.
    expectErrors(503, 422, '/console/api/session', "the recipient window's origin ('null')");
    const project = await newProject(visitor, 'With a key');
    await withReport(visitor, project);
    expect([await visitor.tab.locator('iframe').count(), asked]).toEqual([0, 0]);
    await saveKey(visitor, project, 'x');
    await visitor.tab.getByText('A JavaScript key has 32 characters').waitFor();
    await saveKey(visitor, project, KEY);
    await visitor.tab.getByText('Saved.').waitFor();
    await checkPage(visitor, 'kakao-key');
    await withReport(visitor, project);
    await buttonOf(visitor).click();
    const frame = frameOf(visitor)!;
    await becomes(async () => JSON.parse((await frame.title()).replace(/^KakaoTalk$/, 'null')) as unknown, {
      ...{ key: KEY, objectType: 'text', text: 'Here are the results of your tire inspection.', buttonTitle: 'Open the report' },
      link: { mobileWebUrl: URL_OF_LINK, webUrl: URL_OF_LINK },
    });
    await checkPage(visitor, 'kakao-button');
    const reaches = [
      'document.cookie',
      'parent.document.body',
      'localStorage.length',
      "fetch('/console/api/session').then((response) => response.status)",
    ];
    const reached = await Promise.all(
      reaches.map((reach) =>
        frame.evaluate<unknown>(reach).then(
          () => 'reached',
          () => 'refused',
        ),
      ),
    );
    expect(reached).toEqual(['refused', 'refused', 'refused', 'refused']);
    await visitor.tab
      .getByLabel(/Language/)
      .first()
      .selectOption('ko');
    await buttonOf(visitor, '카카오톡으로 보내기').waitFor();
  });

  it('is not there where the script is another one, and says so where Kakao refuses', async () => {
    const visitor = await owner('Noa');
    expectErrors(503, "'integrity' attribute");
    const project = await newProject(visitor, 'Without Kakao');
    await saveKey(visitor, project, '0'.repeat(32));
    await visitor.tab.getByText('Saved.').waitFor();
    isChanged = true;
    await withReport(visitor, project);
    await becomes(() => Promise.resolve(asked), 1);
    await becomes(() => frameOf(visitor)!.evaluate<unknown>('document.readyState'), 'complete');
    expect(await buttonOf(visitor).isVisible()).toBe(false);
    isChanged = false;
    await withReport(visitor, project);
    await buttonOf(visitor).click();
    await visitor.tab.getByText('KakaoTalk did not open.').waitFor();
    expect(await buttonOf(visitor).isVisible()).toBe(false);
  });
});
