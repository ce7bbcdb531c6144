import { API_OPERATIONS, CONSOLE_OPERATIONS } from './index';

/**
 * The access rules of both APIs, written down a second time on purpose. The routes are made from the table of operations, so no other test
 * detects a wrong scope or permission in a row.
 */
const API: Record<string, string> = {
  createReport: 'POST /reports: report:write',
  listReports: 'GET /reports: report:read',
  getVehicle: 'GET /vehicles/{external_vehicle_id}: report:read',
  getReport: 'GET /reports/{report_id}: report:read',
  discardReport: 'DELETE /reports/{report_id}: report:discard',
  getContent: 'GET /reports/{report_id}/content: report:read',
  getContentRevision: 'GET /reports/{report_id}/content/{content_revision}: report:read',
  createUploadTargets: 'POST /reports/{report_id}/upload-targets: report:write',
  registerImages: 'POST /reports/{report_id}/images: report:write',
  analyzeSlots: 'POST /reports/{report_id}/analyze: report:write',
  publishReport: 'POST /reports/{report_id}/publish: report:publish',
  getShare: 'GET /reports/{report_id}/share: report:read',
  reissueShare: 'POST /reports/{report_id}/share: report:publish',
  revokeShare: 'DELETE /reports/{report_id}/share: report:publish',
  replayCallbacks: 'POST /webhooks/replay: report:write',
  listenToCallbacks: 'GET /callbacks: report:read',
  tailRequests: 'GET /requests: report:*',
  issueCapture: 'POST /reports/{report_id}/capture-link: report:write',
  revokeCapture: 'DELETE /reports/{report_id}/capture-link: report:write',
};

