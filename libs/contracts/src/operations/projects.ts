import {
  ChangeLogoRequest,
  ChangePartnerRequest,
  CreateProjectRequest,
  Partner,
  Project,
  ProjectList,
  RenameRequest,
  TrainingUse,
} from '../console/organization';
import type { Operation } from './operation';
import { ORGANIZATION, PROJECT } from './paths';

export const PROJECT_OPERATIONS = {
  listProjects: {
    method: 'get',
    console: { path: `${ORGANIZATION}/projects`, access: 'reports.read' },
    summary: 'The projects of the organization.',
    responses: [{ status: 200, schema: ProjectList }],
  },
  createProject: {
    method: 'post',
    console: { path: `${ORGANIZATION}/projects`, access: 'projects.manage' },
    summary: 'Create a project.',
    description: '409 conflict: there is a test project already.',
    body: { schema: CreateProjectRequest },
    responses: [{ status: 201, schema: Project }],
    errors: ['conflict'],
  },
  getProject: {
    method: 'get',
    console: { path: PROJECT, access: 'reports.read' },
    summary: 'One project.',
    responses: [{ status: 200, schema: Project }],
  },
  renameProject: {
    method: 'patch',
    console: { path: PROJECT, access: 'projects.manage' },
    summary: 'Rename a project.',
    body: { schema: RenameRequest },
    responses: [{ status: 200, schema: Project }],
  },
  getPartner: {
    method: 'get',
    console: { path: `${PROJECT}/partner`, access: 'projects.read' },
    summary: 'What share pages and PDFs of the project show of the partner.',
    responses: [{ status: 200, schema: Partner }],
  },
  changePartner: {
    method: 'patch',
    console: { path: `${PROJECT}/partner`, access: 'projects.manage' },
    summary: 'Change the name and the phone number on share pages and PDFs, also of reports that were shared before.',
    body: { schema: ChangePartnerRequest },
    responses: [{ status: 200, schema: Partner }],
  },
  getTrainingUse: {
    method: 'get',
    console: { path: `${PROJECT}/training-use`, access: 'projects.read' },
    summary: 'Whether gauge values of the project may train models.',
    responses: [{ status: 200, schema: TrainingUse }],
  },
  changeTrainingUse: {
    method: 'patch',
    console: { path: `${PROJECT}/training-use`, access: 'projects.manage' },
    summary: 'Allow or forbid the use of gauge values, with their photographs, to calibrate and train models.',
    body: { schema: TrainingUse },
    responses: [{ status: 200, schema: TrainingUse }],
  },
  changeLogo: {
    method: 'post',
    console: { path: `${PROJECT}/partner/logo`, access: 'projects.manage' },
    summary: 'Set the logo on share pages and PDFs.',
    body: { schema: ChangeLogoRequest, bytesMax: 768 * 1024 },
    responses: [{ status: 200, schema: Partner }],
  },
  removeLogo: {
    method: 'delete',
    console: { path: `${PROJECT}/partner/logo`, access: 'projects.manage' },
    summary: 'Remove the logo from share pages and PDFs. Repeatable.',
    responses: [{ status: 204 }],
  },
} as const satisfies Record<string, Operation>;
