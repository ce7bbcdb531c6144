export interface ByteRange {
  readonly start: number;
  /** Inclusive. */
  readonly end: number;
}

const ONE_RANGE = /^bytes=(\d*)-(\d*)$/;

/** A single range of RFC 9110. Several ranges, other units and malformed headers are ignored, as the RFC allows. */
export function byteRange(header: string | undefined, sizeBytes: number): ByteRange | 'whole' | 'unsatisfiable' {
  const [, first = '', last = ''] = (header && ONE_RANGE.exec(header)) || [];
  if (first === '' && last === '') return 'whole';
  if (first === '') {
    const start = Math.max(0, sizeBytes - Number(last));
    return start < sizeBytes ? { start, end: sizeBytes - 1 } : 'unsatisfiable';
  }
  if (last !== '' && Number(last) < Number(first)) return 'whole';
  if (Number(first) >= sizeBytes) return 'unsatisfiable';
  return { start: Number(first), end: last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1) };
}
