import type { DatasetName, DatasetRecord } from './contract/dataset.ts';
import { datasetEndpoints } from './endpoints.ts';
import { datasetUploadEndpoints } from '../uploads/endpoints.ts';
import type { Env } from '../env.ts';
import { fileResponse } from '../http/file-response.ts';
import { requireChange, teamSeen } from '../http/ownership.ts';
import { Problem } from '../http/problem.ts';
import { type CallOf, type ReplyOf, routesOf } from '../http/route.ts';
import { commitDataset, datasetNotFound, nameIn, requireName } from './dataset.ts';
import { datasetUploads } from './uploads.ts';
import { datasetsOf } from './stub.ts';
import { streamOf } from './parts.ts';
import { trainingOf } from '../training/training-stub.ts';
import { getPart, missingParts, putPart } from './part-routes.ts';
import { tusRoutes } from '../uploads/routes.ts';

type Endpoints = typeof datasetEndpoints;
type Handled<K extends keyof Endpoints> = CallOf<Env, Endpoints[K]>;
type Reply<K extends keyof Endpoints> = Promise<ReplyOf<Endpoints[K]>>;

/** /datasets and /parts: what trainers download, and the parts that large files consist of. */
export const datasetRoutes = routesOf<Env, Endpoints>(datasetEndpoints, {
  missingParts,
  putPart,
  getPart,
  putDataset,
  listDatasets,
  getDataset,
  deleteDataset,
  downloadDataset,
});

/** /datasets/{name}/uploads: data sets by tus, as files of models are. */
export const datasetUploadRoutes = tusRoutes(datasetUploadEndpoints, datasetUploads);

/** PUT /datasets/{name}: 201 for a new one, 200 where the name already stands for these bytes. */
async function putDataset(call: Handled<'putDataset'>): Reply<'putDataset'> {
  const { env, ctx, caller, body, prefix, params } = call;
  const name = requireName({ params });
  const work = commitDataset(env, { name, caller, commit: body });
  // Completed even where the client hangs up, as it will retry.
  ctx.waitUntil(work.catch(() => {}));
  const { kind, record } = await work;
  const headers = { location: `${prefix}/datasets/${name}` };
  return { status: kind === 'created' ? 201 : 200, body: record, headers };
}

async function listDatasets({ env, caller }: Handled<'listDatasets'>): Reply<'listDatasets'> {
  const datasets = await datasetsOf(env).datasets(teamSeen(caller));
  const body = { datasets: [...datasets], total: datasets.length };
  return { status: 200, body, headers: { 'cache-control': 'no-cache' } };
}

async function getDataset(call: Handled<'getDataset'>): Reply<'getDataset'> {
  const name = nameIn(call);
  const record = await requireRecord(call, name);
  return { status: 200, body: record, headers: { 'cache-control': 'no-cache' } };
}

async function deleteDataset(call: Handled<'deleteDataset'>): Reply<'deleteDataset'> {
  const name = nameIn(call);
  const record = await requireRecord(call, name);
  const notFound = () => datasetNotFound(name);
  requireChange(call.caller, record, { what: `The dataset ${name}`, notFound });
  if (await trainingOf(call.env).namesDataset(`datasets/${name}`)) {
    throw new Problem('dataset_in_use', `Jobs under way name the dataset ${name}.`);
  }
  const isRemoved = await datasetsOf(call.env).removeDataset(name, record);
  if (!isRemoved) throw datasetNotFound(name);
  return { status: 204, body: undefined };
}

/** GET and HEAD /datasets/{name}/content: the bytes, whole or a range of them. */
async function downloadDataset(call: Handled<'downloadDataset'>): Promise<Response> {
  const { env, request, caller } = call;
  const name = nameIn(call);
  const found = await datasetsOf(env).datasetWithParts(name, teamSeen(caller));
  if (!found) throw datasetNotFound(name);
  const { digest, size_bytes, content_type } = found.record;
  return fileResponse(request, {
    filename: name,
    digest,
    sizeBytes: size_bytes,
    contentType: content_type,
    // A name may be deleted and reused for other bytes.
    cacheControl: 'no-cache',
    read: (range) => streamOf(env.FILES, found.parts, range),
  });
}

/** A dataset that the caller may see. @throws Problem dataset_not_found */
async function requireRecord(
  { env, caller }: Pick<Handled<'getDataset'>, 'env' | 'caller'>,
  name: DatasetName,
): Promise<DatasetRecord> {
  const record = await datasetsOf(env).dataset(name, teamSeen(caller));
  if (record) return record;
  throw datasetNotFound(name);
}
