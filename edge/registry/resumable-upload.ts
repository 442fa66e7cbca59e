import { hashOf } from '../contract/digest.ts';
import { MAX_UPLOAD_BYTES } from '../contract/model-file.ts';
import type { uploadEndpoints } from '../contract/upload-endpoints.ts';
import type { Env } from '../env.ts';
import { chunksOf, discardRest } from '../http/body.ts';
import type { Call } from '../http/call.ts';
import { Problem } from '../http/problem.ts';
import type { CallOf } from '../http/route.ts';
import { ulid } from '../http/ulid.ts';
import type { UploadRef } from '../objects/upload-machine.ts';
import type { SessionResult, SessionView } from '../objects/upload-sessions.ts';
import { appendChunk } from './chunk-writer.ts';
import { discardBytes, newObjectKey } from './file-writer.ts';
import { modelIdOf, modelNotFound, registryOf, versionOf } from './registry-stub.ts';
import {
  checksumOf,
  claimOf,
  requireChunkType,
  requireTus,
  uploadLengthOf,
  uploadOffsetOf,
} from './tus-request.ts';
import { otherBytes } from './upload.ts';

type Endpoints = typeof uploadEndpoints;
type Creation = CallOf<Env, Endpoints['createUpload']>;
type UploadCall = CallOf<Env, Endpoints['continueUpload']>;
type Content = AsyncIterable<Uint8Array>;

/** POST /models/{id}/uploads: begins an upload, with its first bytes or without. */
export function createUpload(call: Creation): Promise<Response> {
  return receive(call, (content) => create(call, content));
}

/** PATCH /models/{id}/uploads/{upload}: adds bytes. */
export function continueUpload(call: UploadCall): Promise<Response> {
  return receive(call, (content) => append(call, content));
}

/** HEAD /models/{id}/uploads/{upload}: how far it has come. */
export async function showUpload(call: UploadCall): Promise<Response> {
  requireTus(call.request.headers);
  const ref = refOf(call);
  const view = viewOf(await registryOf(call.env).showSession(ref), ref);
  const headers = headersOf(call, view);
  headers.set('upload-length', String(view.session.lengthBytes));
  headers.set('upload-metadata', view.session.metadata);
  return new Response(null, { headers });
}

/** DELETE /models/{id}/uploads/{upload}: gives it up. A file that came of it already stays. */
export async function endUpload(call: UploadCall): Promise<Response> {
  requireTus(call.request.headers);
  const ref = refOf(call);
  if (!(await registryOf(call.env).endSession(ref))) throw uploadNotFound(ref);
  return new Response(null, { status: 204 });
}

/**
 * Answers a request whose body matters. One who hangs up cancels it, but what has arrived still has
 * to be kept; and one who is refused reads the answer only after having sent everything.
 */
async function receive(
  { request, ctx }: Pick<Call<Env>, 'request' | 'ctx'>,
  answer: (content: Content) => Promise<Response>,
): Promise<Response> {
  const content = chunksOf(request.body);
  const work = answer(content).catch(async (error: unknown) => {
    const isRefusal = error instanceof Problem && error.code !== 'payload_too_large';
    if (isRefusal) await discardRest(content, MAX_UPLOAD_BYTES).catch(() => {});
    throw error;
  });
  ctx.waitUntil(work.catch(() => {}));
  return work;
}

