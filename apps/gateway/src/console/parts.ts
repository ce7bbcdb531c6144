import { Account } from './account.service';
import { AccountController } from './account.controller';
import { ConsoleOpenapiController } from './console-openapi.controller';
import { Door } from './door';
import { InvitationsController } from './invitations.controller';
import { Invitations } from './invitations.service';
import { Members } from './members.service';
import { OrganizationsController } from './organizations.controller';
import { Organizations } from './organizations.service';
import { ProjectsController } from './projects.controller';
import { Projects } from './projects.service';
import { SessionController } from './session.controller';
import { Sessions } from './sessions.service';
import { SiteController } from './site.controller';
import { SignInLimits } from './sign-in-limits';
import { SignIn } from './sign-in.service';

export const CONSOLE_CONTROLLERS = [
  SessionController,
  AccountController,
  InvitationsController,
  OrganizationsController,
  ProjectsController,
  ConsoleOpenapiController,
  SiteController,
];

export const CONSOLE_PROVIDERS = [Door, Sessions, SignInLimits, SignIn, Account, Members, Invitations, Organizations, Projects];
