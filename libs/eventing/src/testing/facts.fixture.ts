import type { ImageFetched } from '@tire/contracts/events';
import { newId } from '@tire/kernel';

export const imageFetched = (projectId: string): ImageFetched => ({
  projectId,
  reportId: newId(),
  slotId: 'tire.tread.front_left',
  assetId: newId(),
  analysisId: newId(),
  errorCode: '',
});
