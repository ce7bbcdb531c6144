import { useState } from 'react';
import type { useImage } from '../../api/reports';

interface ShownImage {
  /** Undefined: loading or failed. */
  readonly src: string | undefined;
  readonly broken: boolean;
  readonly onLoad: () => void;
  readonly onError: () => void;
  readonly retry: () => void;
}

/** A loaded image stays after its address expires. A failed image is loaded again when the user clicks. */
export function useShownImage({ data, isError, refetch }: ReturnType<typeof useImage>): ShownImage {
  const [loaded, setLoaded] = useState<string>();
  const [refused, setRefused] = useState(false);
  const src = loaded ?? data?.url;
  return {
    src: refused ? undefined : src,
    broken: refused || (isError && !src),
    onLoad: () => setLoaded(src),
    onError: () => setRefused(true),
    retry: () => void refetch().then(() => setRefused(false)),
  };
}
