import { createRegistryClient } from '../../edge/registry/contract/client.ts';
import { openWasmBackend } from '../../engine/backends/wasm/wasm-backend.ts';
import {
  blobSource,
  type CheckpointFiles,
  type CorpusOptions,
  createTrainingRun,
  type GenerateRequest,
  openCorpus,
  openLanguageModel,
  registrationOf,
  stableBaseline,
  type TrainingSettings,
  unpackModel,
  unpackTraining,
} from '../../engine/index.ts';

/** The files of a checkpoint that an inference service reads. */
const FILES = [
  'model.safetensors',
  'config.json',
  'tokenizer.json',
  'model_spec.json',
  'manifest.json',
];

const SENTENCES =
  'the quick brown fox jumps over the lazy dog.\nshe sells sea shells by the sea shore.\n';

/** Trains a model for so many steps on one thread, and returns its checkpoint. */
export async function trainSmall(
  steps: number,
  settings: Partial<TrainingSettings> = {},
  options: CorpusOptions = {},
): Promise<CheckpointFiles> {
  const backend = await openWasmBackend({ threads: 1, deterministic: true });
  const run = await createTrainingRun({
    backend,
    corpus: await openCorpus(
      blobSource(new Blob([SENTENCES.repeat(40)]), 'sentences.txt'),
      options,
    ),
    settings: {
      ...{ width: 16, heads: 2, blocks: 1, steps: 2, sequence: 16, batch: 8 },
      ...{ learningRate: 0.02, seed: 1, budget: { kind: 'steps', steps } },
      ...settings,
    },
    controls: stableBaseline,
  });
  await run.advance(steps);
  const files = await run.checkpoint();
  run.close();
  return files;
}

/** The text that the engine writes in this process. */
export async function writeHere(
  files: CheckpointFiles,
  request: Pick<GenerateRequest, 'prompt' | 'tokens' | 'seed'>,
): Promise<string> {
  const backend = await openWasmBackend({ threads: 1, deterministic: true });
  const model = await openLanguageModel(backend, unpackModel(files));
  let text = '';
  const whole = { temperature: 0.8, topK: 0, topP: 1, ...request };
  for await (const piece of model.generate(whole)) text += piece;
  model.close();
  return text;
}

interface Version {
  readonly id: string;
  readonly version?: string;
  /** A file that is left out, or `all`. */
  readonly without?: string;
}

/** Registers a version with the files an inference service reads. */
export async function registerSmall(
  registry: URL,
  files: CheckpointFiles,
  { id, version = '1.0.0', without }: Version,
): Promise<void> {
  const client = createRegistryClient({ base: registry.origin });
  const trained = unpackTraining(files);
  await client.register(registrationOf(trained, { id, version, name: id }));
  const names = without === 'all' ? [] : FILES.filter((name) => name !== without);
  await uploadSmall(registry, files, { id, version, names });
}

/** Uploads files of a version. */
export async function uploadSmall(
  registry: URL,
  files: CheckpointFiles,
  { id, version = '1.0.0', names = FILES }: Version & { readonly names?: readonly string[] },
): Promise<void> {
  const client = createRegistryClient({ base: registry.origin });
  for (const filename of names) {
    const body = Uint8Array.from(files.get(filename) ?? []);
    await client.upload({ modelId: id, version, filename, body });
  }
}
