import type { Env } from '../env.ts';
import { ownerOf, teamSeen } from '../http/ownership.ts';
import { Problem } from '../http/problem.ts';
import { requireUpload } from './model-access.ts';
import { modelIdOf, modelNotFound, registryOf } from './registry-stub.ts';
import { type TusCall, tusHandlers, type UploadResource } from '../uploads/tus-handlers.ts';
import { claimOf } from '../uploads/tus-request.ts';
import { otherBytes, uploadVersionOf } from './upload.ts';

const idIn = ({ params }: Pick<TusCall, 'params'>) =>
  modelIdOf({ params: { id: params['id'] ?? '' } });

/** /models/{id}/uploads: files of versions. */
const modelFiles: UploadResource = {
  holder: registryOf,
  ownerOf: idIn,
  quota: 'model_bytes',
  async targetOf(call, { metadata }) {
    const claim = claimOf(metadata);
    const modelId = idIn(call);
    const seen = teamSeen(call.caller);
    const version = await uploadVersionOf(call.env, modelId, claim, seen);
    const { team } = await requireUpload(call, modelId, version);
    const { filename, digest: claimedDigest = null } = claim;
    const whose = { owner: ownerOf(call.caller), team };
    const target = { modelId, version, filename, claimedDigest, ...whose };
    await refuseOther(call.env, target);
    return target;
  },
  uploadsOf: (modelId) => `/models/${modelId}/uploads`,
  resultOf: ({ modelId, version }, { filename }) =>
    `/models/${modelId}/download/${filename}?version=${encodeURIComponent(version)}`,
  notFound: ({ modelId, id }) =>
    new Problem(
      'upload_not_found',
      `The model ${modelId} has no upload ${id.slice(0, 64)}, or it has expired.`,
    ),
  otherBytes: ({ modelId }, file) => otherBytes(modelId, file),
  ownerNotFound: modelNotFound,
};

export const modelUploads = tusHandlers(modelFiles);

interface WantedFile {
  readonly modelId: string;
  readonly version: string;
  readonly filename: string;
  readonly claimedDigest: string | null;
}

/** Refuse before any bytes are sent: a name that holds other bytes cannot be reused. */
async function refuseOther(
  env: Env,
  { modelId, version, filename, claimedDigest: digest }: WantedFile,
): Promise<void> {
  const found = await registryOf(env).findFile(
    { modelId, filename, choice: { version } },
    undefined,
  );
  if (found.kind !== 'found' || digest === null || found.stored.file.digest === digest) return;
  throw otherBytes(`${modelId} ${version}`, found.stored.file);
}
