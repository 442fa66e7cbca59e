import { hashOf } from '../contract/digest.ts';
import type { ChunkChecksum } from '../contract/tus.ts';
import type { uploadEndpoints } from '../contract/upload-endpoints.ts';
import type { Env } from '../env.ts';
import { chunksOf } from '../http/body.ts';
import type { Call } from '../http/call.ts';
import { Problem } from '../http/problem.ts';
import type { CallOf } from '../http/route.ts';
import { ulid } from '../http/ulid.ts';
import type { UploadRef, UploadSession } from '../objects/upload-machine.ts';
import type { NewSession, SessionResult, SessionView } from '../objects/upload-sessions.ts';
import { appendChunk } from './chunk-writer.ts';
import { discardBytes, newObjectKey } from './file-writer.ts';
import { modelIdOf, modelNotFound, registryOf } from './registry-stub.ts';
import { uploadVersionOf } from './upload-version.ts';
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

/** POST /models/{id}/uploads: begins an upload, with its first bytes or without. */
export function createUpload(call: Creation): Promise<Response> {
  return carriedOut(call, create(call));
}

/** PATCH /models/{id}/uploads/{upload}: adds bytes. */
export function continueUpload(call: UploadCall): Promise<Response> {
  return carriedOut(call, append(call));
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

/** One who hangs up cancels his request, but what has arrived of it still has to be kept. */
function carriedOut({ ctx }: Pick<Call<Env>, 'ctx'>, work: Promise<Response>): Promise<Response> {
  ctx.waitUntil(work.catch(() => {}));
  return work;
}

async function create(call: Creation): Promise<Response> {
  const { env, prefix, request } = call;
  const { headers } = request;
  requireTus(headers);
  const hasBytes = headers.has('content-type');
  if (hasBytes) requireChunkType(headers);
  const lengthBytes = uploadLengthOf(headers);
  const metadata = headers.get('upload-metadata') ?? '';
  const claim = claimOf(metadata);
  const { filename, digest = null } = claim;
  const checksum = checksumOf(headers);
  const modelId = modelIdOf(call);
  const version = await uploadVersionOf(env, modelId, claim);
  await refuseOther(env, { modelId, version, filename, digest });
  const session = await begin(env, {
    modelId,
    version,
    filename,
    claimedDigest: digest,
    metadata,
    lengthBytes,
  });
  const view =
    hasBytes || lengthBytes === 0
      ? await appendFirst(call, session, checksum)
      : { session, file: undefined };
  const answer = headersOf(call, view);
  answer.set('location', `${prefix}/models/${modelId}/uploads/${session.id}`);
  return new Response(null, { status: 201, headers: answer });
}

async function begin(
  env: Env,
  upload: Omit<NewSession, 'id' | 'objectKey' | 'multipartId'>,
): Promise<UploadSession> {
  const objectKey = newObjectKey();
  const { uploadId: multipartId } = await env.FILES.createMultipartUpload(objectKey);
  try {
    const id = `upload_${ulid()}`;
    return await registryOf(env).beginSession({ ...upload, id, objectKey, multipartId });
  } catch (error) {
    await discardBytes(env.FILES, { objectKey, multipartId });
    throw error;
  }
}

async function appendBody(
  { env, request }: Pick<Call<Env>, 'env' | 'request'>,
  session: UploadSession,
  checksum: ChunkChecksum | undefined,
): Promise<SessionView> {
  const chunk = { content: chunksOf(request.body), checksum };
  const target = { bucket: env.FILES, registry: registryOf(env) };
  return viewOf(await appendChunk(session, chunk, target), session);
}

/** Nobody knows yet where this upload is, so it can only end together with its version. */
async function appendFirst(...args: Parameters<typeof appendBody>): Promise<SessionView> {
  const [, { modelId, version }] = args;
  try {
    return await appendBody(...args);
  } catch (error) {
    const isEnded =
      error instanceof Problem &&
      (error.code === 'upload_not_found' || error.code === 'offset_mismatch');
    throw isEnded ? modelNotFound(modelId, version) : error;
  }
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

async function append(call: UploadCall): Promise<Response> {
  const { env, request } = call;
  requireTus(request.headers);
  requireChunkType(request.headers);
  const offset = uploadOffsetOf(request.headers);
  const checksum = checksumOf(request.headers);
  const ref = refOf(call);
  const opened = viewOf(await registryOf(env).openSession(ref, offset), ref);
  const view = opened.file ? opened : await appendBody(call, opened.session, checksum);
  return new Response(null, { status: 204, headers: headersOf(call, view) });
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
