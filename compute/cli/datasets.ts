import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { Command } from 'commander';
import { callEndpoint } from '../../edge/contract/client.ts';
import { DatasetName, type DatasetRecord } from '../../edge/datasets/contract/dataset.ts';
import { datasetEndpoints } from '../../edge/datasets/endpoints.ts';
import { EngineError } from '../../engine/index.ts';
import { cutBlob, sendDataset } from '../../trainer/index.ts';
import { ZIP_TYPE, zipFolder } from '../data/zip-folder.ts';
import { atGateway, type GatewayOptions } from './gateway-access.ts';
import { openTraining, trainingAddress } from './training-access.ts';
import { createUploadBar } from './upload-bar.ts';

export function datasetsCommand(): Command {
  return new Command('datasets')
    .addCommand(
      atGateway(new Command('push'), 'train')
        .description('Upload a file, or a folder as one archive; a name stands for one content.')
        .argument(
          '<path>',
          'UTF-8 text, JSONL whose lines have a "text", a zip archive, or a folder of images or audio files',
        )
        .option('--name <name>', 'jobs find it as datasets/<name> (default: the file’s name)')
        .action(push),
    )
    .addCommand(
      atGateway(new Command('list'), 'train')
        .description('List the datasets of the platform.')
        .option('--json', 'one JSON object per line')
        .action(list),
    )
    .addCommand(
      atGateway(new Command('delete'), 'train')
        .description('Delete a dataset that no active job uses.')
        .argument('<name>', 'its name in "datasets list"')
        .action(remove),
    );
}

async function push(file: string, options: GatewayOptions & { name?: string }): Promise<void> {
  const record = await pushDataset(file, options.name ?? nameOf(file), options);
  console.log(`datasets/${record.name}`);
}

/** Uploads a file or folder under a name; what was broken off goes on where it was. */
async function pushDataset(
  path: string,
  name: string,
  options: GatewayOptions,
): Promise<DatasetRecord> {
  checkName(name);
  return sendAs(name, path, await openBlob(path), options);
}

async function sendAs(
  name: string,
  path: string,
  file: Blob,
  options: GatewayOptions,
): Promise<DatasetRecord> {
  const bar = createUploadBar(basename(path));
  const contentType = contentTypeOf(path, file);
  const upload = { name, file, contentType, onProgress: bar.advance, onFailure: tellFailure };
  const record = await sendDataset(trainingAddress(options), upload).finally(bar.stop);
  console.error(`datasets/${name} is there (${record.size_bytes} bytes)`);
  return record;
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.jsonl': 'application/jsonl',
  '.zip': ZIP_TYPE,
};

/** A folder's archive knows its type itself. */
function contentTypeOf(path: string, { type }: Blob): string {
  return type || (CONTENT_TYPES[extname(path).toLowerCase()] ?? 'text/plain');
}

function tellFailure(error: unknown): void {
  console.error(`${String(error)}; trying again`);
}

/** Uploads a file or folder under a name that its content decides, so that the same is sent once. */
export async function pushByContent(path: string, options: GatewayOptions): Promise<DatasetRecord> {
  const file = await openBlob(path);
  const { digest } = await cutBlob(file);
  const extension = file.type === ZIP_TYPE ? '.zip' : extname(path);
  const stem = nameOf(basename(path, extname(path)));
  return sendAs(`${stem}-${digest.slice(7, 15)}${extension}`, path, file, options);
}

/** A file's name with what a dataset's may not hold replaced. */
function nameOf(file: string): string {
  const plain = basename(file).replace(/[^A-Za-z0-9._-]+/g, '-');
  return plain.replace(/^[._-]+/, '').slice(0, 100) || 'dataset';
}

function checkName(name: string): void {
  const parsed = DatasetName.safeParse(name);
  if (parsed.success) return;
  throw new EngineError(
    'invalid-setting',
    `--name is "${name}": ${parsed.error.issues[0]?.message}`,
  );
}

async function openBlob(path: string): Promise<Blob> {
  const stats = await stat(path);
  if (stats.isDirectory()) return zipFolder(path);
  if (!stats.isFile()) {
    throw new EngineError('dataset-invalid', `${path} is neither a file nor a folder`);
  }
  if (stats.size > 0) return openAsBlob(path);
  throw new EngineError('text-too-short', `${path} is empty: expected data to learn from`);
}

async function list({ json, ...options }: GatewayOptions & { json?: true }): Promise<void> {
  const { body } = await callEndpoint(openTraining(options), datasetEndpoints.listDatasets, {});
  for (const record of body.datasets) console.log(json ? JSON.stringify(record) : describe(record));
}

async function remove(name: string, options: GatewayOptions): Promise<void> {
  await callEndpoint(openTraining(options), datasetEndpoints.deleteDataset, { params: { name } });
  console.error(`deleted datasets/${name}`);
}

function describe({ name, size_bytes, digest, created_at }: DatasetRecord): string {
  return `datasets/${name}  ${size_bytes} bytes  ${digest.slice(0, 19)}  ${created_at}`;
}
