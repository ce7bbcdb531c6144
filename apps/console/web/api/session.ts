import type { CurrentSession, Membership, Permission } from '@tire/contracts/console';
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { createContext, useContext, useEffect } from 'react';
import { useParams } from 'wouter';
import { ApiError, call, holdSession } from './client';

export const SESSION = ['session'] as const;

async function currentSession(): Promise<CurrentSession | null> {
  try {
    const session = await call<CurrentSession>('GET', '/session');
    holdSession(session);
    return session;
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 401)) throw error;
    holdSession(null);
    return null;
  }
}

/** Null: no session. Refetched when the tab gets the focus, because the session or the role may have changed elsewhere. */
export function useSession(): UseQueryResult<CurrentSession | null> {
  const queries = useQueryClient();
  const session = useQuery({ queryKey: SESSION, queryFn: currentSession, staleTime: Infinity, refetchOnWindowFocus: 'always' });
  const isOver = session.data === null;
  // The data of one user is removed before another user signs in.
  useEffect(() => {
    if (!isOver) return;
    queries.removeQueries({ type: 'inactive', predicate: ({ queryKey }) => queryKey[0] !== SESSION[0] });
    queries.getMutationCache().clear();
  }, [queries, isOver]);
  return session;
}

/** Passed by context, so that no page reads a session that has just ended. */
export const SignedIn = createContext<CurrentSession | null>(null);

export function useSignedIn(): CurrentSession {
  const session = useContext(SignedIn);
  if (!session) throw new Error('A page for members was shown without a session');
  return session;
}

export interface Place extends Membership {
  readonly can: (permission: Permission) => boolean;
}

let lastOrganizationId: string | undefined;

/** The organization in the address, else the last one used, else the first one; null if there is none. */
export function usePlace(): Place | null {
  const { memberships } = useSignedIn();
  const { organizationId } = useParams<{ organizationId?: string }>();
  useEffect(() => {
    if (organizationId) lastOrganizationId = organizationId;
  }, [organizationId]);
  const named = memberships.find(({ organization_id }) => organization_id === (organizationId ?? lastOrganizationId));
  const found = organizationId ? named : (named ?? memberships[0]);
  return found ? { ...found, can: (permission) => found.permissions.includes(permission) } : null;
}

export function useSignedOut(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    await call('DELETE', '/session').catch((error: unknown) => {
      if (!(error instanceof ApiError && error.status === 401)) throw error;
    });
    // A pending response would restore the session.
    await queries.cancelQueries({ queryKey: SESSION });
    holdSession(null);
    queries.setQueryData(SESSION, null);
  };
}
