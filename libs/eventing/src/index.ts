export { Consumers, type ConsumeOptions } from './consumers';
export type { HandlingContext } from './delivery';
export { EventingModule, type EventingOptions } from './eventing.module';
export { Inbox } from './inbox';
export { eventingMigration } from './migration';
export { Outbox } from './outbox';
export { Publisher } from './publisher';
