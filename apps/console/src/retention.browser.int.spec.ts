import type { HoldList, Retention } from '@tire/contracts/console';
import { describeWithBrowser, type Visitor } from '@tire/test-harness';
import { walks } from './testing/walks.fixture';

const DEFAULTS = { reports: 1_095, photographs: 0, callbacks: 90, request_log: 30, messages: 180, usage: 1_825, audit_log: 730 } as const;

const hold = (reportId: string, isDiscarded: boolean): HoldList['holds'][number] => ({
  report_id: reportId,
  plate_number: '12가 3456',
  reason: 'Case 2026-7: claim about a blown tire on the motorway',
  held_at: '2026-11-01T09:00:00.000Z',
  held_by: { kind: 'user', name: 'mina@shop.example' },
  is_discarded: isDiscarded,
});

describeWithBrowser('retention in the console', () => {
  const { owner, newProject, checkPage } = walks();

  /** No ledger and no share run here: the test answers for them, and notes what the page sends. */
  async function answer({ tab }: Visitor) {
    const days: Partial<Record<keyof typeof DEFAULTS, number | null>> = {};
    const sent: unknown[] = [];
    const rules = (): Retention => ({
      rules: Object.entries(DEFAULTS).map(([kind, default_days]) => ({
        kind: kind as keyof typeof DEFAULTS,
        days: days[kind as keyof typeof DEFAULTS] ?? null,
        default_days,
      })),
    });
    let holds = [hold('01978a34-5c00-7000-8000-000000000001', false), hold('01978a34-5c00-7000-8000-000000000002', true)];
    await tab.route(/\/console\/api\/projects\/[^/]+\/retention$/, (route) => {
      const request = route.request();
      if (request.method() === 'PATCH') {
        const change = request.postDataJSON() as Retention['rules'][number];
        sent.push(change);
        days[change.kind] = change.days;
      }
      return route.fulfill({ json: rules() });
    });
    await tab.route(/\/legal-holds(\?report_id=.*)?$/, (route) => route.fulfill({ json: { holds } }));
    await tab.route(/\/legal-hold$/, (route) => {
      holds = holds.filter(({ report_id }) => !route.request().url().includes(report_id));
      return route.fulfill({ status: 204 });
    });
    return sent;
  }

  it.each([
    [
      'en',
      1280,
      'Photographs (days)',
      'Request log (days)',
      'Save',
      '1 to 30 days.',
      'Shorten and remove',
      'Saved.',
      'Release',
      'Your password',
    ],
    [
      'ko',
      390,
      '사진(일)',
      '요청 기록(일)',
      '저장',
      '1일부터 30일까지 입력할 수 있습니다.',
      '줄이고 삭제',
      '저장했습니다.',
      '해제',
      '내 비밀번호',
    ],
  ] as const)(
    'an owner shortens a period after a warning, and releases a hold (%s, %i px)',
    async (locale, width, photographs, requests, save, bounds, shorten, saved, release, password) => {
      const visitor = await owner(`Keeper${locale}`);
      const sent = await answer(visitor);
      const project = await newProject(visitor, 'Test');
      await visitor.tab.evaluate(`localStorage.setItem('console-language', '${locale}')`);
      await visitor.tab.setViewportSize({ width, height: 900 });
      await visitor.open(`${project}/retention`);
      const { tab } = visitor;
      await tab.getByLabel(requests, { exact: true }).fill('31');
      await tab.getByLabel(photographs, { exact: true }).fill('365');
      await visitor.button(save).click();
      await tab.getByText(bounds, { exact: true }).waitFor();
      expect(sent).toEqual([]);
      await checkPage(visitor, `retention-${locale}`);
      await tab.getByLabel(requests, { exact: true }).fill('7');
      await visitor.button(save).click();
      await checkPage(visitor, `retention-warning-${locale}`);
      const ofAccount = tab.getByRole('dialog').getByLabel(password, { exact: false });
      await ofAccount.last().fill('planted-password');
      await tab.getByRole('dialog').getByRole('button', { name: shorten }).click();
      await tab.getByText(saved, { exact: true }).waitFor();
      expect(sent).toEqual([
        { kind: 'photographs', days: 365, password: 'planted-password' },
        { kind: 'request_log', days: 7, password: 'planted-password' },
      ]);
      const names = tab.getByRole('button', { name: release });
      expect(await names.count()).toBe(2);
      await names.last().click();
      await ofAccount.last().fill('planted-password');
      await tab.getByRole('dialog').getByRole('button', { name: release, exact: true }).click();
      await tab.getByRole('dialog').waitFor({ state: 'detached' });
      await names.nth(1).waitFor({ state: 'detached' });
    },
    120_000,
  );
});
