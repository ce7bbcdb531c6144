import type { Role } from '@tire/contracts/console';
import type { SessionRow } from '../identity/sessions/sessions.store';
import type { KeyHolder } from '../keys/key.store';
import type { ProjectMode } from '../keys/api-key';
import type { Client } from './client';

/** Somebody without a session, who signs in or accepts an invitation. */
export interface AnonymousCaller {
  readonly client: Client;
}

/** A signed-in user. */
export interface SessionCaller extends AnonymousCaller {
  readonly session: SessionRow;
  readonly actor: { readonly userId: string; readonly email: string; readonly address: string };
}

/** A signed-in user in an organization that the path names, or whose project it names. */
export interface MemberCaller extends SessionCaller {
  readonly organizationId: string;
  readonly role: Role;
}

export interface ProjectMember extends MemberCaller {
  readonly projectId: string;
  readonly mode: ProjectMode;
}

/** The actor on a report: an API key or a member of its project. */
export type ProjectCaller = KeyHolder | ProjectMember;

export const isMember = (caller: ProjectCaller): caller is ProjectMember => 'session' in caller;
