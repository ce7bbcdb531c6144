export { type Manifest, ofKind, workloads } from './manifests';
export { CHART } from './paths';
export { partsOf, QUERIES } from './queries';
export { blocksWith } from './readme-commands';
export { notes, render } from './render';
export { merged, REQUIRED } from './value-sets';
