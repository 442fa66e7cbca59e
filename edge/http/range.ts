/** The bytes `from` to `to`, both included. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

type RangeAnswer =
  | { readonly kind: 'whole' }
  | { readonly kind: 'part'; readonly range: ByteRange }
  | { readonly kind: 'unsatisfiable' };

const WHOLE: RangeAnswer = { kind: 'whole' };

/**
 * The range of a file to send (RFC 9110, section 14): one range, the whole file, or nothing. Several
 * ranges, other units and broken headers are answered with the whole file, as the RFC allows.
 */
export function rangeOf(header: string | null, sizeBytes: number): RangeAnswer {
  const [, first = '', last = ''] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header ?? '') ?? [];
  if (first === '') return last === '' ? WHOLE : suffixOf(Number(last), sizeBytes);
  const from = Number(first);
  const to = last === '' ? Infinity : Number(last);
  if (to < from) return WHOLE;
  if (from >= sizeBytes) return { kind: 'unsatisfiable' };
  return { kind: 'part', range: { from, to: Math.min(to, sizeBytes - 1) } };
}

function suffixOf(length: number, sizeBytes: number): RangeAnswer {
  if (length === 0 || sizeBytes === 0) return { kind: 'unsatisfiable' };
  return { kind: 'part', range: { from: Math.max(0, sizeBytes - length), to: sizeBytes - 1 } };
}
