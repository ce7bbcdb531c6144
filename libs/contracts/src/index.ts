export * from './events';
export * from './grpc';
export * from './api';
export { EVERY_ENDPOINT_ERRORS, openapiJson } from './openapi/document';
export { ENDPOINTS, type Endpoint } from './openapi/endpoints';
export * as ledgerApi from './generated/tire/ledger/v1/ledger';
export * as assetsApi from './generated/tire/assets/v1/assets';
export * as inferenceApi from './generated/tire/inference/v1/inference';
export * as contentApi from './generated/tire/content/v1/content';
export * as shareApi from './generated/tire/share/v1/share';
export {
  AnalysisEnded,
  AnalysisFinished,
  ContentGenerated,
  ImageFetched,
  PublicationChanged,
  ReportCreated,
} from './generated/tire/events/v1/facts';
export { AnalyzeImage, FetchImage } from './generated/tire/events/v1/work';
export { Quality, SidewallMeasurement, TireSize, TreadMeasurement } from './generated/tire/events/v1/measurement';
