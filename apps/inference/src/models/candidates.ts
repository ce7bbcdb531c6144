import { isUuid } from '@tire/kernel';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Operation } from './manifest';
import { byVersion, loadPresent, ModelFault, type ModelFolder } from './repository';

const FOLDER = 'candidates';
const PROJECTS = 'projects.json';
const PROJECTS_MAX = 1_000;

const Projects = z.array(z.string().refine(isUuid, 'is no project id')).max(PROJECTS_MAX);

/**
 * `candidates` in the repository: a folder with a manifest for each model, and `projects.json`, a list of project ids. Without that file
 * (undefined) nothing is tried. The folder has no manifest, so the repository itself does not take it for a model.
 */
export async function triedProjects(repository: string): Promise<ReadonlySet<string> | undefined> {
  const folder = join(repository, FOLDER);
  const text = await readFile(join(folder, PROJECTS), 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined;
    throw new ModelFault(folder, `${PROJECTS} cannot be read`, cause);
  });
  return text === undefined ? undefined : readProjects(folder, text);
}

/** The models that are tried with some projects before they serve all. Each has a higher version than the served one, which it may replace. */
export async function loadCandidates(
  repository: string,
  operations: readonly Operation[],
  served: readonly ModelFolder[],
): Promise<ModelFolder[]> {
  const candidates = await loadPresent(join(repository, FOLDER), operations);
  for (const candidate of candidates) {
    const { operation, version } = candidate.manifest;
    const present = served.find(({ manifest }) => manifest.operation === operation);
    if (present && byVersion(candidate, present) >= 0)
      throw new ModelFault(candidate.folder, `${version} is not higher than ${present.manifest.version}, which serves all projects`);
  }
  return candidates.map((candidate) => ({ ...candidate, repository }));
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
