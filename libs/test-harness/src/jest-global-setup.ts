import { startInfrastructure } from './infrastructure';

declare global {
  // Jest runs set-up and tear-down in one process but loads their modules separately.
  var stopTestInfrastructure: (() => Promise<void>) | undefined;
}

export default async function setUp(): Promise<void> {
  globalThis.stopTestInfrastructure = await startInfrastructure();
}
