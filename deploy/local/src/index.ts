export { PartnerClient, upload } from './client';
export { receiveCallbacks, serveImages } from './listeners';
export { measuredImages } from './measured-images';
export { sampleImages, type Sample } from './samples';
export { REPOSITORY_ROOT, type StackFile } from './stack-file';
