import type { Role } from '@tire/contracts/console';
import type { SessionRow } from '../identity/sessions/sessions.store';
import type { KeyHolder } from '../keys/key.store';

export type { KeyHolder };
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

/** Somebody with a capture link, which is about one report. */
export interface CaptureCaller {
  readonly projectId: string;
  readonly reportId: string;
  readonly captureDigest: Buffer;
}

/** The actor on a report: an API key, a member of its project, or somebody with its capture link. */
export type ProjectCaller = KeyHolder | ProjectMember | CaptureCaller;

/** Present if the ledger has to check that the link of the caller is open. */
export const captureDigestOf = (caller: ProjectCaller): Buffer | undefined =>
  'captureDigest' in caller ? caller.captureDigest : undefined;

export const isMember = (caller: ProjectCaller): caller is ProjectMember => 'session' in caller;
