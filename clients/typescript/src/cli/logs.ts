import { clockTime, interrupted, untilEnded, type Context } from './context.ts';

/** Prints what the keys of the project request, as it is logged, until it is ended. */
export function tailLogs(context: Context): Promise<number> {
  const { client, options, print } = context;
  return untilEnded(context, async (signal) => {
    for await (const { requests } of client.requests.tail({ signal, onInterruption: interrupted(context) })) {
      for (const request of requests) {
        const { at, method, path, status, duration_ms, request_id } = request;
        const columns = [clockTime(new Date(at)), status, method.padEnd(6), path, `(${duration_ms} ms)`, request_id];
        print(options.json ? `${JSON.stringify(request)}\n` : `${columns.join('  ')}\n`);
      }
      if (requests.length === 0 && !options.json) print('Requests of this project from now on:\n');
    }
  });
}
