export { Consumers, type ConsumeOptions } from './consumers';
export { NotNow } from './delivery';
export { EventingModule } from './eventing.module';
export { Inbox } from './inbox';
export { eventingMigration } from './migration';
export { Outbox, outboxMessage, type OutboxMessage } from './outbox';
export { Publisher } from './publisher';
