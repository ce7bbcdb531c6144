import { randomUUID } from 'node:crypto';
import type { Api, Answer } from './api';
import { sound } from './calls';
import type { Operation } from './operations';
import { freshTargets, uploadImages, tread } from '../reports/reports';
import { apiOf } from '../world';

/** A complete report with its content. */
export interface Ready {
  readonly report: string;
  readonly contentRevision: string;
  readonly etag: string;
}

type Way = (api: Api, ready: Ready) => Promise<Answer<Operation>>;

/** The port is refused at the fetch, without a request. */
const UNREACHABLE_IMAGE = { ...tread('front_left'), source: { url: 'https://192.0.43.8:8443/a.jpg' } };

const newReport = async (api: Api): Promise<string> => (await api.create({ template: 'tire_4t_0s' })).done.report_id;

/** A valid request on a new report. */
const toNew =
  (operation: Operation): Way =>
  async (api) =>
    api.call(operation, sound(operation, await newReport(api)));

const read =
  (operation: 'getContent' | 'getContentRevision', conditional = false): Way =>
  (api, { etag, ...ready }) =>
    api.call(operation, { ...ready, headers: conditional ? { 'if-none-match': etag } : {} });

async function register(api: Api): Promise<Answer<'registerImages'>> {
  const report = await newReport(api);
  return uploadImages(api, report, await freshTargets(api, report, [tread('front_left')]));
}

/** How to provoke each successful response, by its status. */
export const SUCCESSES: Record<Operation, Readonly<Record<number, Way>>> = {
  createReport: {
    201: (api) => api.create({ template: 'tire_4t_0s' }, { 'idempotency-key': randomUUID() }),
    202: (api) => api.create({ images: [UNREACHABLE_IMAGE] }),
  },
  listReports: { 200: (api) => api.call('listReports', { query: 'limit=3' }) },
  getVehicle: {
    200: async (api) => {
      const vehicle = randomUUID();
      void (await api.create({ template: 'tire_4t_0s', external_vehicle_id: vehicle })).done;
      return api.call('getVehicle', { vehicle });
    },
  },
  getReport: { 200: toNew('getReport') },
  getContent: { 200: read('getContent'), 202: toNew('getContent'), 304: read('getContent', true) },
  getContentRevision: { 200: read('getContentRevision'), 304: read('getContentRevision', true) },
  createUploadTargets: { 201: toNew('createUploadTargets') },
  registerImages: { 202: register },
  analyzeSlots: { 202: async (api) => api.call('analyzeSlots', { report: await newReport(api) }) },
  publishReport: { 200: (api, { report }) => api.call('publishReport', { report }) },
  getShare: { 200: toNew('getShare') },
  reissueShare: { 201: toNew('reissueShare') },
  revokeShare: { 200: toNew('revokeShare') },
  discardReport: { 200: toNew('discardReport') },
  issueCapture: { 201: toNew('issueCapture') },
  revokeCapture: {
    200: async (api) => {
      const { report_id: report } = (await api.create({ template: 'tire_4t_0s', capture: {} })).done;
      return api.call('revokeCapture', { report });
    },
  },
  replayCallbacks: { 202: (api) => api.call('replayCallbacks', sound('replayCallbacks')) },
  // Only test projects can be listened to.
  listenToCallbacks: { 200: () => apiOf('test').call('listenToCallbacks') },
  tailRequests: { 200: (api) => api.call('tailRequests') },
};
