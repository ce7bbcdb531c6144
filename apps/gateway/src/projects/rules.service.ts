import { type ProjectRules, projectRules } from '@tire/kernel';
import { Database } from '@tire/platform';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { storedRules } from './rules.store';

/** After so long a change applies in every process. A project costs one query in this time, however many reports it creates. */
const KNOWN_MS = 1_000;
const KNOWN_MAX = 10_000;

/** The rules that the operator tries with some projects first. */
@Injectable()
export class RulesService {
  private readonly known = new LRUCache<string, ProjectRules>({
    max: KNOWN_MAX,
    ttl: KNOWN_MS,
    fetchMethod: async (projectId) => {
      const { ofProject, ofAll } = await storedRules(this.database, projectId);
      return projectRules(ofProject, ofAll);
    },
  });

  constructor(private readonly database: Database) {}

  of(projectId: string): Promise<ProjectRules> {
    return this.known.forceFetch(projectId);
  }
}
