import type { ExportSchedule, ExportScheduleList, ScheduledFile } from '@tire/contracts/console';
import { becomes, describeWithBrowser } from '@tire/test-harness';
import { PASSWORD } from './testing/console.fixture';
import { walks } from './testing/walks.fixture';

const SHA256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

const fileOf = (day: string, more: Partial<ScheduledFile>): ScheduledFile => ({
  file_id: `01978a34-5c00-7000-8000-0000000000${day.slice(-2)}`,
  name: `reports-daily-${day}-0000abcd.csv`,
  first_day: day,
  last_day: day,
  state: 'done',
  attempts: 1,
  fault: null,
  answer: null,
  next_attempt_at: null,
  size_bytes: 4_096,
  sha256: SHA256,
  stored_at: `${day}T20:00:03.000Z`,
  delivered_at: `${day}T20:00:04.000Z`,
  expires_at: '2099-01-01T00:00:00.000Z',
  ...more,
});

const NOTHING = { size_bytes: null, sha256: null, stored_at: null, delivered_at: null };
/** One of each state. */
const FILES = [
  fileOf('2026-11-27', {
    ...NOTHING,
    state: 'waiting',
    fault: 'service_unavailable',
    attempts: 2,
    next_attempt_at: '2099-01-01T00:00:00.000Z',
  }),
  fileOf('2026-11-26', {
    ...{ state: 'stored', fault: 'bucket_refused', answer: '403 SignatureDoesNotMatch', attempts: 3, delivered_at: null },
    next_attempt_at: '2099-01-01T00:00:00.000Z',
  }),
  fileOf('2026-11-25', { ...NOTHING, state: 'failed', fault: 'too_large' }),
  fileOf('2026-11-24', {}),
];

