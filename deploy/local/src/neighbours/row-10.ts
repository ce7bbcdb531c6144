import { waitingImages } from './waiting-images';

export const row = waitingImages(10, 1, 2);
