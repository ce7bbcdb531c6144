/** refused: the person or the browser says no. missing: there is no camera, or a browser without the interface. */
export type CameraFault = 'refused' | 'missing';

export class NoCamera extends Error {
  constructor(readonly fault: CameraFault) {
    super(fault);
  }
}

/** As much as is sent, in the shape of a phone's sensor. Every camera of the last ten years has it as a video. */
const WANTED: MediaTrackConstraints = { facingMode: { ideal: 'environment' }, width: { ideal: 1_920 }, height: { ideal: 1_440 } };

export const hasCameraInterface = (): boolean => 'mediaDevices' in navigator && 'getUserMedia' in navigator.mediaDevices;

export async function openStream(): Promise<MediaStream> {
  if (!hasCameraInterface()) throw new NoCamera('missing');
  try {
    return await navigator.mediaDevices.getUserMedia({ video: WANTED, audio: false });
  } catch (error) {
    throw new NoCamera(error instanceof DOMException && error.name === 'NotAllowedError' ? 'refused' : 'missing');
  }
}

/** Not in the types of TypeScript, because only some browsers have a torch. */
interface WithTorch {
  readonly torch?: boolean;
}

export function hasTorch(stream: MediaStream): boolean {
  const [track] = stream.getVideoTracks();
  // Older browsers do not tell what a camera can do.
  return track !== undefined && 'getCapabilities' in track && (track.getCapabilities() as WithTorch).torch === true;
}

export async function switchTorch(stream: MediaStream, isOn: boolean): Promise<void> {
  const constraints: MediaTrackConstraintSet & WithTorch = { torch: isOn };
  await stream.getVideoTracks()[0]?.applyConstraints({ advanced: [constraints] });
}

export const close = (stream: MediaStream): void => stream.getTracks().forEach((track) => track.stop());
