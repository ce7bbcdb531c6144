import type { Erasure, ErasureCertificate } from '@tire/contracts/console';
import { becomes, describeWithBrowser, type Visitor } from '@tire/test-harness';
import { walks } from './testing/walks.fixture';

const ID = '0193b1f0-0000-7000-8000-000000000001';
const AT = '2026-11-27T01:00:00.000Z';
const COUNTS = [
  { store: 'assets', what: 'objects', count: 12 },
  { store: 'gateway', what: 'visits', count: 1 },
  { store: 'ledger', what: 'reports', count: 2 },
];
const CERTIFICATE: ErasureCertificate = {
  version: '1',
  erasure_id: ID,
  project_id: '0193b1f0-0000-7000-8000-000000000002',
  service: 'https://tires.example',
  subject: { kind: 'plate', digest: 'ab'.repeat(32) },
  ...{ requested_at: AT, requested_by: 'owner@shop.example', confirmed_at: AT, confirmed_by: 'owner@shop.example', ended_at: AT },
  reason: '고객 요청',
  removed: COUNTS,
  report_ids: ['0193b1f0-0000-7000-8000-000000000003', '0193b1f0-0000-7000-8000-000000000004'],
  held_report_ids: [],
  remaining: [],
  stays: [{ what: 'backups', why: { en: 'Backups, until they are replaced.', ko: '백업은 교체될 때까지 남습니다.' }, until: AT }],
  signature: 'cd'.repeat(32),
};
const COUNTED: Erasure = {
  erasure_id: ID,
  kind: 'plate',
  state: 'counted',
  subject: '12가 3456',
  requested_at: AT,
  requested_by: 'owner@shop.example',
  preview: { reports: 2, published: 1, held: 1, counts: COUNTS, counted_at: AT },
  progress: { erased: 0, held: 0, left: 2 },
  reason: null,
  ended_at: null,
  certificate: null,
};
const DONE: Erasure = {
  ...COUNTED,
  ...{
    state: 'done',
    subject: null,
    progress: { erased: 2, held: 0, left: 0 },
    reason: '고객 요청',
    ended_at: AT,
    certificate: CERTIFICATE,
  },
};

describeWithBrowser('personal data, in a browser', () => {
  const { owner, newProject, checkPage, expectErrors } = walks();
  const dialog = ({ tab }: Visitor) => tab.getByRole('dialog');

  it.each([
    {
      ...{ locale: 'en', value: 'Value', count: 'Count what is kept', erase: 'Erase', reason: 'Reason', password: 'Your password' },
      ...{
        preview: 'What would be removed',
        certificate: 'Certificate of erasure',
        held: /have a legal hold/,
        wrong: 'The password is wrong.',
      },
      ...{ check: 'Is the certificate about this value?', submit: 'Check', isOf: /is valid and about 12가3456/ },
    },
    {
      ...{ locale: 'ko', value: '값', count: '보관 중인 데이터 확인', erase: '삭제', reason: '사유', password: '내 비밀번호' },
      ...{ preview: '삭제될 데이터', certificate: '삭제 증명서', held: /법적 보존 대상/, wrong: '비밀번호가 맞지 않습니다.' },
      ...{ check: '이 값에 대한 증명서인지 확인', submit: '확인', isOf: /유효한 증명서이며, 12가3456/ },
    },
  ])('is counted, erased after the password, and has a certificate ($locale)', async ({ locale, ...words }) => {
    expectErrors(422);
    const visitor = await owner(`Privacy${locale}`);
    const project = await newProject(visitor, 'Privacy');
    await visitor.tab.evaluate(`localStorage.setItem('console-language', '${locale}')`);
    let erasure = COUNTED;
    const requests: unknown[] = [];
    await visitor.tab.route(/\/console\/api\/.*\/erasures/, (route) => {
      const request = route.request();
      if (request.method() === 'GET') return route.fulfill({ json: request.url().endsWith(ID) ? erasure : { erasures: [erasure] } });
      const body = request.postDataJSON() as { password?: string };
      requests.push(body);
      if (body.password === 'wrong') {
        const error = { code: 'validation_error', message: 'The password is wrong.', param: 'password', request_id: 'r', details: [] };
        return route.fulfill({ status: 422, json: { error } });
      }
      if (request.url().endsWith('/confirm')) erasure = DONE;
      return route.fulfill({ status: 202, json: erasure });
    });
    await visitor.tab.route(/\/erasure-certificates\/check$/, (route) => route.fulfill({ json: { is_valid: true, is_of_value: true } }));
    await visitor.open(`${project}/privacy`);
    await visitor.tab.getByLabel(words.value, { exact: true }).fill('12가 3456');
    await checkPage(visitor, `privacy-${locale}`);
    await visitor.button(words.count).click();
    await visitor.heading(words.preview).waitFor();
    expect(requests).toEqual([{ kind: 'plate', value: '12가 3456' }]);
    await visitor.tab.getByText(words.held).waitFor();
    await checkPage(visitor, `privacy-preview-${locale}`);
    await visitor.button(words.erase).click();
    await dialog(visitor).getByLabel(words.reason, { exact: true }).fill('고객 요청');
    const password = dialog(visitor).getByLabel(words.password, { exact: true });
    const confirm = dialog(visitor).getByRole('button', { name: words.erase, exact: true });
    await password.fill('wrong');
    await confirm.click();
    await dialog(visitor).getByText(words.wrong).waitFor();
    await checkPage(visitor, `privacy-confirm-${locale}`);
    await password.fill('right');
    await confirm.click();
    await visitor.heading(words.certificate).waitFor();
    await becomes(() => requests.at(-1), { reason: '고객 요청', password: 'right' });
    await visitor.tab.getByLabel(words.check).fill('12가3456');
    await visitor.button(words.submit).click();
    await visitor.tab.getByText(words.isOf).waitFor();
    await checkPage(visitor, `privacy-certificate-${locale}`);
  });
});
