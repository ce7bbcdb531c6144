import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { brokerPermissionsOf } from './permissions';
import { EVENTING_SERVICES, EVENTS, STREAMS } from './streams';

const ALL = Object.values(EVENTS);

describe('the permissions at the broker', () => {
  it('let one service publish a fact', () => {
    for (const { subject, stream, publisher } of ALL) {
      if (STREAMS[stream].kind !== 'facts') continue;
      expect(EVENTING_SERVICES.filter((service) => brokerPermissionsOf(service).publish.includes(subject))).toEqual([publisher]);
    }
  });

  it('let the ledger request work, and a worker return its own', () => {
    const able = (subject: string) => EVENTING_SERVICES.filter((service) => brokerPermissionsOf(service).publish.includes(subject)).sort();
    expect(able('assets.fetch')).toEqual(['assets', 'ledger']);
    expect(able('analysis.tread')).toEqual(['inference', 'ledger']);
    expect(able('analysis.sidewall')).toEqual(['inference', 'ledger']);
  });

  it('let a service subscribe its own inbox only', () => {
    for (const service of EVENTING_SERVICES) expect(brokerPermissionsOf(service).subscribe).toEqual([`_INBOX_${service}.>`]);
  });

  it('let the ledger only define streams', () => {
    const able = EVENTING_SERVICES.filter((service) => /STREAM\.(CREATE|UPDATE|DELETE)/.test(brokerPermissionsOf(service).publish.join()));
    expect(able).toEqual(['ledger']);
  });

  it('have no wildcard beside acknowledgements and counts', () => {
    const wild = EVENTING_SERVICES.flatMap((service) => brokerPermissionsOf(service).publish).filter((subject) => /[*>]/.test(subject));
    expect(wild.filter((subject) => !subject.startsWith('$JS.ACK.'))).toEqual(['$KV.tire_attempts.>']);
  });

  it('contain the one consumer of each queue of work', () => {
    for (const { stream, consumers } of ALL) {
      const queue = STREAMS[stream];
      if (queue.kind === 'work') expect(consumers).toEqual([queue.consumer]);
    }
  });

  it('contain every durable consumer of the code, by its service', () => {
    const folder = join(__dirname, '../../../../apps');
    const written = execFileSync('git', ['grep', '-noE', "durable: '[a-z-]+'", '--', '*/src/*.ts'], { cwd: folder, encoding: 'utf8' })
      .trim()
      .split('\n')
      .filter((line) => !/\/testing\/|\.spec\.ts|\.fixture\.ts/.test(line))
      .map((line) => [line.split('/')[0]!, /'(.*)'/.exec(line)![1]!] as const);
    const ofFacts = ALL.filter(({ stream }) => STREAMS[stream].kind === 'facts').flatMap(({ consumers }) => [...consumers]);
    expect(written.map(([, durable]) => durable).sort()).toEqual(ofFacts.sort());
    for (const [service, durable] of written) expect(durable.startsWith(`${service}-`)).toBe(true);
  });
});
