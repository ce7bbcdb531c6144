import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY_ROOT } from '@tire/local-stack';
import { stackUnderTest } from '../stack-under-test';
import { newFolder } from './readme-examples';

interface Pair {
  readonly key: string;
  readonly value: string;
  readonly disabled?: boolean;
}
interface Item {
  readonly name: string;
  readonly item?: readonly Item[];
  readonly request?: {
    readonly method: string;
    readonly header: readonly Pair[];
    readonly url: { readonly raw: string; readonly query: readonly Pair[] };
    readonly body?: { readonly raw: string };
  };
}
interface Collection extends Item {
  readonly auth: { readonly bearer: readonly Pair[] };
  readonly variable: readonly Pair[];
}
interface Paths {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly summary: string; readonly responses: object }>>>>;
}

const requestsOf = ({ item = [], ...own }: Item): Item[] => [...(own.request ? [own] : []), ...item.flatMap(requestsOf)];

/** Sends each request as the program that imports the collection does. */
describe('the collection for Postman and Bruno', () => {
  const { folder, remove } = newFolder();
  const file = join(folder, 'collection.json');
  execFileSync(process.execPath, [join(REPOSITORY_ROOT, 'clients/collection.mjs'), file]);
  const collection = JSON.parse(readFileSync(file, 'utf8')) as Collection;
  const { paths } = JSON.parse(readFileSync(join(REPOSITORY_ROOT, 'libs/contracts/openapi.json'), 'utf8')) as Paths;
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const variables = new Map(collection.variable.map(({ key, value }) => [key, value]));
  const filled = (text: string): string =>
    text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
      expect(variables.has(name)).toBe(true);
      return variables.get(name)!;
    });

  afterAll(remove);

  it('has every operation', () => {
    const names = requestsOf(collection).map(({ name }) => name.replace(/ \([a-z_]+\)$/, ''));
    expect(new Set(names)).toEqual(new Set(operations.map(({ summary }) => summary)));
  });

  it('gets an answer that the operation declares for each request', async () => {
    const { base_url, keys } = stackUnderTest();
    variables.set('base_url', base_url).set('api_key', keys.test);
    for (const { name, request } of requestsOf(collection)) {
      const { method, header, url, body } = request!;
      const address = new URL(filled(url.raw));
      for (const { key, value, disabled } of url.query) if (!disabled) address.searchParams.set(key, value);
      const headers = Object.fromEntries(header.filter(({ disabled }) => !disabled).map(({ key, value }) => [key, value]));
      const authorization = `Bearer ${filled(collection.auth.bearer[0]!.value)}`;
      const response = await fetch(address, { method, headers: { ...headers, authorization }, body: body?.raw });
      const answer = (await response.json()) as { report_id?: string; error?: { code: string; param: string | null } };
      if (response.status === 201 && answer.report_id && name.startsWith('Create')) variables.set('report_id', answer.report_id);
      const { responses } = operations.find(({ summary }) => name.startsWith(summary))!;
      expect([name, Object.keys(responses)]).toEqual([name, expect.arrayContaining([String(response.status)])]);
      expect([name, answer.error?.code]).not.toEqual([name, 'unauthorized']);
    }
    expect(variables.get('report_id')).not.toBe(collection.variable.find(({ key }) => key === 'report_id')!.value);
  });
});
