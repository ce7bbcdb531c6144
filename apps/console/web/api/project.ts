import type { IssuedApiKey, KeyList, Project, ProjectList } from '@tire/contracts/console';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { call } from './client';
import type { Place } from './session';

export const projectsOf = (organizationId: string) => ['organization', organizationId, 'projects'] as const;

export const useProjects = ({ organization_id }: Place): UseQueryResult<ProjectList> =>
  useQuery({
    queryKey: projectsOf(organization_id),
    queryFn: () => call<ProjectList>('GET', `/organizations/${organization_id}/projects`),
  });

export const keysOf = (projectId: string) => ['project', projectId, 'keys'] as const;

export const useKeys = (projectId: string): UseQueryResult<KeyList> =>
  useQuery({ queryKey: keysOf(projectId), queryFn: () => call<KeyList>('GET', `/projects/${projectId}/keys`) });

/** The context of every page of a project. */
export interface ProjectPlace {
  readonly place: Place;
  readonly project: Project;
  /** The path of its pages: `${path}/keys`. */
  readonly path: string;
  /** The key that was just issued in a test project. It is in memory only. Keys of live projects are not kept. */
  readonly issuedKey: IssuedApiKey | null;
  readonly keepIssuedKey: (key: IssuedApiKey | null) => void;
}

export const ProjectContext = createContext<ProjectPlace | null>(null);

export function useProject(): ProjectPlace {
  const project = useContext(ProjectContext);
  if (!project) throw new Error('A page of a project was shown without one');
  return project;
}
