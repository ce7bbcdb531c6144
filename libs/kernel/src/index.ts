export * from './errors';
export * from './ids';
export * from './slots';
export * from './clock';
export * from './literals';
export * from './png-chunks';
export * from './retake';
export * from './orientation';
