import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** An image host in a process of its own, so that its CPU time is not counted for the service. */
process.once('message', ({ cert, key, image }: { cert: string; key: string; image: string }) => {
  const body = Buffer.from(image, 'base64');
  const server = createServer({ cert, key }, (_request, response) =>
    response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': body.length }).end(body),
  );
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
});
process.once('disconnect', () => process.exit());
