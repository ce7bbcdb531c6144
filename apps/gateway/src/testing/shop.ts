import { Project } from '@tire/contracts/console';
import { newId, type Clock } from '@tire/kernel';
import { freePort, startMailServer, startSmsProvider } from '@tire/test-harness';
import { startBehind, type TreadOf } from './behind';
import { Browser, invited, newOrganization } from './browser';
import { startGateway } from './gateway';

/** A shop with its people, a mail server, a provider of text messages, and the services behind the gateway. Sessions last for weeks. */
export async function startShop({ clock, treadOf }: { readonly clock: Clock; readonly treadOf: TreadOf }) {
  const port = await freePort();
  const [mail, provider, behind] = await Promise.all([
    startMailServer(),
    startSmsProvider(),
    startBehind(`http://127.0.0.1:${port}/api/v1`, { treadOf }),
  ]);
  const environment = {
    ...{ SMTP_HOST: '127.0.0.1', SMTP_PORT: mail.port, SMTP_TLS: 'none', SMTP_FROM: 'mail@shop.example' },
    ...provider.environment,
    ...{ CONSOLE_IDLE_MINUTES: 1_440, CONSOLE_SESSION_HOURS: 720 },
  };
  const gateway = await startGateway({ port, addresses: behind.addresses, environment, clock });
  const browser = (last: number) => new Browser(gateway.origin, `192.0.2.${last}`);
  const [owner, support, developer, stranger] = [browser(1), browser(2), browser(3), browser(4)];
  const { organizationId, email } = await newOrganization(gateway.databaseUrl);
  await owner.signIn(email);
  await stranger.signIn((await newOrganization(gateway.databaseUrl)).email);
  await invited(owner, support, organizationId, 'support', `${newId()}@shop.example`);
  await invited(owner, developer, organizationId, 'developer', `${newId()}@shop.example`);
  const created = await owner.call('POST', `/organizations/${organizationId}/projects`, { body: { name: 'Live', mode: 'live' } });
  const { project_id: projectId } = Project.parse(created.json);
  await owner.call('PATCH', `/projects/${projectId}/partner`, { body: { name: '한빛 타이어', phone: '02-123-4567' } });
  return {
    ...{ gateway, mail, provider, owner, support, developer, stranger, organizationId, projectId },
    stop: async () => {
      await gateway.stop();
      await behind.stop();
      await mail.stop();
      await provider.stop();
    },
  };
}
