import { type Policies, type Peer, type Pod, type Policy, selects, tableOf } from './network-policies';

const pod = (name: string, namespace: string, podIP: string, ports: readonly object[] = []): Pod =>
  ({ metadata: { name, namespace, labels: { app: name } }, spec: { containers: [{ ports }] }, status: { podIP, phase: 'Running' } }) as Pod;

const WEB = pod('web', 'shop', '10.244.0.2', [{ name: 'http', containerPort: 8080 }]);
const STORE = pod('store', 'shop', '10.244.0.3', [{ name: 'sql', containerPort: 5432 }]);
const OTHER = pod('other', 'else', '10.244.0.4');

const allowing = (who: string, spec: Omit<Policy['spec'], 'podSelector'>): Policy => ({
  metadata: { name: who, namespace: 'shop' },
  spec: { podSelector: { matchLabels: { app: who } }, ...spec },
});

const table = (...policies: Policy[]): string => {
  const namespaces = ['shop', 'else'].map((name) => ({ metadata: { name, labels: { name } } }));
  return tableOf({ pods: [WEB, STORE, OTHER], policies, namespaces } satisfies Policies);
};

const chain = (text: string, name: string): string | undefined => new RegExp(`^chain ${name} \\{ (.*) \\}$`, 'm').exec(text)?.[1];
const egressTo = (to: readonly Peer[], ...ports: (number | string)[]): Policy =>
  allowing('web', { policyTypes: ['Egress'], egress: [{ to, ports: ports.map((port) => ({ port })) }] });

describe('the table of nftables', () => {
  it('isolates the selected pods only, in the directions of the policy', () => {
    const text = table(allowing('web', { policyTypes: ['Ingress', 'Egress'] }));
    expect(chain(text, 'ingress_10_244_0_2')).toBe('drop;');
    expect(chain(text, 'egress_10_244_0_2')).toBe('drop;');
    expect(text).toContain('ip saddr vmap { 10.244.0.2 : jump egress_10_244_0_2 };');
    expect(text).not.toContain('10_244_0_3');
  });

  it.each<[string, Peer, string]>([
    ['pods of the namespace', { podSelector: { matchLabels: { app: 'store' } } }, 'ip daddr 10.244.0.3 tcp dport 5432 accept; drop;'],
    ['pods of another one', { podSelector: { matchLabels: { app: 'other' } } }, 'drop;'],
    [
      'pods of selected namespaces',
      { namespaceSelector: { matchLabels: { name: 'else' } } },
      'ip daddr 10.244.0.4 tcp dport 5432 accept; drop;',
    ],
    [
      'addresses without some',
      { ipBlock: { cidr: '0.0.0.0/0', except: ['10.0.0.0/8', 'fc00::/7'] } },
      'ip daddr != { 10.0.0.0/8 } tcp dport 5432 accept; drop;',
    ],
    ['addresses of IPv6, which it leaves out', { ipBlock: { cidr: '::/0' } }, 'drop;'],
  ])('lets a pod out to %s', (_what, peer, rules) => {
    expect(chain(table(egressTo([peer], 5432)), 'egress_10_244_0_2')).toBe(rules);
  });

  it('finds the number of a named port at the receiver', () => {
    const store = { podSelector: { matchLabels: { app: 'store' } } };
    expect(chain(table(egressTo([store], 'sql')), 'egress_10_244_0_2')).toBe('ip daddr 10.244.0.3 tcp dport 5432 accept; drop;');
    expect(chain(table(egressTo([store], 'http')), 'egress_10_244_0_2')).toBe('drop;');
    const entering = allowing('web', { ingress: [{ from: [store], ports: [{ port: 'http' }] }] });
    expect(chain(table(entering), 'ingress_10_244_0_2')).toBe('ip saddr 10.244.0.3 tcp dport 8080 accept; drop;');
  });

  it('adds what several policies allow', () => {
    const rules = chain(table(egressTo([{ podSelector: {} }], 1), egressTo([{ namespaceSelector: {} }], 2)), 'egress_10_244_0_2')!;
    expect(rules.match(/accept/g)).toHaveLength(5);
  });
});

it.each([
  ['In', ['web'], true],
  ['In', ['store'], false],
  ['NotIn', ['store'], true],
  ['Exists', [], true],
  ['DoesNotExist', [], false],
])('a selector: %s %j is %s', (operator, values, expected) => {
  expect(selects({ matchExpressions: [{ key: 'app', operator, values }] }, { app: 'web' })).toBe(expected);
});
