import { CLOCK, systemClock, type Clock } from '@tire/kernel';
import { DatabaseModule, grpcClients, PUBLIC_API_URL, readTrustedProxies } from '@tire/platform';
import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Audit } from './audit/audit';
import { AuditHandlers } from './audit/audit.handlers';
import { CaptureGate } from './capture/capture.gate';
import { CaptureHandlers } from './capture/capture.handlers';
import { CaptureService } from './capture/capture.service';
import { CaptureWork } from './capture/capture-work';
import { CaptureSiteController } from './capture/capture-site.controller';
import type { Config } from './config';
import { Admission, type AdmissionRules } from './edge/admission';
import { Clients } from './edge/client';
import { KeyGate } from './edge/key-gate';
import { OPERATION_HANDLERS, type OperationHandlers } from './edge/operation-handlers';
import { LongPolls } from './edge/long-polls';
import { Routes } from './edge/routes';
import { SessionGate } from './edge/session-gate';
import { ExportHandlers } from './exports/export.handlers';
import { ExportSchedulesService } from './exports/export-schedules.service';
import { ExportTurns } from './exports/export-turns';
import { ExportedRows } from './exports/exported-rows';
import { ExportsService } from './exports/exports.service';
import { ScheduledFileMaker } from './exports/scheduled-file.maker';
import { ErasedFiles } from './exports/erased-files';
import { ScheduledFileRunner } from './exports/scheduled-file.runner';
import { PasskeyHandlers } from './identity/passkeys/passkey.handlers';
import { PasskeyVerifier } from './identity/passkeys/passkey-verifier';
import { PasskeysService } from './identity/passkeys/passkeys.service';
import { AccountHandlers } from './identity/accounts/account.handlers';
import { AccountMails } from './identity/accounts/account-mails';
import { AccountService } from './identity/accounts/account.service';
import { PasswordResetService } from './identity/accounts/password-reset.service';
import { InvitationHandlers } from './identity/invitations/invitation.handlers';
import { InvitationsService } from './identity/invitations/invitations.service';
import { MembersService } from './identity/members/members.service';
import { OneTimeCodesService } from './identity/one-time-codes/one-time-codes.service';
import { TotpSecrets } from './identity/one-time-codes/totp-secrets';
import { OpenIdChallenges } from './identity/openid/openid.challenge';
import { OpenIdHandlers } from './identity/openid/openid.handlers';
import { OpenIdProvider } from './identity/openid/openid.provider';
import { OpenIdRequests } from './identity/openid/openid.requests';
import { OpenIdService } from './identity/openid/openid.service';
import { SessionHandlers } from './identity/sessions/session.handlers';
import { KnownBrowsers } from './identity/sessions/known-browsers';
import { SessionsService } from './identity/sessions/sessions.service';
import { SignInLimits } from './identity/sessions/sign-in-limits';
import { SignInService } from './identity/sessions/sign-in.service';
import { KeyAuthority } from './keys/key-authority';
import { KeyHandlers } from './keys/key.handlers';
import { KeyUse } from './keys/key-use';
import { KeysService } from './keys/keys.service';
import { ErasureHandlers } from './erasures/erasure.handlers';
import { ErasureRunner } from './erasures/erasure.runner';
import { ErasuresService } from './erasures/erasures.service';
import { SubjectExport } from './erasures/subject.export';
import { SubjectFinder } from './erasures/subject.finder';
import { CARRIERS } from './messages/carrier';
import { carriersOf } from './messages/carriers';
import { MessageHandlers } from './messages/message.handlers';
import { MessageSender } from './messages/message.sender';
import { Messages } from './messages/messages';
import { ReportFacts } from './messages/report-facts';
import { ReportMessages } from './messages/report-messages';
import { ReminderHandlers } from './reminders/reminder.handlers';
import { ReminderRunner } from './reminders/reminder.runner';
import { RemindersService } from './reminders/reminders.service';
import { StopPage } from './reminders/stop-page';
import { WearEstimate } from './reminders/wear-estimate';
import { TemplatesService } from './messages/templates.service';
import { MIGRATIONS } from './migrations';
import { OrganizationHandlers } from './organizations/organization.handlers';
import { OrganizationsService } from './organizations/organizations.service';
import { ProjectHandlers } from './projects/project.handlers';
import { BranchesService } from './projects/branches.service';
import { PartnerService } from './projects/partner.service';
import { ProjectsService } from './projects/projects.service';
import { RulesService } from './projects/rules.service';
import { TimeZonesService } from './projects/time-zones.service';
import { ConsoleReportsService } from './reports/console-reports.service';
import { ContentService } from './reports/content.service';
import { ImageHandlers } from './reports/image.handlers';
import { ImagesService } from './reports/images.service';
import { ListedReportsService } from './reports/listed-reports.service';
import { PublicationHandlers } from './reports/publication.handlers';
import { PublicationService } from './reports/publication.service';
import { ReportHandlers } from './reports/report.handlers';
import { ReportReader } from './reports/report.reader';
import { ReportsService } from './reports/reports.service';
import { LogTailService } from './request-log/log-tail.service';
import { RequestLog } from './request-log/request-log';
import { RequestLogHandlers } from './request-log/request-log.handlers';
import { Retention } from './retention/retention';
import { RetentionHandlers } from './retention/retention.handlers';
import { RetentionService } from './retention/retention.service';
import { Resealing } from './sealing/resealing';
import { CONSOLE_SETTINGS, consoleSettings } from './site/console-settings';
import { ConsoleSiteController } from './site/console-site.controller';
import { DocumentationController } from './site/documentation.controller';
import { GUIDE_ROOT, GuideController } from './site/guide.controller';
import { SandboxController } from './site/sandbox.controller';
import {
  ADMISSION_RULES,
  BACKUP_DAYS,
  CAPTURE_ROOT,
  KEY_USE_FLUSH_SECONDS,
  PLAIN_CALLBACKS,
  RETENTION,
  TRUSTED_PROXIES,
  type RetentionSettings,
} from './tokens';
import { VehicleHandlers } from './vehicles/vehicle.handlers';
import { VehicleLinksService } from './vehicles/vehicle-links.service';
import { VehiclesService } from './vehicles/vehicles.service';
import { UsageHandlers } from './usage/usage.handlers';
import { PricesService } from './usage/prices.service';
import { UsageService } from './usage/usage.service';
import { CallbackHandlers } from './callbacks/callback.handlers';
import { CallbacksService } from './callbacks/callbacks.service';
import { ListeningService } from './callbacks/listening.service';
import { PhoneDigests } from './visits/phone-digests';
import { VisitHandlers } from './visits/visit.handlers';
import { VisitRemoval } from './visits/visit-removal';
import { VisitsService } from './visits/visits.service';

