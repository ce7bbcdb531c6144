import { sandboxAddress, type SandboxName } from '@tire/kernel';

const NAMES: readonly (readonly [string, SandboxName])[] = [
  ['front_left', 'tread-front-left'],
  ['front_right', 'tread-front-right'],
  ['rear_left', 'tread-rear-left'],
  ['rear_right', 'tread-rear-right'],
];

/** Four treads whose results are known, by addresses that are never resolved: they cost no measurement. */
export const SANDBOX_SCENARIO_TREADS = NAMES.map(([position, name]) => ({
  module_type: 'tire',
  slot: { position, image_type: 'tread' },
  source: { url: sandboxAddress(name) },
}));
