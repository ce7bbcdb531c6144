import { parseNatsUrl } from './nats-url';

it.each([
  ['nats://127.0.0.1:4222', { servers: ['127.0.0.1:4222'] }],
  ['nats://a:4222, nats://b:4223', { servers: ['a:4222', 'b:4223'] }],
  ['nats://tire:p%40ss@a:4222,nats://b:4222', { servers: ['a:4222', 'b:4222'], user: 'tire', pass: 'p@ss' }],
  ['tls://a:4222,tls://b:4222', { servers: ['a:4222', 'b:4222'], tls: {} }],
])('reads %s', (url, address) => {
  expect(parseNatsUrl(url)).toEqual(address);
});