const EDGE = [KeyGate, SessionGate, CaptureGate, Admission, Routes, Clients, LongPolls];

const HANDLERS = [
  ...[ReportHandlers, ImageHandlers, PublicationHandlers, CaptureHandlers, ExportHandlers],
  ...[SessionHandlers, OpenIdHandlers, PasskeyHandlers, AccountHandlers, InvitationHandlers],
  ...[OrganizationHandlers, AuditHandlers, ProjectHandlers, KeyHandlers, CallbackHandlers, UsageHandlers, RequestLogHandlers],
  ...[VisitHandlers, MessageHandlers, ReminderHandlers, VehicleHandlers, RetentionHandlers, ErasureHandlers],
];

const SERVICES = [
  ...[KeyAuthority, KeyUse, KeysService, RequestLog, LogTailService, Audit],
  ...[
    ReportsService,
    ReportReader,
    ListedReportsService,
    ConsoleReportsService,
    ImagesService,
    PublicationService,
    ContentService,
    CaptureService,
    CaptureWork,
  ],
  ...[ExportsService, ExportedRows, ExportTurns, ExportSchedulesService, ScheduledFileMaker, ScheduledFileRunner, ErasedFiles],
  ...[PasskeyVerifier, PasskeysService],
  ...[SessionsService, SignInService, SignInLimits, AccountService, OneTimeCodesService, TotpSecrets, InvitationsService, MembersService],
  ...[AccountMails, PasswordResetService, KnownBrowsers, Messages, MessageSender, Resealing],
  ...[PhoneDigests, VisitsService, VisitRemoval, TemplatesService, ReportMessages, ReportFacts],
  ...[RemindersService, ReminderRunner, StopPage, WearEstimate],
  ...[OpenIdProvider, OpenIdChallenges, OpenIdRequests, OpenIdService],
  ...[
    OrganizationsService,
    ProjectsService,
    TimeZonesService,
    RulesService,
    PartnerService,
    BranchesService,
    CallbacksService,
    ListeningService,
    UsageService,
    PricesService,
  ],
  VehiclesService,
  VehicleLinksService,
  ...[Retention, RetentionService],
  ...[SubjectFinder, ErasuresService, ErasureRunner, SubjectExport],
];

