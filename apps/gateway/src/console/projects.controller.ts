import {
  CreateProjectRequest,
  IssueKeyRequest,
  RenameRequest,
  type IssuedApiKey,
  type KeyList,
  type Project,
  type ProjectList,
} from '@tire/contracts';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { JsonBody } from '../json-body.pipe';
import { IdPipe } from '../parameters';
import { CONSOLE_API, ConsoleAccess, SignedIn, type SignedInVisitor } from './door';
import { Projects } from './projects.service';

@Controller(CONSOLE_API)
export class ProjectsController {
  constructor(private readonly projects: Projects) {}

  @Get('organizations/:organization_id/projects')
  @ConsoleAccess('reports.read')
  list(@Param('organization_id', IdPipe) organizationId: string): Promise<ProjectList> {
    return this.projects.list(organizationId);
  }

  @Post('organizations/:organization_id/projects')
  @ConsoleAccess('projects.manage')
  create(
    @SignedIn() { actor }: SignedInVisitor,
    @Param('organization_id', IdPipe) organizationId: string,
    @Body(new JsonBody(CreateProjectRequest)) request: CreateProjectRequest,
  ): Promise<Project> {
    return this.projects.create(organizationId, actor, request);
  }

  @Get('projects/:project_id')
  @ConsoleAccess('reports.read')
  one(@Param('project_id', IdPipe) projectId: string): Promise<Project> {
    return this.projects.one(projectId);
  }

  @Patch('projects/:project_id')
  @ConsoleAccess('projects.manage')
  rename(
    @SignedIn() visitor: SignedInVisitor,
    @Param('project_id', IdPipe) projectId: string,
    @Body(new JsonBody(RenameRequest)) { name }: RenameRequest,
  ): Promise<Project> {
    return this.projects.rename(visitor, projectId, name);
  }

  @Get('projects/:project_id/keys')
  @ConsoleAccess('keys.read')
  keys(@Param('project_id', IdPipe) projectId: string): Promise<KeyList> {
    return this.projects.keys(projectId);
  }

  @Post('projects/:project_id/keys')
  @ConsoleAccess('keys.manage')
  issueKey(
    @SignedIn() visitor: SignedInVisitor,
    @Param('project_id', IdPipe) projectId: string,
    @Body(new JsonBody(IssueKeyRequest)) request: IssueKeyRequest,
  ): Promise<IssuedApiKey> {
    return this.projects.issueKey(visitor, projectId, request);
  }

  @Delete('projects/:project_id/keys/:key_id')
  @HttpCode(204)
  @ConsoleAccess('keys.manage')
  revokeKey(
    @SignedIn() visitor: SignedInVisitor,
    @Param('project_id', IdPipe) projectId: string,
    @Param('key_id', IdPipe) keyId: string,
  ): Promise<void> {
    return this.projects.revokeKey(visitor, projectId, keyId);
  }
}
