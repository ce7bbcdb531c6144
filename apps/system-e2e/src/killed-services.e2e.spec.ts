import { PartnerClient, serveImages } from '@tire/local-stack';
import { photographs } from './photographs';
import { stackUnderTest } from './stack-under-test';

/**
 * Each process is killed without warning while reports are on their way, and started again as an orchestrator would.
 * Whatever was answered 2xx must end complete and published.
 */
describe('killing a process in mid-report', () => {
  const stack = stackUnderTest();
  const client = new PartnerClient(stack, stack.keys.test);
  let stopImages: () => Promise<void>;
  let treadImages: object[];

  beforeAll(async () => {
    const samples = photographs();
    stopImages = await serveImages(stack, samples);
    treadImages = samples
      .filter(({ slot }) => slot.image_type === 'tread')
      .map(({ slot, path }) => ({ module_type: 'tire', slot, source: { url: `${stack.images_origin}${path}` } }));
  });

  afterAll(() => stopImages?.());

  it.each(['gateway', 'ledger', 'assets', 'inference', 'content', 'share', 'nats', 'postgres'])(
    '%s: no report is lost',
    async (service) => {
      const create = () => client.create({ template: 'tire_4t_0s', images: treadImages });
      const created = [await create(), await create()];
      process.kill(stackUnderTest().pids[service]!, 'SIGKILL');
      for (const { report_id } of created) {
        const report = await finishedThroughTrouble(client, report_id);
        expect(report).toMatchObject({ analysis_status: 'complete', publication_status: 'published' });
      }
    },
  );
});

/** A partner retries 5xx and refused connections, as the specification tells him to. */
async function finishedThroughTrouble(client: PartnerClient, reportId: string) {
  const deadlineMs = Date.now() + 100_000;
  for (;;) {
    try {
      return await client.finished(reportId);
    } catch (error) {
      if (Date.now() > deadlineMs) throw error;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
}
