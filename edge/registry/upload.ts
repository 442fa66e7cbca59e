import {
  contentTypeOf,
  etagOf,
  type FileRecord,
  type UploadAnswer,
  type UploadClaim,
} from './contract/model-file.ts';
import type { registryEndpoints } from './endpoints.ts';
import type { ModelId } from './contract/model.ts';
import type { Env } from '../env.ts';
import { chunksOf } from '../http/body.ts';
import { limitsOf, overQuota, teamSeen } from '../http/ownership.ts';
import { Problem } from '../http/problem.ts';
import type { CallOf } from '../http/route.ts';
import type { NewFile } from './machine.ts';
import type { PublishResult } from './changes.ts';
import {
  type Announce,
  newObjectKey,
  writeBytes,
  type WrittenBytes,
} from '../uploads/file-writer.ts';
import { requireUpload } from './model-access.ts';
import { type OpenUpload, openUpload } from '../uploads/upload-body.ts';
import { modelIdOf, modelNotFound, registryOf, versionOf } from './registry-stub.ts';

type Upload = CallOf<Env, (typeof registryEndpoints)['uploadFile']>;

/** POST /models/{id}/upload: 201 for a new file, 200 where its bytes were there already. */
export async function uploadFile(call: Upload): Promise<Response> {
  const work = receive(call);
  // A caller who hangs up cancels the request, but what it wrote still has to be cleared away.
  call.ctx.waitUntil(work.catch(() => {}));
  return work;
}

async function receive(call: Upload): Promise<Response> {
  const upload = openUpload(call.request.headers, call.url);
  const modelId = modelIdOf(call);
  const { version } = upload.query;
  await versionOf(call.env, modelId, { version }, teamSeen(call.caller));
  if (version !== undefined) await requireUpload(call, modelId, version);
  return store(call, modelId, { upload, content: chunksOf(call.request.body) });
}

interface Incoming {
  readonly upload: OpenUpload;
  readonly content: AsyncIterable<Uint8Array>;
}

/** Writes the bytes under a key of their own and publishes them; what is not published is deleted. */
async function store(
  call: Upload,
  modelId: ModelId,
  { upload, content }: Incoming,
): Promise<Response> {
  const { env, prefix, caller } = call;
  const registry = registryOf(env);
  const quota = { quota: 'model_bytes', settings: env.QUOTAS } as const;
  const limits = limitsOf(caller, quota.quota, quota.settings);
  const objectKey = newObjectKey();
  const announce: Announce = (pending) => registry.beginUpload(pending);
  let isPublished = false;
  try {
    const { claim, written } = await upload.receive(content, (file) =>
      writeBytes(file, objectKey, { bucket: env.FILES, announce }),
    );
    const { filename } = claim;
    refuseWrongDigest(claim, written);
    const version = await uploadVersionOf(env, modelId, claim, teamSeen(caller));
    await requireUpload(call, modelId, version);
    const bytes = { objectKey, limits };
    const result = await registry.publish({ modelId, version }, fileOf(filename, written), bytes);
    if (result.kind === 'over') {
      throw overQuota(caller, { ...quota, used: result.used, adding: written.sizeBytes });
    }
    isPublished = result.kind === 'published';
    return answerTo(result, { modelId, version, filename, prefix });
  } finally {
    // Where this fails as well, the registry's alarm deletes the bytes.
    if (!isPublished) await registry.abandonUpload(objectKey).catch(() => {});
  }
}

const fileOf = (filename: string, { sizeBytes, digest }: WrittenBytes): NewFile => ({
  filename,
  size_bytes: sizeBytes,
  digest,
  content_type: contentTypeOf(filename),
});

interface Destination {
  readonly modelId: ModelId;
  readonly version: string;
  readonly filename: string;
  readonly prefix: string;
}

function answerTo(
  result: Exclude<PublishResult, { readonly kind: 'over' }>,
  { modelId, version, filename, prefix }: Destination,
): Response {
  switch (result.kind) {
    case 'published':
    case 'same': {
      const { size_bytes, digest } = result.file;
      const answer: UploadAnswer = {
        model_id: modelId,
        version,
        filename,
        size_bytes,
        digest,
        etag: etagOf(digest),
      };
      const location = `${prefix}/models/${modelId}/download/${filename}?version=${encodeURIComponent(version)}`;
      const status = result.kind === 'published' ? 201 : 200;
      return Response.json(answer, { status, headers: { location } });
    }
    case 'immutable':
      throw otherBytes(`${modelId} ${version}`, result.file);
    case 'wrong-digest':
      throw wrongDigest(`the model_spec expects ${result.expected} of ${filename}`);
    case 'no-version':
      throw modelNotFound(modelId, version);
    case 'expired':
      throw new Problem('upload_expired', `The upload of ${filename} took too long.`);
  }
}

export const otherBytes = (version: string, { filename, digest }: FileRecord) =>
  new Problem(
    'version_immutable',
    `${filename} of ${version} holds other bytes already: ${digest}.`,
  );

function refuseWrongDigest({ digest }: UploadClaim, written: WrittenBytes): void {
  if (digest === undefined || digest === written.digest) return;
  throw wrongDigest(
    `expected ${digest}, but the ${written.sizeBytes} bytes have ${written.digest}`,
  );
}

function wrongDigest(detail: string): Problem {
  return new Problem('digest_mismatch', `The file is refused: ${detail}.`);
}

/**
 * The version a file is for: the one that is named, the only one there is, the only one that waits
 * for files, else the default one.
 *
 * @throws Problem model_not_found, or validation_failed where several versions wait for files
 */
export async function uploadVersionOf(
  env: Env,
  modelId: ModelId,
  { version }: Pick<UploadClaim, 'version'>,
  team: string | undefined,
): Promise<string> {
  if (version !== undefined) return versionOf(env, modelId, { version }, team);
  const records = await registryOf(env).versions(modelId, team);
  if (records.length === 0) throw modelNotFound(modelId, undefined);
  const waiting = records.filter(({ status }) => status === 'PENDING');
  const [only, ...others] = records.length === 1 ? records : waiting;
  if (!only) return versionOf(env, modelId, {}, team);
  if (others.length === 0) return only.version;
  const names = waiting.map((record) => record.version).join(', ');
  const detail = `expected a version, as several of ${modelId} wait for files: ${names}`;
  throw new Problem('validation_failed', `/version: ${detail}.`, {
    errors: [{ pointer: '/version', code: 'ambiguous_version', detail }],
  });
}
