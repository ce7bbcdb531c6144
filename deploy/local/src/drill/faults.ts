import { STREAMS } from '@tire/contracts/events';
import { SERVICES } from '../topology';
import {
  again,
  brokenModel,
  COPIES,
  delivered,
  forgottenPasswords,
  fullDisk,
  hasPendingCallback,
  lateWorkers,
  manyPartners,
  naps,
  pause,
  readsOf,
  stopped,
  useUpDeliveries,
  withNats,
  type Repair,
} from './injections';
import type { Prometheus } from './prometheus';
import { DAYS, type Drill, POISON_PATH } from './world';

type Labels = Readonly<Record<string, string>>;

export interface Expected {
  readonly alert: string;
  /** The labels that name the place. */
  readonly place: Labels;
  /** What the first step of the runbook prints. */
  readonly cause: RegExp;
}

export interface Fault {
  readonly what: string;
  readonly alerts: readonly Expected[];
  inject(drill: Drill, prometheus: Prometheus): Promise<Repair>;
}

const POISONOUS = 4;

export const FAULTS: readonly Fault[] = [
  {
    what: 'content is stopped (SIGSTOP)',
    alerts: [{ alert: 'TireServiceDown', place: { job: 'content' }, cause: /^content +does not answer/m }],
    inject: stopped('content'),
  },
  {
    what: 'share is stopped and the discovery does not list it any more',
    alerts: [{ alert: 'TireServiceMissing', place: { job: 'share' }, cause: /^share +\d+ +T \(stopped\)/m }],
    async inject(drill, prometheus) {
      await prometheus.discover(SERVICES.filter((name) => name !== 'share'));
      drill.signal('share', 'SIGSTOP');
      return async () => {
        drill.signal('share', 'SIGCONT');
        await prometheus.discover(SERVICES);
      };
    },
  },
  {
    what: 'the network between gateway and ledger is cut',
    alerts: [
      { alert: 'TireErrorsAtTheEdge', place: {}, cause: /"route":"\/api\/v1\/reports\/:report_id".*"status":503/ },
      { alert: 'TireBudgetBurnsFast', place: { slo: 'api_availability' }, cause: /"route":"\/api\/v1\/reports\/:report_id".*"status":503/ },
      {
        alert: 'TireBudgetBurnsSlowly',
        place: { slo: 'api_availability' },
        cause: /"route":"\/api\/v1\/reports\/:report_id".*"status":503/,
      },
    ],
    async inject({ links }) {
      links.get('gateway-ledger').cut();
      return async () => links.get('gateway-ledger').heal();
    },
  },
  {
    what: 'the network between share and Postgres is cut',
    alerts: [{ alert: 'TireBudgetBurnsFast', place: { slo: 'pages' }, cause: /The outbox cannot be read/ }],
    async inject({ links }) {
      links.get('share-postgres').cut();
      return async () => links.get('share-postgres').heal();
    },
  },
  {
    what: 'a session of a person locks the reports again and again, for two seconds each',
    alerts: [
      { alert: 'TireSlowAtTheEdge', place: {}, cause: /"blocked_by":\[\d+\]/ },
      { alert: 'TireBudgetBurnsFast', place: { slo: 'api_latency' }, cause: /"blocked_by":\[\d+\]/ },
    ],
    inject: async (drill) =>
      again(async () => {
        const release = await drill.lock('ledger', 'LOCK TABLE reports IN ACCESS EXCLUSIVE MODE');
        await pause(2_000);
        await release();
        await pause(50);
      }),
  },
  {
    what: 'content gets the CPU only now and then',
    alerts: [
      {
        alert: 'TireEventLoopLate',
        place: { job: 'content' },
        cause: /tire_event_loop_lag_seconds\{[^}]*kind="(p99|max)"[^}]*\} 0\.[3-9]/,
      },
    ],
    inject: async (drill) => naps(drill, 'content'),
  },
  {
    what: 'NATS is stopped (SIGSTOP); a share link is revoked',
    alerts: [{ alert: 'TireOutboxStuck', place: { job: 'share' }, cause: /The outbox waits for NATS/ }],
    async inject(drill) {
      drill.signal('nats', 'SIGSTOP');
      const id = await drill.sql<{ report_id: string }>('share', 'SELECT report_id FROM publications LIMIT 1');
      if (id.length === 0) throw new Error('nothing is published');
      await drill.client.call('DELETE', `/reports/${drill.published}/share`);
      return async () => {
        drill.signal('nats', 'SIGCONT');
        await drill.client.call('POST', `/reports/${drill.published}/publish`);
      };
    },
  },
  {
    what: 'a fact is delivered twenty times to processes that die',
    alerts: [{ alert: 'TireMessagesGivenUp', place: { job: 'content' }, cause: /"reason":"failing".*content-analysis-ended/ }],
    inject: useUpDeliveries,
  },
  {
    what: 'someone publishes bytes that are no message',
    alerts: [
      {
        alert: 'TireMessagesRefused',
        place: { job: 'content', tire_reason: 'unreadable' },
        cause: /"reason":"unreadable".*content-analysis-ended/,
      },
    ],
    async inject(drill) {
      const [subject] = STREAMS.FACTS_REPORTS.subjects;
      await withNats(drill, (connection) =>
        connection.jetstream().publish(subject.replace('>', 'analysis_ended'), Buffer.from('ffffffff', 'hex')),
      );
      return async () => undefined;
    },
  },
  {
    what: 'four photographs crash the process of their model',
    alerts: [
      {
        alert: 'TirePhotographsBreakProcesses',
        place: { job: 'inference', kind: 'model' },
        cause: /A model process is lost|ended with SIGABRT/,
      },
      { alert: 'TireAnalysisFailing', place: { kind: 'tire.tread' }, cause: /every attempt to measure it broke a process/ },
    ],
    async inject(drill) {
      for (let n = 0; n < POISONOUS; n += 1) await drill.report(POISON_PATH);
      return async () => undefined;
    },
  },
  {
    what: 'a new model came incompletely',
    alerts: [{ alert: 'TireModelRefused', place: { job: 'inference', kind: 'tire.tread' }, cause: /tread\.onnx has sha256/ }],
    inject: brokenModel,
  },
  {
    what: 'inference is stopped (SIGSTOP) while a photograph waits',
    alerts: [{ alert: 'TireImagesWait', place: { kind: 'tire.tread' }, cause: /^inference +does not answer/m }],
    async inject(drill) {
      const repair = await stopped('inference')(drill);
      await drill.report();
      return repair;
    },
  },
  {
    what: 'assets is stopped (SIGSTOP) while an address waits',
    alerts: [{ alert: 'TireFetchesWait', place: { kind: 'fetch' }, cause: /^assets +does not answer/m }],
    async inject(drill) {
      const repair = await stopped('assets')(drill);
      await drill.report();
      return repair;
    },
  },
  {
    what: 'inference was away for 66 s while 15 reports came',
    alerts: [
      {
        alert: 'TireAnalysisLate',
        place: { kind: 'tire.tread' },
        cause: /tire_slots_waiting_oldest_age_seconds\{[^}]*tire\.tread[^}]*\} [2-9]\d/,
      },
      { alert: 'TireBudgetBurnsFast', place: { slo: 'completion' }, cause: /tire_report_completion_seconds_bucket\{[^}]*kind="live"/ },
    ],
    inject: lateWorkers,
  },
  {
    what: 'a session of a person locks the callbacks while one is due',
    alerts: [{ alert: 'TireCallbacksLate', place: {}, cause: /"blocked_by":\[\d+\]/ }],
    async inject(drill) {
      drill.partner.receiver = 'refuses';
      await drill.report();
      await hasPendingCallback(drill);
      const release = await drill.lock('share', 'LOCK TABLE callbacks IN EXCLUSIVE MODE');
      return async () => {
        await release();
        await delivered(drill);
      };
    },
  },
  {
    what: 'a receiver refuses, and 1,100 callbacks (copied rows) wait for it',
    alerts: [
      { alert: 'TireCallbacksOfOneReceiver', place: {}, cause: /"origin":"http:\/\/127\.0\.0\.1:\d+","pending":1\d{3}.*"status":500/ },
      { alert: 'TireCallbacksPileUp', place: {}, cause: /"origin":"http:\/\/127\.0\.0\.1:\d+","pending":1\d{3}.*"status":500/ },
    ],
    async inject(drill) {
      drill.partner.receiver = 'refuses';
      await drill.report();
      await hasPendingCallback(drill);
      await drill.sql('share', COPIES);
      return async () => {
        await drill.sql('share', `UPDATE callbacks SET state = 'abandoned' WHERE type = 'callback.test' AND state = 'pending'`);
        await delivered(drill);
      };
    },
  },
  {
    what: 'the mail server is away; four people forgot their passwords',
    alerts: [{ alert: 'TireMessagesToPeopleFail', place: { kind: 'email' }, cause: /A mail was not sent/ }],
    inject: forgottenPasswords,
  },
  {
    what: `Postgres gets a certificate that ends in ${DAYS.bad} days`,
    alerts: [{ alert: 'TireCertificateEnds', place: { kind: 'postgres' }, cause: /^content +postgres +ends \S+/m }],
    async inject(drill) {
      await drill.certificateOfPostgres(DAYS.bad);
      return () => drill.certificateOfPostgres(DAYS.good);
    },
  },
  {
    what: 'the ledger may not delete usage of six years ago',
    alerts: [{ alert: 'TireRetentionLags', place: { job: 'ledger', kind: 'usage' }, cause: /permission denied for table usage_quarters/ }],
    async inject(drill) {
      await drill.sql('ledger', 'REVOKE DELETE ON usage_quarters FROM tire_ledger_runtime');
      await drill.sql(
        'ledger',
        `INSERT INTO usage_quarters (project_id, quarter, measure, count)
         SELECT project_id, date_trunc('day', now()) - interval '6 years', 'reports', 1 FROM reports LIMIT 1`,
      );
      return async () => void (await drill.sql('ledger', 'GRANT DELETE ON usage_quarters TO tire_ledger_runtime'));
    },
  },
  {
    what: 'share starts again with another address of its pages',
    alerts: [{ alert: 'TireSettingsDiffer', place: { kind: 'SHARE_BASE_URL' }, cause: /^SHARE_BASE_URL differs: .*\| share: /m }],
    async inject(drill) {
      const { SHARE_BASE_URL: address } = await drill.restartWith('share', { SHARE_BASE_URL: 'https://pages.elsewhere.example' });
      return async () => void (await drill.restartWith('share', { SHARE_BASE_URL: address! }));
    },
  },
  {
    what: 'the disk of the objects is 96 % full',
    alerts: [{ alert: 'TireDiskFull', place: { job: 'assets', kind: 'objects' }, cause: /9[5-7]% full[^\n]*objects/ }],
    inject: fullDisk,
  },
  {
    what: 'a session of a person locks the reports while nine partners read lists',
    alerts: [
      { alert: 'TireDatabasePoolShort', place: { job: 'ledger' }, cause: /"blocked_by":\[\d+\]/ },
      { alert: 'TireRequestsRefused', place: { tire_reason: 'in_flight' }, cause: /tire_requests_refused_total\{[^}]*in_flight[^}]*\} \d/ },
    ],
    async inject(drill) {
      const keys = await manyPartners();
      const release = await drill.lock('ledger', 'LOCK TABLE reports IN ACCESS EXCLUSIVE MODE');
      const end = again(readsOf(drill, keys), 500);
      return async () => {
        await release();
        await end();
      };
    },
  },
];

/** The alerts that no fault here can raise, and why. */
export const NOT_DRILLED: Readonly<Record<string, string>> = {
  TireVolumeFull: 'its metrics come from the kubelet, so it exists in Kubernetes only; promtool tests its rule',
};
