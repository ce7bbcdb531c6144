import { EVENTING_SERVICES } from '@tire/contracts/events';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { NATS_USERS, natsUsersFile } from './nats-users';
import { configuration } from './configuration';
import { CHART, REPOSITORY_ROOT } from './paths';

interface Service {
  image?: string;
  build?: { dockerfile: string; args: { APP: string } };
  environment?: Record<string, string>;
  command?: string[];
  volumes?: string[];
  ports?: string[];
  healthcheck?: object;
  depends_on?: Record<string, { condition: string }>;
}

const DEPLOY = join(REPOSITORY_ROOT, 'deploy');
const read = (file: string) =>
  (parse(readFileSync(join(DEPLOY, file), 'utf8'), { merge: true }) as { services: Record<string, Service> }).services;
const SYSTEM = read('compose.yaml');
const OBSERVABILITY = read('compose.observability.yaml');
const ALL = Object.entries({ ...SYSTEM, ...OBSERVABILITY });
const APPS = ['gateway', 'ledger', 'assets', 'inference', 'content', 'share'];

describe('compose', () => {
  it('has a variable in the file of secrets for each that it needs', () => {
    const text = readFileSync(join(DEPLOY, 'compose.yaml'), 'utf8');
    const needed = [...text.matchAll(/\$\{(TIRE_\w+)/g)].map(([, name]) => name!);
    const made = execFileSync('sh', [join(DEPLOY, 'compose/secrets.sh')], { encoding: 'utf8' });
    const values = new Map(
      made
        .trim()
        .split('\n')
        .map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]),
    );
    expect([...new Set(needed)].sort()).toEqual([...values.keys()].sort());
    expect([...values.values()].filter((value) => value.length < 32)).toEqual([]);
    expect(new Set(values.values()).size).toBe(values.size);
  });

  it('gives NATS the users of the code, and each service its password', () => {
    expect(readFileSync(join(CHART, NATS_USERS), 'utf8')).toBe(natsUsersFile());
    for (const app of EVENTING_SERVICES)
      expect(SYSTEM[app]!.environment!['NATS_PASSWORD']).toBe(`\${TIRE_NATS_${app.toUpperCase()}_PASSWORD}`);
    for (const [, name] of natsUsersFile().matchAll(/password: \$(\w+)/g)) expect(SYSTEM['nats']!.environment).toHaveProperty(name!);
  });

  it.each(APPS)('%s has its required variables, and no unknown ones', (app) => {
    const set = Object.keys(SYSTEM[app]!.environment ?? {}).filter((name) => !/^(OTEL_\w+)$/.test(name));
    const known = configuration()[app]!;
    expect(known.filter(({ name, required }) => required && !set.includes(name))).toEqual([]);
    expect(set.filter((name) => !known.some((variable) => variable.name === name))).toEqual([]);
    expect(SYSTEM[app]!.build!.args.APP).toBe(app);
    expect(SYSTEM[app]!.healthcheck).toBeDefined();
  });

  it.each(APPS.filter((app) => app !== 'inference'))('%s starts after its migration, which runs as the owner role', (app) => {
    expect(SYSTEM[app]!.depends_on![`migrate-${app}`]).toEqual({ condition: 'service_completed_successfully' });
    const migration = SYSTEM[`migrate-${app}`]!;
    expect(migration.build!.args.APP).toBe(app);
    expect(migration.command).toEqual(['node', `dist/apps/${app}/src/migrate.js`]);
    expect(migration.environment!['MIGRATION_DATABASE_URL']).toContain(`//tire_${app}_owner:`);
    expect(SYSTEM[app]!.environment!['DATABASE_URL']).toContain(`//tire_${app}_runtime:`);
    expect(migration.environment!['DATABASE_RUNTIME_ROLE']).toBe(`tire_${app}_runtime`);
  });

  it('lets the console upload to the object store and load images from it', () => {
    const origins = ['gateway', 'share'].map((app) => SYSTEM[app]!.environment!['OBJECT_STORE_PUBLIC_ORIGIN']);
    expect(origins).toEqual(Array.from({ length: 2 }, () => expect.stringMatching(/^http:\/\/assets\.localhost:\d+$/)));
    expect(origins[0]).toBe(origins[1]);
  });

  it.each(ALL)('%s is our image or has a digest, mounts existing paths, and listens on this machine only', (_name, service) => {
    if (service.build) {
      expect(existsSync(join(DEPLOY, '..', service.build.dockerfile))).toBe(true);
      // One image per app. Its migration is a service with the same image.
      expect(service.image).toBe(`tire-inspection/${service.build.args.APP}:local`);
    } else expect(service.image).toMatch(/^docker\.io\/.+@sha256:[0-9a-f]{64}$/);
    for (const volume of service.volumes ?? []) {
      const from = volume.split(':')[0]!;
      if (from.startsWith('.')) expect(existsSync(join(DEPLOY, from))).toBe(true);
    }
    for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/);
  });

  it('scrapes every service under the job name that the alerts use', () => {
    const prometheus = readFileSync(join(DEPLOY, 'compose/prometheus.yaml'), 'utf8');
    const [, jobs] = /up\{job=~"([^"]+)"\} == 0/.exec(readFileSync(join(CHART, 'files/alerts.yaml'), 'utf8'))!;
    for (const app of APPS) {
      expect(prometheus).toContain(`'${app}:9464'`);
      expect(app).toMatch(new RegExp(`^(${jobs})$`));
    }
  });

  it.each(['.gitignore', '.dockerignore'])('excludes its file of secrets in %s', (file) => {
    const lines = readFileSync(join(REPOSITORY_ROOT, file), 'utf8').split('\n');
    expect(lines).toContain(file === '.gitignore' ? '.env' : '**/.env');
    expect(readFileSync(join(DEPLOY, 'compose.yaml'), 'utf8')).toContain('> deploy/.env');
  });
});
