import {
  ChangeRoleRequest,
  InviteRequest,
  RenameRequest,
  type AuditLog,
  type InvitationList,
  type IssuedInvitation,
  type MemberList,
  type Organization,
} from '@tire/contracts';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { JsonBody } from '../json-body.pipe';
import { IdPipe, OptionalIdPipe } from '../parameters';
import { CONSOLE_API, ConsoleAccess, SignedIn, type SignedInVisitor } from './door';
import { Invitations } from './invitations.service';
import { Members } from './members.service';
import { Organizations } from './organizations.service';
import { Page, PagePipe } from './page';

@Controller(`${CONSOLE_API}/organizations/:organization_id`)
export class OrganizationsController {
  constructor(
    private readonly organizations: Organizations,
    private readonly members: Members,
    private readonly invitations: Invitations,
  ) {}

  @Get()
  @ConsoleAccess('reports.read')
  one(@Param('organization_id', IdPipe) organizationId: string): Promise<Organization> {
    return this.organizations.one(organizationId);
  }

  @Patch()
  @ConsoleAccess('organization.manage')
  rename(
    @SignedIn() { actor }: SignedInVisitor,
    @Param('organization_id', IdPipe) organizationId: string,
    @Body(new JsonBody(RenameRequest)) { name }: RenameRequest,
  ): Promise<Organization> {
    return this.organizations.rename(organizationId, actor, name);
  }

  @Get('members')
  @ConsoleAccess('members.read')
  memberList(@Param('organization_id', IdPipe) organizationId: string): Promise<MemberList> {
    return this.members.list(organizationId);
  }

  @Patch('members/:user_id')
  @HttpCode(204)
  @ConsoleAccess('members.manage')
  changeRole(
    @SignedIn() { actor }: SignedInVisitor,
    @Param('organization_id', IdPipe) organizationId: string,
    @Param('user_id', IdPipe) userId: string,
    @Body(new JsonBody(ChangeRoleRequest)) { role }: ChangeRoleRequest,
  ): Promise<void> {
    return this.members.change(organizationId, actor, userId, role);
  }

  @Delete('members/:user_id')
  @HttpCode(204)
  @ConsoleAccess('signed_in')
  removeMember(
    @SignedIn() { actor }: SignedInVisitor,
    @Param('organization_id', IdPipe) organizationId: string,
    @Param('user_id', IdPipe) userId: string,
  ): Promise<void> {
    return this.members.change(organizationId, actor, userId, null);
  }

  @Get('invitations')
  @ConsoleAccess('members.manage')
  invitationList(@Param('organization_id', IdPipe) organizationId: string): Promise<InvitationList> {
    return this.invitations.list(organizationId);
  }

  @Post('invitations')
  @ConsoleAccess('members.manage')
  invite(
    @SignedIn() { actor, member }: SignedInVisitor,
    @Param('organization_id', IdPipe) organizationId: string,
    @Body(new JsonBody(InviteRequest)) request: InviteRequest,
  ): Promise<IssuedInvitation> {
    return this.invitations.issue(organizationId, { actor, role: member?.role }, request);
  }

  @Delete('invitations/:invitation_id')
  @HttpCode(204)
  @ConsoleAccess('members.manage')
  revokeInvitation(
    @SignedIn() { actor }: SignedInVisitor,
    @Param('organization_id', IdPipe) organizationId: string,
    @Param('invitation_id', IdPipe) invitationId: string,
  ): Promise<void> {
    return this.invitations.revoke(organizationId, actor, invitationId);
  }

  @Get('audit-log')
  @ConsoleAccess('audit_log.read')
  auditLog(
    @Param('organization_id', IdPipe) organizationId: string,
    @Query('project_id', new OptionalIdPipe('project_id')) projectId: string | null,
    @Query(PagePipe) page: Page,
  ): Promise<AuditLog> {
    return this.organizations.auditLog(organizationId, projectId, page);
  }
}
