import type { CurrentSession, Membership, Permission } from '@tire/contracts';
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { useParams } from 'wouter';
import { ApiError, call, setCsrfToken } from './client';

export const SESSION = ['session'] as const;

async function currentSession(): Promise<CurrentSession | null> {
  try {
    const session = await call<CurrentSession>('GET', '/session');
    setCsrfToken(session.csrf_token);
    return session;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

/** Null: nobody is signed in. */
export const useSession = (): UseQueryResult<CurrentSession | null> =>
  useQuery({ queryKey: SESSION, queryFn: currentSession, staleTime: Infinity });

/** Handed down, so that no page looks for somebody who has just signed out. */
export const SignedIn = createContext<CurrentSession | null>(null);

export function useSignedIn(): CurrentSession {
  const session = useContext(SignedIn);
  if (!session) throw new Error('A page for members was shown to nobody');
  return session;
}

export interface Place extends Membership {
  readonly can: (permission: Permission) => boolean;
}

/** The organization that the address names, or the first one; null where there is none. */
export function usePlace(): Place | null {
  const { memberships } = useSignedIn();
  const { organizationId } = useParams<{ organizationId?: string }>();
  const found = organizationId ? memberships.find(({ organization_id }) => organization_id === organizationId) : memberships[0];
  return found ? { ...found, can: (permission) => found.permissions.includes(permission) } : null;
}

export function useSignedOut(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    await call('DELETE', '/session').catch((error: unknown) => {
      if (!(error instanceof ApiError && error.status === 401)) throw error;
    });
    queries.setQueryData(SESSION, null);
    // What one user read is not left to the next one.
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION[0] });
  };
}
