import { Controller, type INestMicroservice, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { GrpcMethod, type MicroserviceOptions, Transport } from '@nestjs/microservices';
import { type assetsApi, GRPC_SERVICES, PROTO_ROOT } from '@tire/contracts/grpc';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A gRPC server that stands in for the assets service, with the object store that its addresses point to. Both are called over a real
 * network.
 */
export interface AssetsPeer {
  readonly images: Map<string, Buffer>;
  close(): Promise<void>;
}

export async function startAssetsPeer(port: number): Promise<AssetsPeer> {
  const images = new Map<string, Buffer>();
  const store = createServer((request, response) => {
    const bytes = images.get((request.url ?? '').slice(1));
    response.writeHead(bytes ? 200 : 404).end(bytes);
  });
  await new Promise<void>((resolve) => store.listen(0, '127.0.0.1', resolve));
  const { port: storePort } = store.address() as AddressInfo;

  @Controller()
  class Assets {
    @GrpcMethod('AssetService', 'SignRead')
    signRead({ assetId }: assetsApi.SignReadRequest): assetsApi.SignReadResponse {
      const facts = { contentType: 'image/jpeg', orientation: 1, widthPx: 1, heightPx: 1 };
      return { url: `http://127.0.0.1:${storePort}/${assetId}`, expiresAt: '', ...facts };
    }
  }

  @Module({ controllers: [Assets] })
  class AssetsModule {}

  const app: INestMicroservice = await NestFactory.createMicroservice<MicroserviceOptions>(AssetsModule, {
    transport: Transport.GRPC,
    options: {
      url: `127.0.0.1:${port}`,
      package: GRPC_SERVICES.assets.package,
      protoPath: GRPC_SERVICES.assets.protoFile,
      loader: { includeDirs: [PROTO_ROOT] },
    },
    logger: false,
  });
  await app.listen();
  const close = async () => {
    store.closeAllConnections();
    await Promise.all([app.close(), new Promise((resolve) => store.close(resolve))]);
  };
  return { images, close };
}
