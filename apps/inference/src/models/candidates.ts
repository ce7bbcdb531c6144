import { isUuid } from '@tire/kernel';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Operation } from './manifest';
import { loadPresent, ModelFault, type ModelFolder } from './repository';

const FOLDER = 'candidates';
const PROJECTS = 'projects.json';
const PROJECTS_MAX = 1_000;

const Projects = z.array(z.string().refine(isUuid, 'is no project id')).max(PROJECTS_MAX);

/** Models that are tried with some projects before they serve all. */
interface Candidates {
  readonly models: readonly ModelFolder[];
  readonly projects: ReadonlySet<string>;
}

export const NO_CANDIDATES: Candidates = { models: [], projects: new Set() };

/**
 * `candidates` in the repository: a folder with a manifest for each model, and `projects.json`, a list of project ids. Without that file
 * nothing is tried. The folder has no manifest, so the repository itself does not take it for a model.
 */
export async function loadCandidates(repository: string, operations: readonly Operation[]): Promise<Candidates> {
  const folder = join(repository, FOLDER);
  const text = await readFile(join(folder, PROJECTS), 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined;
    throw new ModelFault(folder, `${PROJECTS} cannot be read`, cause);
  });
  if (text === undefined) return NO_CANDIDATES;
  return { projects: readProjects(folder, text), models: await loadPresent(folder, operations) };
}

export function readProjects(folder: string, text: string): Set<string> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new ModelFault(folder, `${PROJECTS} is not JSON`, cause);
  }
  const { data, error } = Projects.safeParse(json);
  if (error) throw new ModelFault(folder, `${PROJECTS}: ${z.prettifyError(error)}`);
  return new Set(data.map((id) => id.toLowerCase()));
}
