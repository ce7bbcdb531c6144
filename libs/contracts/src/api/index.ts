export * from './literals';
export { allows, KEY_SCOPES, SCOPES, type Scope } from './scopes';
export { LIMITS } from '../limits';
export { AnalysisStatus, Asset, ContentGenerator, ContentProfile, CreationMode, Template } from './common';
export { Analysis, AnalysisRevisionSnapshot, Report, ReportSlot, SidewallResult, TreadResult, UnseenPart } from './report';
export { Content, ContentSection, ContentTire, RenderData } from './content';
export { AnalyzeRequest, CreateReportRequest, RegisterImagesRequest, UploadTargetsRequest } from './requests';
export * from './responses';
export * from './param';
