import { counter, METRICS } from '@tire/platform';

export const published = counter(METRICS.messagesPublished, 'Messages that the broker has acknowledged');
export const consumed = counter(METRICS.messagesConsumed, 'Messages handled');
export const redelivered = counter(METRICS.messagesRedelivered, 'Messages that were delivered again');
export const dead = counter(METRICS.messagesDead, 'Messages given up');
