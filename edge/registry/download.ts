import { RegionId } from '../geo/contract/region.ts';
import { Filename } from './contract/model-file.ts';
import type { registryEndpoints } from './endpoints.ts';
import type { Env } from '../env.ts';
import { readAnyReplica, readReplica } from '../geo/region-store/read-replica.ts';
import { fileResponse, IMMUTABLE } from '../http/file-response.ts';
import { teamSeen } from '../http/ownership.ts';
import { Problem } from '../http/problem.ts';
import type { ByteRange } from '../http/range.ts';
import type { CallOf } from '../http/route.ts';
import type { StoredFile } from './store.ts';
import { choiceNotFound, modelIdOf, registryOf } from './registry-stub.ts';

type Download = CallOf<Env, (typeof registryEndpoints)['downloadFile']>;

/** GET and HEAD /models/{id}/download/{filename}: the bytes of a file, whole or a range of them. */
export async function downloadFile(call: Download): Promise<Response> {
  const { env, prefix, query, request } = call;
  const modelId = modelIdOf(call);
  const { stored, version } = await find(call);
  const { filename, digest, size_bytes, content_type } = stored.file;
  let from: RegionId | undefined;
  const answer = await fileResponse(request, {
    filename,
    digest,
    sizeBytes: size_bytes,
    contentType: content_type,
    // Which version an address without one means changes with every release; a file never does.
    cacheControl: query.version === undefined ? 'no-cache' : IMMUTABLE,
    read: async (range) => {
      const { regionId, body } = await read(env, stored, { range, regionId: regionIn(request) });
      from = regionId;
      return body;
    },
  });
  if (from !== undefined) answer.headers.set(REGION_HEADER, from);
  const place = `${prefix}/models/${modelId}/download/${filename}`;
  answer.headers.set('content-location', `${place}?version=${encodeURIComponent(version)}`);
  return answer;
}

interface Found {
  readonly stored: StoredFile;
  readonly version: string;
}

async function find(call: Download): Promise<Found> {
  const choice = call.query;
  const modelId = modelIdOf(call);
  const filename = fileNameIn(call);
  const found = await registryOf(call.env).findFile(
    { modelId, choice, filename },
    teamSeen(call.caller),
  );
  if (found.kind === 'no-file') {
    throw fileNotFound(`${modelId} ${found.version} has no file ${filename}.`);
  }
  if (found.kind !== 'found') throw choiceNotFound(modelId, choice, found.kind);
  return found;
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

interface Wanted {
  readonly range: ByteRange | undefined;
  readonly regionId: RegionId | undefined;
}

/** In a request, the region of the caller; in a response, the region whose store served it. */
const REGION_HEADER = 'x-spikegrid-region';

function regionIn({ headers }: Request): RegionId | undefined {
  const named = RegionId.safeParse(headers.get(REGION_HEADER));
  return named.success ? named.data : undefined;
}

interface Bytes {
  /** The region of the replica; undefined for the registry's own bucket. */
  readonly regionId?: RegionId;
  readonly body: ReadableStream;
}

/**
 * Reads from the replica in the requested region, else from the registry's own bucket, else from any
 * replica.
 */
async function read(
  env: Env,
  { objectKey, file: { digest } }: StoredFile,
  { range, regionId }: Wanted,
): Promise<Bytes> {
  const part = range && { range: { offset: range.from, length: range.to - range.from + 1 } };
  const found =
    (regionId && (await readReplica(env, regionId, digest, part))) ??
    (await env.FILES.get(objectKey, part)) ??
    (await readAnyReplica(env, digest, part));
  if (found) return found;
  throw new Error(`the registry lists ${objectKey}, but the bucket does not have it`);
}
