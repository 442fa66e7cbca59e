import { hashOf } from '../contract/digest.ts';
import { etagOf, Filename, type FileRecord } from '../contract/model-file.ts';
import type { registryEndpoints } from '../contract/registry-endpoints.ts';
import type { Env } from '../env.ts';
import { isRangeCurrent, preconditionOf } from '../http/conditional.ts';
import { Problem } from '../http/problem.ts';
import { type ByteRange, rangeOf } from '../http/range.ts';
import type { CallOf } from '../http/route.ts';
import type { StoredFile } from '../objects/registry-store.ts';
import { choiceNotFound, modelIdOf, registryOf } from './registry-stub.ts';

type Download = CallOf<Env, (typeof registryEndpoints)['downloadFile']>;

/** GET and HEAD /models/{id}/download/{filename}: the bytes of a file, whole or a range of them. */
export async function downloadFile(call: Download): Promise<Response> {
  const { headers: asked, method } = call.request;
  const { stored, headers } = await find(call);
  const { file } = stored;
  const etag = etagOf(file.digest);
  const precondition = preconditionOf(asked, etag);
  if (precondition === 'failed') {
    throw new Problem('precondition_failed', `The file has the ETag ${etag}.`);
  }
  if (precondition === 'not-modified') return new Response(null, { status: 304, headers });
  headers.set('content-type', file.content_type);
  const range = rangeOf(isRangeCurrent(asked, etag) ? asked.get('range') : null, file.size_bytes);
  // RFC 9110, section 14.2: a range means something to GET only.
  if (method === 'HEAD' || range.kind === 'whole') return wholeFile(call, stored, headers);
  if (range.kind === 'part') return partOfFile(call.env, stored, { range: range.range, headers });
  throw new Problem(
    'range_not_satisfiable',
    `The range ${asked.get('range')} lies outside of the file's ${file.size_bytes} bytes.`,
    { headers: { 'content-range': `bytes */${file.size_bytes}` } },
  );
}

interface Found {
  readonly stored: StoredFile;
  readonly headers: Headers;
}

async function find(call: Download): Promise<Found> {
  const choice = call.query;
  const modelId = modelIdOf(call);
  const filename = fileNameIn(call);
  const found = await registryOf(call.env).findFile({ modelId, choice, filename });
  if (found.kind === 'no-file') {
    throw fileNotFound(`${modelId} ${found.version} has no file ${filename}.`);
  }
  if (found.kind !== 'found') throw choiceNotFound(modelId, choice, found.kind);
  const headers = fileHeaders(
    found.stored.file,
    choice.version === undefined ? 'moving' : 'pinned',
  );
  const place = `${call.prefix}/models/${modelId}/download/${filename}`;
  headers.set('content-location', `${place}?version=${encodeURIComponent(found.version)}`);
  return { stored: found.stored, headers };
}

/** The name in the path. One that no file can have is answered like one that no file has. */
function fileNameIn({ params }: Download): Filename {
  const name = params.filename;
  const parsed = Filename.safeParse(name);
  if (parsed.success) return parsed.data;
  throw fileNotFound(
    `There is no file ${JSON.stringify(name)}: ${parsed.error.issues[0]?.message}.`,
  );
}

const fileNotFound = (detail: string) => new Problem('file_not_found', detail);

/** Which version an address without one means changes with every release; a file never does. */
function fileHeaders({ digest, filename }: FileRecord, address: 'pinned' | 'moving'): Headers {
  return new Headers({
    etag: etagOf(digest),
    'repr-digest': `sha-256=:${btoa(String.fromCharCode(...hashOf(digest)))}:`,
    'accept-ranges': 'bytes',
    'cache-control': address === 'pinned' ? 'max-age=31536000, immutable' : 'no-cache',
    'content-disposition': `attachment; filename="${filename}"`,
    'content-security-policy': "default-src 'none'; sandbox",
  });
}

async function wholeFile(
  { env, request }: Download,
  { file, objectKey }: StoredFile,
  headers: Headers,
): Promise<Response> {
  headers.set('content-length', String(file.size_bytes));
  if (request.method === 'HEAD' || file.size_bytes === 0) return new Response(null, { headers });
  return new Response(bodyOf(await env.FILES.get(objectKey), objectKey), { headers });
}

async function partOfFile(
  env: Env,
  { file, objectKey }: StoredFile,
  { range: { from, to }, headers }: { readonly range: ByteRange; readonly headers: Headers },
): Promise<Response> {
  const length = to - from + 1;
  headers.set('content-range', `bytes ${from}-${to}/${file.size_bytes}`);
  headers.set('content-length', String(length));
  const object = await env.FILES.get(objectKey, { range: { offset: from, length } });
  return new Response(bodyOf(object, objectKey), { status: 206, headers });
}

function bodyOf(object: R2ObjectBody | null, objectKey: string): ReadableStream {
  if (object) return object.body;
  throw new Error(`the registry lists ${objectKey}, but the bucket does not have it`);
}
