import { startPostgres } from './postgres';

/** Starts Postgres and waits to be killed. */
startPostgres({ dataDir: process.argv[2]!, durable: false }).then(
  ({ pid }) => process.send!(pid),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
