export * from './permissions';
export * from './streams';
export {
  AnalysisEnded,
  AnalysisFinished,
  CaptureFinished,
  ContentGenerated,
  ImageFetched,
  PublicationChanged,
  type SandboxEffects,
} from '../generated/tire/events/v1/facts';
export { AnalyzeImage, FetchImage } from '../generated/tire/events/v1/work';
export { Manufactured, Quality, SidewallMeasurement, TireSize, TreadMeasurement } from '../generated/tire/events/v1/measurement';
