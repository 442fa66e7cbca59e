import * as z from 'zod/mini';
import { DigestClaim } from '../contract/digest.ts';
import { parseQuery } from '../contract/parse.ts';
import type { Env } from '../env.ts';
import type { Call } from '../http/call.ts';
import { maySee, ownershipOf, requireQuota } from '../http/ownership.ts';
import { Problem } from '../http/problem.ts';
import { type TusCall, tusHandlers, type UploadResource } from '../uploads/tus-handlers.ts';
import { metadataFields } from '../uploads/tus-request.ts';
import { nameTaken, otherDataset, requireName } from './dataset.ts';
import { datasetsOf } from './stub.ts';

/** The metadata of an upload; the name comes from the path, whatever the file was called. */
const Claim = z.strictObject({
  filename: z.optional(z.string()),
  filetype: z.optional(z.string().check(z.maxLength(128))),
  digest: z.optional(DigestClaim),
});

const nameIn = ({ params }: Pick<TusCall, 'params'>) =>
  requireName({ params: { name: params['name'] ?? '' } });

/** /datasets/{name}/uploads: data sets, each whole in one upload. */
const datasetFiles: UploadResource = {
  holder: datasetsOf,
  ownerOf: nameIn,
  quota: 'dataset_bytes',
  async targetOf(call, { metadata, lengthBytes }) {
    const name = nameIn(call);
    const { digest = null } = parseQuery(Claim, metadataFields(metadata));
    if (lengthBytes === 0) {
      const detail = 'Upload-Length is 0: expected at least one byte of data.';
      throw new Problem('invalid_parameter', detail);
    }
    await refuseOther(call, name, digest);
    const whose = ownershipOf(call.caller);
    const target = { modelId: name, filename: name, claimedDigest: digest };
    return { ...target, version: whose.owner, ...whose };
  },
  uploadsOf: (name) => `/datasets/${name}/uploads`,
  resultOf: ({ modelId: name }) => `/datasets/${name}/content`,
  notFound: ({ modelId: name, id }) =>
    new Problem(
      'upload_not_found',
      `The dataset ${name} has no upload ${id.slice(0, 64)}, or it has expired.`,
    ),
  otherBytes: ({ modelId: name }) => nameTaken(name),
  ownerNotFound: (name) =>
    new Problem('upload_not_found', `The upload of the dataset ${name} was deleted.`),
};

export const datasetUploads = tusHandlers(datasetFiles);

/** Refuse before any bytes are sent: a name stands for one content. */
async function refuseOther(
  { env, caller }: Pick<Call<Env>, 'env' | 'caller'>,
  name: string,
  digest: string | null,
): Promise<void> {
  const existing = await datasetsOf(env).dataset(name, undefined);
  const isSame = existing?.digest === digest && maySee(caller, existing);
  if (existing && !isSame) throw otherDataset(existing, caller);
  const used = await datasetsOf(env).countOf(ownershipOf(caller));
  if (!existing) requireQuota(caller, { quota: 'datasets', used, settings: env.QUOTAS });
}
