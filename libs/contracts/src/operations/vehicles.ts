import {
  CreatedVehicleLink,
  CreateVehicleLinkRequest,
  JudgeTireRequest,
  MergeVehiclesRequest,
  SplitVehicleRequest,
  VehicleLink,
  VehicleLinkList,
  VehicleList,
  VehiclePassport,
} from '../console/vehicles';
import type { Operation } from './operation';
import { PAGE, shortText } from './parameters';
import { PROJECT, PROJECT_VEHICLE, VEHICLE_LINKS } from './paths';

const PASSPORT = [{ status: 200, schema: VehiclePassport }] as const;

export const VEHICLE_OPERATIONS = {
  listVehicles: {
    method: 'get',
    console: { path: `${PROJECT}/vehicles`, access: 'reports.read' },
    summary: 'The vehicles of the project.',
    description: 'The newest first. With `search` those of which a plate, a VIN or an own id begins with it, in the order of these.',
    query: {
      ...PAGE,
      search: shortText().optional().meta({ description: 'Spaces, hyphens, full-width digits and the case of letters do not count.' }),
    },
    responses: [{ status: 200, schema: VehicleList }],
    errors: ['validation_error'],
  },
  getVehiclePassport: {
    method: 'get',
    console: { path: PROJECT_VEHICLE, access: 'reports.read' },
    summary: 'One vehicle: its inspections, its wear, and what members changed.',
    responses: PASSPORT,
  },
  mergeVehicles: {
    method: 'post',
    console: { path: `${PROJECT_VEHICLE}/merge`, access: 'reports.write' },
    summary: 'Say that another vehicle is this one.',
    description: '409 conflict: one of them was merged already, or 20 vehicles were.',
    body: { schema: MergeVehiclesRequest },
    responses: PASSPORT,
    errors: ['conflict'],
  },
  splitVehicle: {
    method: 'post',
    console: { path: `${PROJECT_VEHICLE}/split`, access: 'reports.write' },
    summary: 'Say since when a plate belongs to another vehicle.',
    description: 'A new vehicle gets the plate, and the reports that were attached by it since then.',
    body: { schema: SplitVehicleRequest },
    responses: PASSPORT,
    errors: ['conflict'],
  },
  undoVehicleChange: {
    method: 'post',
    console: { path: `${PROJECT_VEHICLE}/changes/{change_id}/undo`, access: 'reports.write' },
    summary: 'Undo a merge or a split.',
    description: '409 conflict: it was undone, or the vehicles were merged otherwise since then.',
    responses: PASSPORT,
    errors: ['conflict'],
  },
  judgeTire: {
    method: 'post',
    console: { path: `${PROJECT_VEHICLE}/tires`, access: 'reports.write' },
    summary: 'Say why the depth of a tire rose: it was replaced, it changed its place, or neither.',
    body: { schema: JudgeTireRequest },
    responses: PASSPORT,
  },
  listVehicleLinks: {
    method: 'get',
    console: { path: VEHICLE_LINKS, access: 'reports.read' },
    summary: 'The links to the public page of the vehicle.',
    description: 'Newest first. A link that ended long ago is left out.',
    responses: [{ status: 200, schema: VehicleLinkList }],
  },
  createVehicleLink: {
    method: 'post',
    console: { path: VEHICLE_LINKS, access: 'reports.publish' },
    summary: 'Make a link to a public page of the vehicle.',
    description:
      'Only this response contains the address. The page shows published inspections only, and follows merges, splits and discarded reports. ' +
      '409 conflict: ten links of the vehicle are open.',
    body: { schema: CreateVehicleLinkRequest },
    responses: [{ status: 201, schema: CreatedVehicleLink }],
    errors: ['conflict'],
  },
  revokeVehicleLink: {
    method: 'delete',
    console: { path: `${VEHICLE_LINKS}/{link_id}`, access: 'reports.publish' },
    summary: 'End a link to the page of the vehicle.',
    responses: [{ status: 200, schema: VehicleLink }],
  },
} as const satisfies Record<string, Operation>;
