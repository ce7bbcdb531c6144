export * from './api';
export * from './console';
export * from './events';
export * from './grpc';
export * from './openapi';
export * from './operations';
