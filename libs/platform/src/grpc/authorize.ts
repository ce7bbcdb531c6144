import {
  type Metadata,
  ResponderBuilder,
  ServerInterceptingCall,
  type ServerInterceptor,
  ServerListenerBuilder,
  status,
} from '@grpc/grpc-js';
import { callersOf } from '@tire/contracts/grpc';
import { logger } from '../logs/logger';
import type { CallVerifier } from './identity';
import type { CallerSettings } from '../config/settings';
import { CALLER_METADATA, HEALTH_SERVICE, SETTINGS_METADATA } from './options';

export interface CallGuard {
  readonly verifier: CallVerifier;
  /** False: calls without a token are accepted, for the one upgrade that introduces the keys and for integration tests. */
  readonly required: boolean;
  readonly settings?: CallerSettings;
}

interface Refusal {
  readonly code: status.UNAUTHENTICATED | status.PERMISSION_DENIED;
  readonly details: string;
}

const UNAUTHENTICATED: Refusal = { code: status.UNAUTHENTICATED, details: 'The call has no valid service token' };
const DENIED: Refusal = { code: status.PERMISSION_DENIED, details: 'The service may not make this call' };

const calleeOf = (path: string): string => path.split('.')[1] ?? '';

function refusalOf({ verifier, required, settings }: CallGuard, path: string, metadata: Metadata): Refusal | undefined {
  const token = metadata.get(CALLER_METADATA)[0]?.toString();
  if (token === undefined) return required ? UNAUTHENTICATED : undefined;
  const caller = verifier.callerOf(token, calleeOf(path));
  if (!caller) return UNAUTHENTICATED;
  const theirs = metadata.get(SETTINGS_METADATA)[0]?.toString();
  if (theirs !== undefined) settings?.hear(caller, theirs);
  return callersOf(path).includes(caller) ? undefined : DENIED;
}

/** Refuses a call before its message is read, unless its service may make it. The health protocol is open: the kubelet has no key. */
export function authorizeCalls(guard: CallGuard): ServerInterceptor {
  const log = logger('grpc');
  return ({ path }, call) => {
    if (path.startsWith(HEALTH_SERVICE)) return new ServerInterceptingCall(call);
    let isRefused = false;
    const listener = new ServerListenerBuilder()
      .withOnReceiveMetadata((metadata, proceed) => {
        const refusal = refusalOf(guard, path, metadata);
        if (!refusal) return proceed(metadata);
        isRefused = true;
        log.warn({ path, reason: refusal.details }, 'A call is refused');
        call.sendStatus(refusal);
      })
      .withOnReceiveMessage((message, proceed) => (isRefused ? undefined : proceed(message)))
      .withOnReceiveHalfClose((proceed) => (isRefused ? undefined : proceed()))
      .build();
    return new ServerInterceptingCall(call, new ResponderBuilder().withStart((next) => next(listener)).build());
  };
}