function operationHandlers(modules: ModuleRef): OperationHandlers {
  const of = <T>(part: Type<T>): T => modules.get(part);
  return {
    ...of(ReportHandlers).handlers,
    ...of(ImageHandlers).handlers,
    ...of(PublicationHandlers).handlers,
    ...of(CaptureHandlers).handlers,
    ...of(ExportHandlers).handlers,
    ...of(SessionHandlers).handlers,
    ...of(OpenIdHandlers).handlers,
    ...of(AccountHandlers).handlers,
    ...of(PasskeyHandlers).handlers,
    ...of(InvitationHandlers).handlers,
    ...of(OrganizationHandlers).handlers,
    ...of(AuditHandlers).handlers,
    ...of(ProjectHandlers).handlers,
    ...of(KeyHandlers).handlers,
    ...of(CallbackHandlers).handlers,
    ...of(UsageHandlers).handlers,
    ...of(VehicleHandlers).handlers,
    ...of(RequestLogHandlers).handlers,
    ...of(VisitHandlers).handlers,
    ...of(MessageHandlers).handlers,
    ...of(ReminderHandlers).handlers,
    ...of(RetentionHandlers).handlers,
    ...of(ErasureHandlers).handlers,
  };
}

const admissionRules = (config: Config): AdmissionRules => ({
  perSecond: config.RATE_LIMIT_PER_SECOND,
  burst: config.RATE_LIMIT_BURST,
  inFlightMax: config.REQUESTS_IN_FLIGHT_MAX,
  loopLagMsMax: config.SHED_LOOP_LAG_MS,
});

const retentionSettings = (config: Config): RetentionSettings => ({
  intervalMs: config.RETENTION_INTERVAL_MS,
  defaults: {
    request_log: config.REQUEST_LOG_RETENTION_DAYS,
    messages: config.MESSAGE_RETENTION_DAYS,
    audit_log: config.AUDIT_RETENTION_DAYS,
  },
});

@Module({})
export class AppModule {
  static forRoot(config: Config, clock: Clock = systemClock): DynamicModule {
    return {
      module: AppModule,
      imports: [
        DatabaseModule.forRoot({
          url: config.DATABASE_URL,
          poolSize: config.DATABASE_POOL_SIZE,
          applicationName: 'gateway',
          migrations: MIGRATIONS,
          edge: true,
        }),
      ],
      controllers: [DocumentationController, GuideController, SandboxController, ConsoleSiteController, CaptureSiteController],
      providers: [
        { provide: CLOCK, useValue: clock },
        { provide: PUBLIC_API_URL, useValue: config.PUBLIC_API_URL },
        { provide: PLAIN_CALLBACKS, useValue: config.NODE_ENV !== 'production' },
        ...grpcClients('gateway', config, ['ledger', 'content', 'share', 'assets']),
        { provide: TRUSTED_PROXIES, useValue: readTrustedProxies(config.TRUSTED_PROXIES) },
        { provide: ADMISSION_RULES, useValue: admissionRules(config) },
        { provide: RETENTION, useValue: retentionSettings(config) },
        { provide: BACKUP_DAYS, useValue: config.BACKUP_DAYS },
        { provide: KEY_USE_FLUSH_SECONDS, useValue: config.KEY_USE_FLUSH_SECONDS },
        { provide: GUIDE_ROOT, useValue: config.GUIDE_ROOT ?? null },
        { provide: CAPTURE_ROOT, useValue: config.CAPTURE_ROOT ?? null },
        { provide: CARRIERS, useFactory: () => carriersOf(config) },
        { provide: CONSOLE_SETTINGS, useFactory: () => consoleSettings(config) },
        { provide: OPERATION_HANDLERS, inject: [ModuleRef, ...HANDLERS], useFactory: operationHandlers },
        ...EDGE,
        ...HANDLERS,
        ...SERVICES,
      ],
    };
  }
}