describeWithBrowser('scheduled exports in the console', () => {
  const { owner, invited, newProject, checkPage, expectErrors } = walks();

  it.each([
    [
      'en',
      1280,
      {
        add: 'New scheduled export',
        bucket: 'Send a copy to your own S3 bucket',
        fields: ['Address of the S3 server', 'Region', 'Bucket', 'Folder (optional)', 'Access key', 'Secret key'],
        wrong: 'Enter folders that each end with a slash.',
        needed: 'Enter the secret key of this access key.',
        password: 'Your password',
        passwordNeeded: 'Enter the password of your account.',
        save: 'Save',
        change: 'Change',
        title: 'Reports · Every day',
        earlier: '1 earlier file',
        fault: 'Your bucket refused the access key. Answer: 403 SignatureDoesNotMatch',
        download: 'Download reports-daily-2026-11-26-0000abcd.csv',
        remove: 'Remove',
        none: 'No scheduled exports',
      },
    ],
    [
      'ko',
      390,
      {
        add: '자동 내보내기 추가',
        bucket: '회사 S3 버킷으로도 보내기',
        fields: ['S3 서버 주소', '리전', '버킷', '폴더(선택)', '액세스 키', '비밀 키'],
        wrong: '폴더 이름마다 끝에 슬래시를 붙여 주세요.',
        needed: '이 액세스 키의 비밀 키를 입력해 주세요.',
        password: '내 비밀번호',
        passwordNeeded: '내 비밀번호를 정확히 입력해 주세요.',
        save: '저장',
        change: '변경',
        title: '보고서 · 매일',
        earlier: '이전 파일 1개',
        fault: '버킷이 액세스 키를 거부했습니다. 응답: 403 SignatureDoesNotMatch',
        download: 'reports-daily-2026-11-26-0000abcd.csv 내려받기',
        remove: '삭제',
        none: '자동 내보내기가 없습니다',
      },
    ],
  ] as const)('an owner has a file made every day and sent to a bucket (%s, %i px)', async (locale, width, t) => {
    // Of a wrong folder, of a missing secret, and of a file that the test made up.
    expectErrors(422, 404);
    const visitor = await owner(`Schedule${locale}`);
    const project = await newProject(visitor, 'Shop');
    await visitor.tab.evaluate(`localStorage.setItem('console-language', '${locale}')`);
    await visitor.tab.setViewportSize({ width, height: 900 });
    await visitor.open(`${project}/exports`);
    await visitor.tab.getByText(t.none, { exact: true }).waitFor();
    await checkPage(visitor, `exports-none-${locale}`);
    await visitor.button(t.add).click();
    const dialog = visitor.tab.getByRole('dialog');
    await dialog.getByLabel(t.bucket, { exact: true }).check();
    const [endpoint, region, bucket, prefix, accessKey, secret] = t.fields.map((label) =>
      dialog.getByLabel(label, { exact: false }).last(),
    );
    await endpoint!.fill('https://s3.ap-northeast-2.amazonaws.com');
    await region!.fill('ap-northeast-2');
    await bucket!.fill('hanbit-tires');
    await prefix!.fill('tire/reports');
    await accessKey!.fill('AKIAEXAMPLE');
    await secret!.fill('planted-secret');
    const password = dialog.getByLabel(t.password, { exact: false }).last();
    await password.fill(PASSWORD);
    await dialog.getByRole('button', { name: t.save, exact: true }).click();
    await dialog.getByText(t.wrong, { exact: true }).waitFor();
    await checkPage(visitor, `exports-wrong-${locale}`);
    await prefix!.fill('tire/reports/');
    const created = visitor.tab.waitForResponse((response) => response.request().method() === 'POST' && response.status() === 201);
    await dialog.getByRole('button', { name: t.save, exact: true }).click();
    const schedule = (await (await created).json()) as ExportSchedule;
    expect(schedule).toMatchObject({ kind: 'reports', frequency: 'daily', format: 'xlsx', language: locale, files: [] });
    expect(schedule.bucket).toMatchObject({ bucket: 'hanbit-tires', prefix: 'tire/reports/' });
    await visitor.heading(t.title).waitFor();
    expect(await visitor.tab.content()).not.toContain('planted-secret');
    // Another region needs the password and the secret again.
    await visitor.button(t.change).click();
    await dialog.getByLabel(t.fields[1], { exact: false }).last().fill('eu-central-1');
    await dialog.getByRole('button', { name: t.save, exact: true }).click();
    await dialog.getByText(t.passwordNeeded, { exact: true }).waitFor();
    await password.fill(PASSWORD);
    await dialog.getByRole('button', { name: t.save, exact: true }).click();
    await dialog.getByText(t.needed, { exact: true }).waitFor();
    await visitor.tab.keyboard.press('Escape');
    // No service makes files here: the test answers for them.
    await visitor.tab.route(/\/export-schedules$/, (route) =>
      route.fulfill({ json: { schedules: [{ ...schedule, files: FILES }] } satisfies ExportScheduleList }),
    );
    await visitor.open(`${project}/exports`);
    await visitor.tab.getByText(t.fault).waitFor();
    await visitor.button(t.earlier).click();
    await becomes(() => visitor.tab.locator('.rows > .row').count(), FILES.length);
    await checkPage(visitor, `exports-${locale}`);
    await visitor.button(t.download).click();
    await visitor.tab.getByRole('alert').waitFor();
    await visitor.tab.unroute(/\/export-schedules$/);
    await visitor.button(t.remove).click();
    await dialog.getByRole('button', { name: t.remove, exact: true }).click();
    await visitor.tab.getByText(t.none, { exact: true }).waitFor();
  });

  it('a developer has no such page', async () => {
    const host = await owner('ScheduleRoles');
    const project = await newProject(host, 'Shop');
    await host.open(project.replace(/\/projects\/[^/]+$/, '/members'));
    const developer = await invited(host, 'Developer', 'ScheduleDeveloper');
    await developer.open(`${project}/exports`);
    await developer.heading('There is no such page').waitFor();
  });
});
