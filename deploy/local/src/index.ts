export { PartnerClient, upload } from './client';
export { receiveCallbacks, serveImages, type ReceivedCallback } from './listeners';
export { sampleImages, slotOfSample } from './samples';
export { REPOSITORY_ROOT, type StackFile } from './stack-file';
