type Precondition = 'proceed' | 'not-modified' | 'failed';

/** Evaluates If-Match and If-None-Match of a read (RFC 9110, section 13.2.2) for a strong ETag. */
export function preconditionOf(headers: Headers, etag: string): Precondition {
  const ifMatch = headers.get('if-match');
  if (ifMatch !== null && !lists(ifMatch, etag, 'strong')) return 'failed';
  const ifNoneMatch = headers.get('if-none-match');
  return ifNoneMatch !== null && lists(ifNoneMatch, etag, 'weak') ? 'not-modified' : 'proceed';
}

/** A range holds for the version If-Range names; a date never names one strongly enough. */
export function isRangeCurrent(headers: Headers, etag: string): boolean {
  const ifRange = headers.get('if-range');
  return ifRange === null || ifRange.trim() === etag;
}

function lists(header: string, etag: string, comparison: 'strong' | 'weak'): boolean {
  if (header.trim() === '*') return true;
  const tags = header.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return tags.some((tag) => tag === etag || (comparison === 'weak' && tag === `W/${etag}`));
}
