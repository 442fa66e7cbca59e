import { type Digest, hashOf } from '../contract/digest.ts';
import { etagOf } from '../registry/contract/model-file.ts';
import { isRangeCurrent, preconditionOf } from './conditional.ts';
import { Problem } from './problem.ts';
import { type ByteRange, rangeOf } from './range.ts';

/** Bytes that never change, and how to read them. */
interface ServedFile {
  readonly filename: string;
  readonly digest: Digest;
  readonly sizeBytes: number;
  readonly contentType: string;
  /** Such as `no-cache`, where the address may come to mean other bytes. */
  readonly cacheControl: string;
  /** All of them, or a range. It is not asked for no bytes at all. */
  readonly read: (range?: ByteRange) => ReadableStream | Promise<ReadableStream>;
}

/** Caching of immutable content with access control: private caches only. */
export const IMMUTABLE = 'private, max-age=31536000, immutable';

/**
 * The answer to GET and HEAD for a file: the whole, a range of it, or that it has not changed.
 *
 * @throws Problem precondition_failed or range_not_satisfiable
 */
export async function fileResponse(request: Request, file: ServedFile): Promise<Response> {
  const { headers: asked, method } = request;
  const { digest, sizeBytes } = file;
  const etag = etagOf(digest);
  const precondition = preconditionOf(asked, etag);
  if (precondition === 'failed') {
    throw new Problem('precondition_failed', `The file has the ETag ${etag}.`);
  }
  if (precondition === 'not-modified') {
    return new Response(null, { status: 304, headers: headersOf(file) });
  }
  const range = rangeOf(isRangeCurrent(asked, etag) ? asked.get('range') : null, sizeBytes);
  // RFC 9110, section 14.2: a range means something to GET only.
  if (method === 'HEAD' || range.kind === 'whole') return wholeFile(request, file);
  if (range.kind === 'part') return partOfFile(file, range.range);
  throw new Problem(
    'range_not_satisfiable',
    `The range ${asked.get('range')} lies outside of the file's ${sizeBytes} bytes.`,
    { headers: { 'content-range': `bytes */${sizeBytes}` } },
  );
}

/** All bytes of a file, or its headers alone. */
export async function wholeFile({ method }: Request, file: ServedFile): Promise<Response> {
  const { contentType, sizeBytes, read } = file;
  const headers = headersOf(file);
  headers.set('content-type', contentType);
  headers.set('content-length', String(sizeBytes));
  if (method === 'HEAD' || sizeBytes === 0) return new Response(null, { headers });
  return new Response(await read(), { headers });
}

async function partOfFile(file: ServedFile, range: ByteRange): Promise<Response> {
  const headers = headersOf(file);
  headers.set('content-type', file.contentType);
  headers.set('content-range', `bytes ${range.from}-${range.to}/${file.sizeBytes}`);
  headers.set('content-length', String(range.to - range.from + 1));
  return new Response(await file.read(range), { status: 206, headers });
}

const headersOf = ({ filename, digest, cacheControl }: ServedFile) =>
  new Headers({
    etag: etagOf(digest),
    'repr-digest': `sha-256=:${btoa(String.fromCharCode(...hashOf(digest)))}:`,
    'accept-ranges': 'bytes',
    'cache-control': cacheControl,
    'content-disposition': `attachment; filename="${filename}"`,
    'content-security-policy': "default-src 'none'; sandbox",
  });