const CONSOLE: Record<string, string> = {
  discardReport: 'DELETE /projects/{project_id}/reports/{report_id}: reports.discard',
  listConsoleReports: 'GET /projects/{project_id}/reports: reports.read',
  getVehicleHistory: 'GET /projects/{project_id}/vehicle-history: reports.read',
  getReportDetail: 'GET /projects/{project_id}/reports/{report_id}: reports.read',
  listSizeGuesses: 'GET /projects/{project_id}/reports/{report_id}/size-guesses: reports.write',
  confirmSize: 'POST /projects/{project_id}/reports/{report_id}/confirmed-sizes: reports.write',
  getImage: 'GET /projects/{project_id}/reports/{report_id}/images/{asset_id}: reports.read',
  createConsoleReport: 'POST /projects/{project_id}/reports: reports.write',
  createManualReport: 'POST /projects/{project_id}/manual-reports: reports.write',
  getReportContent: 'GET /projects/{project_id}/reports/{report_id}/content: reports.read',
  createUploadTargets: 'POST /projects/{project_id}/reports/{report_id}/upload-targets: reports.write',
  registerImages: 'POST /projects/{project_id}/reports/{report_id}/images: reports.write',
  analyzeSlots: 'POST /projects/{project_id}/reports/{report_id}/analyze: reports.write',
  publishReport: 'POST /projects/{project_id}/reports/{report_id}/publish: reports.publish',
  getShare: 'GET /projects/{project_id}/reports/{report_id}/share: reports.read',
  reissueShare: 'POST /projects/{project_id}/reports/{report_id}/share: reports.publish',
  revokeShare: 'DELETE /projects/{project_id}/reports/{report_id}/share: reports.publish',
  issueCapture: 'POST /projects/{project_id}/reports/{report_id}/capture-link: reports.write',
  revokeCapture: 'DELETE /projects/{project_id}/reports/{report_id}/capture-link: reports.write',
  getCaptureSettings: 'GET /projects/{project_id}/capture-settings: projects.read',
  changeCaptureSettings: 'PATCH /projects/{project_id}/capture-settings: projects.manage',
  signIn: 'POST /session: everyone',
  signInWithCode: 'POST /session/totp: everyone',
  signInWithRecoveryCode: 'POST /session/recovery: everyone',
  getSignInOptions: 'GET /sign-in-options: everyone',
  signInWithOpenId: 'POST /session/openid: everyone',
  openIdCallback: 'GET /session/openid/callback: everyone',
  getSession: 'GET /session: signed_in',
  signOut: 'DELETE /session: signed_in',
  lookUpInvitation: 'POST /invitations/look-up: everyone',
  acceptInvitation: 'POST /invitations/accept: everyone',
  acceptInvitationWithOpenId: 'POST /invitations/openid: everyone',
  listSessions: 'GET /account/sessions: signed_in',
  endSession: 'DELETE /account/sessions/{session_id}: signed_in',
  changeProfile: 'PATCH /account: signed_in',
  changePassword: 'POST /account/password: signed_in',
  beginTotp: 'POST /account/totp: signed_in',
  confirmTotp: 'POST /account/totp/confirm: signed_in',
  renewRecoveryCodes: 'POST /account/recovery-codes: signed_in',
  disableTotp: 'POST /account/totp/disable: signed_in',
  connectOpenId: 'POST /account/openid: signed_in',
  confirmWithOpenId: 'POST /account/openid/confirm: signed_in',
  getOrganization: 'GET /organizations/{organization_id}: reports.read',
  renameOrganization: 'PATCH /organizations/{organization_id}: organization.manage',
  listMembers: 'GET /organizations/{organization_id}/members: members.read',
  changeRole: 'PATCH /organizations/{organization_id}/members/{user_id}: members.manage',
  removeMember: 'DELETE /organizations/{organization_id}/members/{user_id}: signed_in',
  listInvitations: 'GET /organizations/{organization_id}/invitations: members.manage',
  invite: 'POST /organizations/{organization_id}/invitations: members.manage',
  revokeInvitation: 'DELETE /organizations/{organization_id}/invitations/{invitation_id}: members.manage',
  listAuditLog: 'GET /organizations/{organization_id}/audit-log: audit_log.read',
  listProjects: 'GET /organizations/{organization_id}/projects: reports.read',
  createProject: 'POST /organizations/{organization_id}/projects: projects.manage',
  getProject: 'GET /projects/{project_id}: reports.read',
  renameProject: 'PATCH /projects/{project_id}: projects.manage',
  getPartner: 'GET /projects/{project_id}/partner: projects.read',
  changePartner: 'PATCH /projects/{project_id}/partner: projects.manage',
  changeLogo: 'POST /projects/{project_id}/partner/logo: projects.manage',
  removeLogo: 'DELETE /projects/{project_id}/partner/logo: projects.manage',
  listKeys: 'GET /projects/{project_id}/keys: keys.read',
  issueKey: 'POST /projects/{project_id}/keys: keys.manage',
  revokeKey: 'DELETE /projects/{project_id}/keys/{key_id}: keys.manage',
  getWebhookSecret: 'GET /projects/{project_id}/webhook-secret: webhooks.read',
  rotateWebhookSecret: 'POST /projects/{project_id}/webhook-secret: webhooks.manage',
  getWebhookEvents: 'GET /projects/{project_id}/webhook-events: webhooks.read',
  changeWebhookEvents: 'PATCH /projects/{project_id}/webhook-events: webhooks.manage',
  listDeliveries: 'GET /projects/{project_id}/deliveries: webhooks.read',
  getDelivery: 'GET /projects/{project_id}/deliveries/{callback_id}: webhooks.read',
  resendDelivery: 'POST /projects/{project_id}/deliveries/{callback_id}/resend: webhooks.send',
  sendTestDelivery: 'POST /projects/{project_id}/deliveries/test: webhooks.send',
  listRequests: 'GET /projects/{project_id}/requests: request_log.read',
  getUsage: 'GET /projects/{project_id}/usage: usage.read',
  getUsageCsv: 'GET /projects/{project_id}/usage.csv: usage.read',
};

it('every operation of the public API requires its scope', () => {
  expect(
    Object.fromEntries(
      API_OPERATIONS.map(({ operationId, method, path, scope }) => [operationId, `${method.toUpperCase()} ${path}: ${scope}`]),
    ),
  ).toEqual(API);
});

it('every operation of the console API requires its permission', () => {
  expect(
    Object.fromEntries(
      CONSOLE_OPERATIONS.map(({ operationId, method, path, access }) => [operationId, `${method.toUpperCase()} ${path}: ${access}`]),
    ),
  ).toEqual(CONSOLE);
});
