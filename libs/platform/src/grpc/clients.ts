import type { FactoryProvider } from '@nestjs/common';
import { GRPC_SERVICES } from '@tire/contracts/grpc';
import { grpcClient } from './client';
import { callSigner } from './identity';

/** Injection tokens of the clients of other services. */
export const LEDGER = Symbol('LedgerService');
export const ASSETS = Symbol('AssetService');
export const CONTENT = Symbol('ContentService');
export const SHARE = Symbol('ShareService');

const TOKENS = { ledger: LEDGER, assets: ASSETS, content: CONTENT, share: SHARE };
type Callee = keyof typeof TOKENS;

type Addresses<C extends Callee> = Readonly<Record<`${Uppercase<C>}_GRPC_URL`, string>>;

/** Provides a client of each of these services, at its address in the configuration. The caller signs its calls with its own key. */
export function grpcClients<C extends Callee>(
  caller: Parameters<typeof callSigner>[0],
  config: Parameters<typeof callSigner>[1] & Addresses<C>,
  callees: readonly C[],
): FactoryProvider[] {
  const signer = callSigner(caller, config);
  return callees.map((callee) => ({
    provide: TOKENS[callee],
    useFactory: () => grpcClient<object>(GRPC_SERVICES[callee], config[`${callee.toUpperCase() as Uppercase<C>}_GRPC_URL`], { signer }),
  }));
}