async function create(call: Creation, content: Content): Promise<Response> {
  const { env, prefix, request } = call;
  const { headers } = request;
  requireTus(headers);
  const hasBytes = headers.has('content-type');
  if (hasBytes) requireChunkType(headers);
  const lengthBytes = uploadLengthOf(headers);
  const metadata = headers.get('upload-metadata') ?? '';
  const { filename, version, digest = null } = claimOf(metadata);
  const checksum = checksumOf(headers);
  const modelId = modelIdOf(call);
  await versionOf(env, modelId, { version });
  await refuseOther(env, { modelId, version, filename, digest });
  const objectKey = newObjectKey();
  const { uploadId: multipartId } = await env.FILES.createMultipartUpload(objectKey);
  const registry = registryOf(env);
  const ref: UploadRef = { modelId, id: `upload_${ulid()}` };
  const begun = await registry
    .beginSession({
      ...ref,
      version,
      filename,
      claimedDigest: digest,
      metadata,
      lengthBytes,
      objectKey,
      multipartId,
    })
    .catch(async (error: unknown) => {
      await discardBytes(env.FILES, { objectKey, multipartId });
      throw error;
    });
  const isEmpty = lengthBytes === 0;
  const result: SessionResult =
    hasBytes || isEmpty
      ? await appendChunk(begun, { content, checksum }, { bucket: env.FILES, registry })
      : { kind: 'session', session: begun, file: undefined };
  const answer = headersOf(call, viewOf(result, ref));
  answer.set('location', `${prefix}/models/${modelId}/uploads/${ref.id}`);
  return new Response(null, { status: 201, headers: answer });
}

/** Before a byte is sent: a name that holds other bytes already cannot be taken. */
async function refuseOther(
  env: Env,
  file: {
    readonly modelId: string;
    readonly version: string;
    readonly filename: string;
    readonly digest: string | null;
  },
): Promise<void> {
  const { modelId, version, filename, digest } = file;
  const found = await registryOf(env).findFile({ modelId, filename, choice: { version } });
  if (found.kind !== 'found' || digest === null || found.stored.file.digest === digest) return;
  throw otherBytes(`${modelId} ${version}`, found.stored.file);
}

async function append(call: UploadCall, content: Content): Promise<Response> {
  const { env, request } = call;
  requireTus(request.headers);
  requireChunkType(request.headers);
  const offset = uploadOffsetOf(request.headers);
  const checksum = checksumOf(request.headers);
  const ref = refOf(call);
  const registry = registryOf(env);
  const opened = viewOf(await registry.openSession(ref, offset), ref);
  const result: SessionResult = opened.file
    ? { kind: 'session', ...opened }
    : await appendChunk(opened.session, { content, checksum }, { bucket: env.FILES, registry });
  return new Response(null, { status: 204, headers: headersOf(call, viewOf(result, ref)) });
}

const refOf = (call: UploadCall): UploadRef => ({
  modelId: modelIdOf(call),
  id: call.params.upload,
});

const uploadNotFound = ({ modelId, id }: UploadRef) =>
  new Problem(
    'upload_not_found',
    `The model ${modelId} has no upload ${id.slice(0, 64)}, or it has expired.`,
  );

/** An upload that goes on. @throws Problem for every other result */
function viewOf(result: SessionResult, ref: UploadRef): SessionView {
  switch (result.kind) {
    case 'session':
      return result;
    case 'moved':
      throw new Problem(
        'offset_mismatch',
        `The upload goes on at byte ${result.offset}: HEAD tells where.`,
        { headers: { 'upload-offset': String(result.offset) } },
      );
    case 'fenced':
      throw new Problem('offset_mismatch', `Another request goes on with the upload ${ref.id}.`);
    case 'gone':
      throw uploadNotFound(ref);
    case 'immutable':
      throw otherBytes(ref.modelId, result.file);
    case 'wrong-digest':
      throw new Problem(
        'checksum_mismatch',
        `The file is refused: expected ${result.expected}, but its bytes have ${result.digest}.`,
        { members: { retryable: false } },
      );
    case 'no-version':
      throw modelNotFound(ref.modelId, undefined);
  }
}

/** How far an upload has come, until when it waits, and the file that came of it. */
function headersOf({ prefix }: Pick<Call<Env>, 'prefix'>, { session, file }: SessionView): Headers {
  const headers = new Headers({
    'upload-offset': String(session.offset),
    'upload-expires': new Date(session.expiresAt).toUTCString(),
    'cache-control': 'no-store',
  });
  if (file) {
    const place = `${prefix}/models/${session.modelId}/download/${file.filename}`;
    headers.set('content-location', `${place}?version=${encodeURIComponent(session.version)}`);
    const hash = btoa(String.fromCharCode(...hashOf(file.digest)));
    headers.set('repr-digest', `sha-256=:${hash}:`);
  }
  return headers;
}
