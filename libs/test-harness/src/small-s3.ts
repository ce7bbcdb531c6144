import { createRequire } from 'node:module';
import { rm } from 'node:fs/promises';
import { tempDir } from './scratch';

/** The used part of @20minutes/s3rver. The package has no types. */
type S3rver = new (options: {
  port: number;
  address: string;
  silent: boolean;
  directory: string;
  configureBuckets: { name: string }[];
}) => {
  run(): Promise<{ port: number }>;
  close(): Promise<void>;
};

export interface SmallS3 {
  readonly port: number;
  readonly accessKey: string;
  readonly secretKey: string;
  stop(): Promise<void>;
}

/**
 * A small S3 server with one bucket. It checks signatures and accepts anonymous requests. The caller removes a folder that it gives; without
 * one the objects end with the server.
 */
export async function startSmallS3(bucket: string, folder?: string): Promise<SmallS3> {
  const directory = folder ?? (await tempDir());
  const Server = createRequire(__filename)('@20minutes/s3rver') as S3rver;
  const server = new Server({ port: 0, address: '127.0.0.1', silent: true, directory, configureBuckets: [{ name: bucket }] });
  const { port } = await server.run();
  return {
    port,
    accessKey: 'S3RVER',
    secretKey: 'S3RVER',
    stop: async () => {
      await server.close();
      if (!folder) await rm(directory, { recursive: true, force: true });
    },
  };
}
