import { waitingImages } from './waiting-images';

export const row = waitingImages(11, 10, 3);
