export const REPORT = '/reports/{report_id}';
export const VEHICLE = '/vehicles/{external_vehicle_id}';
export const ORGANIZATION = '/organizations/{organization_id}';
export const PROJECT = '/projects/{project_id}';
export const BRANCH = `${PROJECT}/branches/{branch_id}` as const;
export const PROJECT_VEHICLE = `${PROJECT}/vehicles/{vehicle_id}` as const;
export const VEHICLE_LINKS = `${PROJECT_VEHICLE}/links` as const;
export const PROJECT_REPORT = `${PROJECT}${REPORT}` as const;
