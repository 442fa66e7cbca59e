import type { jobEndpoints } from './job-endpoints.ts';
import type { Env } from '../env.ts';
import { IMMUTABLE, wholeFile } from '../http/file-response.ts';
import { teamSeen } from '../http/ownership.ts';
import { Problem } from '../http/problem.ts';
import type { CallOf } from '../http/route.ts';
import { locateParts } from '../datasets/parts-locate.ts';
import { streamOf } from '../datasets/parts-stream.ts';
import { jobNotFound, trainingOf } from './training-stub.ts';

type Download = CallOf<Env, (typeof jobEndpoints)['downloadCheckpointFile']>;

/** GET and HEAD /jobs/{id}/checkpoints/{checkpoint}/files/{filename}. */
export async function downloadCheckpointFile(call: Download): Promise<Response> {
  const { env, request } = call;
  const file = await find(call);
  // The job was found to be the caller's to see, and with it its parts.
  const parts = await locateParts(env, file.parts, undefined);
  return wholeFile(request, {
    filename: file.filename,
    digest: file.digest,
    sizeBytes: file.size_bytes,
    contentType: 'application/octet-stream',
    cacheControl: IMMUTABLE,
    read: () => streamOf(env.FILES, parts),
  });
}

async function find({ env, caller, params: { id, checkpoint, filename } }: Download) {
  const team = teamSeen(caller);
  const training = trainingOf(env);
  const record = await training.checkpoint(id, checkpoint, team);
  if (!record) {
    if (!(await training.job(id, team))) throw jobNotFound(id);
    const shown = JSON.stringify(checkpoint.slice(0, 128));
    throw new Problem('checkpoint_not_found', `The job ${id} has no checkpoint ${shown}.`);
  }
  const file = record.files.find((one) => one.filename === filename);
  if (file) return file;
  throw new Problem(
    'file_not_found',
    `The checkpoint ${checkpoint} has no file ${JSON.stringify(filename.slice(0, 128))}.`,
  );
}
