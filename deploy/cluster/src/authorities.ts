import { run } from '@tire/chart';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const DAYS = '30';
const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** A certificate authority, with openssl. */
export class Authority {
  private constructor(
    private readonly folder: string,
    private readonly name: string,
  ) {}

  static async in(folder: string, name: string): Promise<Authority> {
    await mkdir(folder, { recursive: true });
    const authority = new Authority(folder, name);
    const [key, certificate] = [`${name}.key`, `${name}.crt`];
    const subject = ['-subj', `/CN=${name}`];
    await authority.openssl(
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      key,
      '-out',
      certificate,
      '-days',
      DAYS,
      ...subject,
    );
    return authority;
  }

  /** Writes <name>.crt and <name>.key. */
  async issue(name: string, subject: string, names: readonly string[] = []): Promise<void> {
    const request = `${name}.csr`;
    const extensions = [
      'keyUsage=digitalSignature,keyEncipherment',
      'extendedKeyUsage=serverAuth,clientAuth',
      ...(names.length > 0 ? [`subjectAltName=${names.join(',')}`] : []),
    ];
    await writeFile(join(this.folder, `${name}.ext`), `${extensions.join('\n')}\n`);
    await this.openssl('req', ...NEW_KEY, '-keyout', `${name}.key`, '-out', request, '-subj', subject);
    const by = ['-CA', `${this.name}.crt`, '-CAkey', `${this.name}.key`, '-CAcreateserial'];
    await this.openssl('x509', '-req', '-in', request, ...by, '-days', DAYS, '-out', `${name}.crt`, '-extfile', `${name}.ext`);
  }

  /** A key without a certificate: service account tokens are signed with it. */
  async keyPair(name: string): Promise<void> {
    await this.openssl('ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', `${name}.key`);
    await this.openssl('ec', '-in', `${name}.key`, '-pubout', '-out', `${name}.pub`);
  }

  private openssl = (...args: string[]): Promise<string> => run('openssl', args, { cwd: this.folder });
}

const API = 'https://172.30.0.1:6443';
const API_NAMES = ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc', 'kubernetes.default.svc.cluster.local', 'localhost'];

const CLIENTS: Readonly<Record<string, string>> = {
  admin: '/O=system:masters/CN=admin',
  'kubelet-client': '/O=system:masters/CN=apiserver-kubelet-client',
  'controller-manager': '/CN=system:kube-controller-manager',
  scheduler: '/CN=system:kube-scheduler',
  proxy: '/CN=system:kube-proxy',
  /** The API server calls servers of further kinds of it with this one. */
  'front-proxy': '/CN=front-proxy',
};

const kubeconfig = (folder: string, name: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'cluster', cluster: { server: API, 'certificate-authority': join(folder, 'ca.crt') } }],
    users: [{ name, user: { 'client-certificate': join(folder, `${name}.crt`), 'client-key': join(folder, `${name}.key`) } }],
    contexts: [{ name, context: { cluster: 'cluster', user: name } }],
    'current-context': name,
  });

/** The certificates and kubeconfigs of all parts of the cluster. */
export async function certifyCluster(folder: string): Promise<void> {
  const authority = await Authority.in(folder, 'ca');
  const addresses = ['IP:127.0.0.1', 'IP:172.30.0.1', 'IP:10.96.0.1', ...API_NAMES.map((name) => `DNS:${name}`)];
  await authority.issue('apiserver', '/CN=kube-apiserver', addresses);
  await authority.issue('node', '/O=system:nodes/CN=system:node:node1', ['IP:172.30.0.1', 'DNS:node1']);
  for (const [name, subject] of Object.entries(CLIENTS)) await authority.issue(name, subject);
  await authority.keyPair('sa');
  for (const name of [...Object.keys(CLIENTS), 'node']) await writeFile(join(folder, `${name}.kubeconfig`), kubeconfig(folder, name));
}
