import * as z from 'zod/mini';
import {
  AVERAGE,
  MASTER,
  type ModelSpec,
  MOMENTS,
  requireArchitecture,
  type StoredModel,
  type StoredTraining,
  type TextSpec,
  TRAINING_FILES,
} from '../checkpoint/checkpoint.ts';
import { type CheckpointFiles, decodeJson, parseFile, verifiedFiles } from '../checkpoint/files.ts';
import { type BufferSpec, decodeBlocks } from '../checkpoint/parameters-file.ts';
import { isTrainedForm, TRAINED_FORM } from '../checkpoint/stored-weights.ts';
import { TOKENIZER_FILE, tokenizerOf } from '../checkpoint/tokenizer-bundle.ts';
import { TrainingExecution, TrainingState } from '../checkpoint/training-state.ts';
import { joined } from '../train/parameter-blocks.ts';
import { layOutParameters } from '../graph/parameters.ts';
import { familyOf, type KnownSpec, type SpecOf } from './families.ts';
import { type Architecture } from './architectures.ts';

/** A stored model of a known family. */
export type KnownModel<Spec extends ModelSpec = KnownSpec> = StoredModel<Spec>;
export type KnownTraining<Spec extends ModelSpec = KnownSpec> = StoredTraining<Spec>;

/** A block of the parameters' layout in optimizer.safetensors; what else there is follows from the run. */
type StoredBlock = (typeof MOMENTS)[number] | typeof MASTER | typeof AVERAGE;

const Config = z.object({ training_execution: TrainingExecution });

/** Reads a model for inference, every file checked against the manifest. Throws as `verifiedFiles` and `decodeBlocks`. */
export function unpackModel(files: CheckpointFiles): StoredModel<KnownSpec> {
  const bytes = verifiedFiles(files, ['model.safetensors', 'config.json', 'model_spec.json']);
  const json = (name: keyof typeof bytes) => decodeJson(name, bytes[name]);
  const spec = parseModelSpec(json('model_spec.json'));
  const family = familyOf(spec.architecture);
  const [buffers = [], form = TRAINED_FORM] = [family.buffers?.(spec), family.form?.(spec)];
  const tokenizer = 'tokenizer' in spec ? readTokenizerOf(spec, files) : undefined;
  const layout = layOutParameters(family.parameters(spec));
  const file = { name: 'model.safetensors', bytes: bytes['model.safetensors'], buffers, form };
  const read = decodeBlocks(layout, file, ['']);
  return {
    spec,
    tokenizer,
    layout,
    values: read.blocks[''],
    buffers: read.buffers,
    execution: parseFile('config.json', Config, json('config.json')).training_execution,
  };
}

/** Reads a checkpoint to go on training from. Throws as `unpackModel`. */
export function unpackTraining(files: CheckpointFiles): StoredTraining<KnownSpec> {
  const model = unpackModel(files);
  const bytes = verifiedFiles(files, TRAINING_FILES);
  const trainingBuffers = trainingBuffersOf(model.spec, model.execution);
  const form = familyOf(model.spec.architecture).form?.(model.spec) ?? TRAINED_FORM;
  const isAveraged = model.execution.controls.average > 0;
  const name = 'optimizer.safetensors';
  const { blocks, buffers } = decodeBlocks(
    model.layout,
    { name, bytes: bytes[name], buffers: trainingBuffers },
    blocksOf({ isTrained: isTrainedForm(form), isAveraged }),
  );
  const json = decodeJson('training_state.json', bytes['training_state.json']);
  const state = parseFile('training_state.json', TrainingState, json);
  const held: Partial<typeof blocks> = blocks;
  const average = {
    values: held[AVERAGE] ?? model.values,
    taken: state.averaged_steps ?? 0,
  };
  return {
    ...model,
    values: held[MASTER] ?? model.values,
    momentum: blocks['momentum.'],
    variance: blocks['variance.'],
    trainingBuffers: buffers,
    ...(isAveraged && { average }),
    state,
  };
}

/** Those of a run: the model stands for its weights only as long as it is neither rounded nor their average. */
function blocksOf({ isTrained, isAveraged }: Record<'isTrained' | 'isAveraged', boolean>) {
  const blocks: StoredBlock[] = [...MOMENTS];
  if (isAveraged || !isTrained) blocks.push(MASTER);
  if (isAveraged && !isTrained) blocks.push(AVERAGE);
  return blocks;
}

function readTokenizerOf(spec: TextSpec, files: CheckpointFiles) {
  return tokenizerOf(spec, verifiedFiles(files, [TOKENIZER_FILE])[TOKENIZER_FILE]);
}

/** Buffers of the training of a model, beside the moments. */
function trainingBuffersOf(spec: ModelSpec, execution: TrainingExecution): readonly BufferSpec[] {
  return familyOf(spec.architecture).trainingBuffers?.(spec, execution) ?? [];
}

/**
 * Reads model_spec.json. Throws EngineError `checkpoint-mismatch` for a model of an unknown architecture,
 * naming it, and `checkpoint-damaged` for what is no model_spec at all.
 */
export function parseModelSpec(value: unknown): KnownSpec {
  const named = parseFile('model_spec.json', z.object({ architecture: z.string() }), value);
  // The schema is that of the architecture which the spec names.
  return parseFile('model_spec.json', familyOf(named.architecture).spec, value) as KnownSpec;
}

/** A model of one family. Throws EngineError `checkpoint-mismatch` where it is one of another. */
export function modelOf<A extends Architecture>(
  stored: StoredModel,
  architecture: A,
): StoredModel<SpecOf<A>> {
  requireArchitecture(stored.spec, architecture);
  // Its architecture says which spec it has.
  return stored as StoredModel as StoredModel<SpecOf<A>>;
}

/** The values that `TrainingRun.parameters` returns, of a stored run. */
export function parametersOf({
  spec,
  execution,
  values,
  trainingBuffers,
}: StoredTraining): Float32Array {
  const agreed = trainingBuffersOf(spec, execution).filter((kept) => kept.agreed);
  const data = agreed.map(({ name }) => {
    const numbers = trainingBuffers?.get(name)?.data;
    if (numbers instanceof Float32Array) return numbers;
    throw new Error(`${name} is not in a checkpoint that was checked for it`);
  });
  return joined([values, ...data]);
}
