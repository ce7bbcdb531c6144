export { Consumers, type ConsumeOptions } from './consumers';
export { NotNow } from './delivery';
export { EventingModule } from './eventing.module';
export { eventingMigration } from './migration';
export { Outbox, outboxMessage } from './outbox';
export type { OutboxMessage } from './outbox.store';
export { Publisher } from './publisher';
export { Turns } from './turns';
export { WorkQueues, type Demand } from './work-queues';
