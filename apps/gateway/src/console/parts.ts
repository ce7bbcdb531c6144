import { Account } from './account.service';
import { AccountController } from './account.controller';
import { Actors } from './actors';
import { Attempts } from './attempts';
import { Audit } from './audit';
import { ConsoleOpenapiController } from './console-openapi.controller';
import { Door } from './door';
import { InvitationsController } from './invitations.controller';
import { Invitations } from './invitations.service';
import { Members } from './members.service';
import { OneTimeCodes } from './one-time-codes.service';
import { OpenIdChallenges } from './openid.challenge';
import { OpenIdController } from './openid.controller';
import { OpenIdProvider } from './openid.provider';
import { OpenIdSignIn } from './openid.service';
import { OpenIdTrips } from './openid.trips';
import { OrganizationsController } from './organizations.controller';
import { Organizations } from './organizations.service';
import { ProjectsController } from './projects.controller';
import { Projects } from './projects.service';
import { ReportReading } from './report-reading.service';
import { ReportWork } from './report-work.service';
import { ReportsReadingController } from './reports.reading.controller';
import { ReportsWorkController } from './reports.work.controller';
import { RequestLog } from './request-log';
import { RequestLogController } from './request-log.controller';
import { SessionController } from './session.controller';
import { Sessions } from './sessions.service';
import { SiteController } from './site.controller';
import { SignInLimits } from './sign-in-limits';
import { SignIn } from './sign-in.service';
import { TotpSecrets } from './totp-secrets';
import { UsageController } from './usage.controller';
import { UsageService } from './usage.service';
import { WebhooksController } from './webhooks.controller';
import { Webhooks } from './webhooks.service';

export const CONSOLE_CONTROLLERS = [
  SessionController,
  OpenIdController,
  AccountController,
  InvitationsController,
  OrganizationsController,
  ProjectsController,
  WebhooksController,
  UsageController,
  RequestLogController,
  ReportsReadingController,
  ReportsWorkController,
  ConsoleOpenapiController,
  SiteController,
];

export const CONSOLE_PROVIDERS = [
  Door,
  Sessions,
  Attempts,
  SignInLimits,
  TotpSecrets,
  OneTimeCodes,
  OpenIdProvider,
  OpenIdChallenges,
  OpenIdTrips,
  OpenIdSignIn,
  SignIn,
  Account,
  Members,
  Invitations,
  Organizations,
  Projects,
  Actors,
  Audit,
  RequestLog,
  Webhooks,
  UsageService,
  ReportReading,
  ReportWork,
];
