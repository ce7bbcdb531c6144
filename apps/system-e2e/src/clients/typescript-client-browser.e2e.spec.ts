import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { REPOSITORY_ROOT } from '@tire/local-stack';
import { describeWithBrowser, launchBrowser } from '@tire/test-harness';
import { newFolder } from './readme-examples';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** Loads the files of the package as they are, without a bundler. */
describeWithBrowser('the TypeScript client in a browser', () => {
  const { folder, remove } = newFolder();
  const server = createServer(({ url = '/' }, response) => {
    const isModule = /^\/dist\/[\w/]+\.js$/.test(url);
    response.writeHead(200, { 'content-type': isModule ? 'text/javascript' : 'text/html' });
    response.end(isModule ? readFileSync(join(folder, 'built', url)) : '<!doctype html>');
  });
  let browser: Browser;

  beforeAll(async () => {
    execFileSync(process.execPath, [join(REPOSITORY_ROOT, 'clients/typescript/build.mjs'), join(folder, 'built')], { stdio: 'inherit' });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await new Promise((resolve) => server.close(resolve));
    remove();
  });

  const evaluated = async (expression: string): Promise<unknown> => {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    return page.evaluate(expression).finally(() => page.close());
  };

  it('verifies a callback, and refuses one that was changed', async () => {
    const payload = JSON.stringify({ type: 'report.completed', data: { report_id: '가' } });
    const at = new Date();
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(SECRET).sign('msg_1', at, payload),
    };
    const verify = (body: string) =>
      evaluated(`import('/dist/webhooks.js').then(({ verifyWebhook }) => verifyWebhook(${JSON.stringify({ payload: body, headers, secret: SECRET })}))
        .catch(({ name }) => name)`);
    expect(await verify(payload)).toEqual(JSON.parse(payload));
    expect(await verify(`${payload} `)).toBe('WebhookVerificationError');
  });

  it('takes no API key', async () => {
    const settings = JSON.stringify({ apiKey: 'svc_test_1', baseUrl: 'https://tires.example/api/v1' });
    const refused = `import('/dist/index.js').then(({ TireInspection }) => new TireInspection(${settings})).catch(({ message }) => message)`;
    expect(await evaluated(refused)).toBe('An API key must not be used in a browser.');
  });
});
