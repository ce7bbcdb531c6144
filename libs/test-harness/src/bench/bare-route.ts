import fastify from 'fastify';
import { Pool } from 'pg';

/**
 * The baseline of the benches: an HTTP request, one read by primary key, a response. No tenants, no keys, no second process.
 * The bench starts it as a separate process.
 */
async function main(): Promise<void> {
  const pool = new Pool({ connectionString: process.env['BENCH_DATABASE_URL'], max: 10 });
  const app = fastify();
  app.get<{ Params: { id: string } }>('/documents/:id', async (request, reply) => {
    const { rows } = await pool.query<{ document: Buffer }>({
      name: 'document',
      text: 'SELECT document FROM documents WHERE id = $1',
      values: [request.params.id],
    });
    return reply.type('application/json; charset=utf-8').send(rows[0]?.document);
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const address = app.server.address();
  if (typeof address === 'object') process.send?.({ port: address?.port });
  process.once('disconnect', () => process.exit(0));
}

void main();
