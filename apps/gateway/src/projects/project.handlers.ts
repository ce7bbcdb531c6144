import { Injectable } from '@nestjs/common';
import type { OperationHandlers } from '../edge/operation-handlers';
import { Keys } from '../keys/keys.service';
import { Projects } from './projects.service';

@Injectable()
export class ProjectHandlers {
  constructor(
    private readonly projects: Projects,
    private readonly keys: Keys,
  ) {}

  readonly handlers = {
    listProjects: ({ caller }) => this.projects.list(caller.organizationId),
    createProject: ({ caller, body }) => this.projects.create(caller, body),
    getProject: ({ caller }) => this.projects.one(caller.projectId),
    renameProject: ({ caller, body }) => this.projects.rename(caller, body.name),
    listKeys: ({ caller }) => this.keys.list(caller.projectId),
    issueKey: ({ caller, body }) => this.keys.issue(caller, body),
    revokeKey: ({ caller, params }) => this.keys.revoke(caller, params.key_id),
  } satisfies Partial<OperationHandlers>;
}
