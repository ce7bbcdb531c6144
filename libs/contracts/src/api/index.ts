export * from './literals';
export * from './primitives';
export * from './report';
export * from './content';
export * from './requests';
