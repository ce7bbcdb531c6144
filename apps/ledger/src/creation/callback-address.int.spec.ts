import { newId } from '@tire/kernel';
import { creationRequest, refusalOf, startWorld, type World } from '../testing/world';

const PLAIN = 'http://partner.example/hook';

describe('a callback_url without TLS, in production', () => {
  let world: World;

  beforeAll(async () => {
    world = await startWorld({ mode: 'production' });
  });
  afterAll(() => world?.stop());

  it('is refused, and nothing is stored', async () => {
    const request = creationRequest({ callbackUrl: PLAIN, idempotencyKey: newId() });
    expect(await refusalOf(world.ledger.createReport(request))).toEqual({ code: 'validation_error', param: 'callback_url' });
    expect(await world.countReports(request.projectId)).toBe(0);
    await world.create({ ...request, callbackUrl: 'https://partner.example/hook' });
    expect(await world.countReports(request.projectId)).toBe(1);
  });

  it('is named together with faulty addresses of images', async () => {
    const [image] = creationRequest().images;
    const refused = world.ledger.createReport(
      creationRequest({ callbackUrl: PLAIN, images: [{ ...image!, url: 'https://10.1.2.3/a.jpg' }] }),
    );
    await expect(refused).rejects.toMatchObject({
      param: 'callback_url',
      faults: [{ param: 'callback_url' }, { param: 'images[0].source.url' }],
    });
  });

  it.each<[string, object]>([
    ['Idempotency-Key', { idempotencyKey: newId() }],
    ['external_inspection_id', { externalInspectionId: newId() }],
  ])('of a report that an earlier rule accepted gets the same answer again, by %s', async (_, named) => {
    const request = creationRequest({ callbackUrl: 'https://partner.example/hook', ...named });
    const first = await world.ledger.createReport(request);
    expect(await world.ledger.createReport({ ...request, callbackUrl: PLAIN })).toEqual(first);
  });
});
