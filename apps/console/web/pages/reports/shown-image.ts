import { useState } from 'react';
import type { useImage } from '../../api/reports';

interface ShownImage {
  /** Undefined: on its way, or broken. */
  readonly src: string | undefined;
  readonly broken: boolean;
  readonly onLoad: () => void;
  readonly onError: () => void;
  readonly retry: () => void;
}

/** A photograph that was loaded stays, whatever its address is by now; one that was not is tried again when somebody says so. */
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
