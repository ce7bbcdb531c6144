import type { CreatedVehicleLink, VehicleLink, VehiclePassport } from '@tire/contracts/console';
import { newId } from '@tire/kernel';
import { becomes, describeWithBrowser } from '@tire/test-harness';
import { passport } from './testing/passport.fixture';
import { walks } from './testing/walks.fixture';

describeWithBrowser('the vehicles of a project', () => {
  const { owner, newProject, checkPage, expectErrors } = walks();

  it('a vehicle shows its wear, asks about a tire that became deeper, and is merged and split', async () => {
    const visitor = await owner('Vera');
    expectErrors(503);
    const project = await newProject(visitor, 'Passports');
    const sent: unknown[] = [];
    const listed = [
      { ...passport, inspections: passport.inspections.length, last_inspected_at: passport.inspections.at(-1)!.created_at },
      { vehicle_id: newId(), plates: ['34나5678'], external_vehicle_ids: [], vins: [], inspections: 1, last_inspected_at: null },
    ].map(({ vehicle_id, plates, external_vehicle_ids, vins, inspections, last_inspected_at }) => ({
      vehicle_id,
      plates,
      external_vehicle_ids,
      vins,
      inspections,
      last_inspected_at,
    }));
    let shown: VehiclePassport = passport;
    let links: VehicleLink[] = [];
    const linkOf = (status: VehicleLink['status']): VehicleLink => ({
      link_id: passport.changes[0]!.change_id,
      status,
      shows_plate: true,
      created_at: '2026-11-21T04:00:00.000Z',
      created_by: { kind: 'user', name: 'vera@example.com' },
      expires_at: '2027-02-19T04:00:00.000Z',
      revoked_at: status === 'revoked' ? '2026-11-22T04:00:00.000Z' : null,
    });
    await visitor.tab.route(/\/console\/api\/.*\/vehicles(\/|\?)/, (route) => {
      const { pathname, searchParams } = new URL(route.request().url());
      const part = pathname.split('/vehicles/')[1];
      if (part === undefined) {
        const search = searchParams.get('search') ?? '';
        return route.fulfill({ json: { vehicles: listed.filter(({ plates }) => plates[0]!.startsWith(search)), next_cursor: null } });
      }
      if (part.includes('/links')) {
        const method = route.request().method();
        if (method === 'GET') return route.fulfill({ json: { links } });
        sent.push([method, part.split('/').slice(1).join('/'), route.request().postDataJSON()]);
        links = [linkOf(method === 'POST' ? 'active' : 'revoked')];
        const made: CreatedVehicleLink = { ...links[0]!, url: 'https://share.tires.example/r/v/token' };
        return route.fulfill({ status: method === 'POST' ? 201 : 200, json: method === 'POST' ? made : links[0] });
      }
      if (route.request().method() === 'POST') {
        sent.push([part.split('/').slice(1).join('/'), route.request().postDataJSON()]);
        shown = { ...shown, proposals: [] };
      }
      return route.fulfill({ json: shown });
    });
    await visitor.link('Vehicles').click();
    await visitor.tab.getByText('34나5678').waitFor();
    await checkPage(visitor, 'vehicles');
    await visitor.fill('Beginning of a plate, VIN or own id', '12가');
    await visitor.button('Search').click();
    await visitor.tab.getByText('34나5678').waitFor({ state: 'detached' });
    await visitor.link('12가3456').click();
    await visitor.heading('12가3456').waitFor();
    await visitor.tab.getByText('Also: car-7, KMHXX00XXXX000001').waitFor();
    await visitor.tab.getByText('Not known: fewer than two inspections with a usable depth.').waitFor();
    await visitor.tab.getByText('1.0 mm (0.8 to 1.2)').waitFor();
    await visitor.tab.getByText('made in week 23 of 2024').waitFor();
    await checkPage(visitor, 'passport');
    await visitor.tab.getByText('No link was made.').waitFor();
    await visitor.button('Make a link').click();
    const dialog = visitor.tab.getByRole('dialog');
    await dialog.getByLabel('Show the whole plate').check();
    await checkPage(visitor, 'passport-link');
    await dialog.getByRole('button', { name: 'Make a link' }).click();
    await visitor.tab.getByLabel('Address of the page', { exact: true }).getByText('https://share.tires.example/r/v/token').waitFor();
    await checkPage(visitor, 'passport-link-made');
    await visitor.button('Revoke link').click();
    await dialog.getByRole('button', { name: 'Revoke link' }).click();
    await dialog.waitFor({ state: 'detached' });
    await becomes(() => visitor.tab.getByText('https://share.tires.example/r/v/token').count(), 0);
    expect(sent.splice(0)).toEqual([
      ['POST', 'links', { shows_plate: true }],
      ['DELETE', `links/${linkOf('active').link_id}`, null],
    ]);
    await visitor.button('Merge with another vehicle').click();
    await checkPage(visitor, 'passport-merge');
    await visitor.tab.getByRole('dialog').getByRole('button', { name: 'Merge with another vehicle' }).click();
    await visitor.tab.getByRole('dialog').waitFor({ state: 'detached' });
    shown = passport;
    await visitor.open(`${project}/vehicles/${passport.vehicle_id}`);
    await visitor.button('Rotated: Front left').click();
    await visitor.heading('Depths that rose').waitFor({ state: 'detached' });
    await visitor.button('Move a plate to another vehicle').click();
    await visitor.fill('Since', '2026-03-01');
    await visitor.tab.getByRole('dialog').getByRole('button', { name: 'Move a plate to another vehicle' }).click();
    await visitor.tab.getByRole('dialog').waitFor({ state: 'detached' });
    await visitor.button('Undo').click();
    await visitor.tab.getByRole('dialog').getByRole('button', { name: 'Undo' }).click();
    await visitor.tab.getByRole('dialog').waitFor({ state: 'detached' });
    expect(sent).toEqual([
      ['merge', { merged_vehicle_id: listed[1]!.vehicle_id }],
      ['tires', { report_id: passport.proposals[0]!.report_id, position: 'front_left', verdict: 'rotated', with_position: 'rear_left' }],
      ['split', { plate_number: '12가3456', from: '2026-02-28T15:00:00.000Z' }],
      [`changes/${passport.changes[0]!.change_id}/undo`, null],
    ]);
    shown = passport;
    await visitor.tab.getByLabel('Language').selectOption('한국어');
    await visitor.open(`${project}/vehicles/${passport.vehicle_id}`);
    await visitor.heading('깊어진 타이어').waitFor();
    await checkPage(visitor, 'passport-korean');
    await visitor.tab.setViewportSize({ width: 360, height: 800 });
    await becomes(async () => (await visitor.tab.evaluate<number>('document.documentElement.scrollWidth')) <= 360, true);
    const linesOfDays = `[...document.querySelectorAll('.history-table time')].map((day) => day.getClientRects().length)`;
    expect(new Set(await visitor.tab.evaluate<number[]>(linesOfDays))).toEqual(new Set([1]));
  });
});
