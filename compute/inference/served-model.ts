import { buildProblem } from '../../edge/http/infer-response.ts';
import {
  classNamesOf,
  type ClassSpec,
  EngineError,
  isClassSpec,
  labelsOf,
  type ModelSpec,
  textModelOf,
  type Tokenizer,
  unpackModel,
} from '../../engine/index.ts';
import { type Engine, EngineFault } from './engine.ts';
import type { Fault, Turn } from './engine-messages.ts';
import type { ModelRecord } from './registry-source.ts';
import { type BatchingOptions, Scheduler } from './scheduler.ts';

/** Input of a model: text, text behind images and audio, or images or audio to classify. */
type Reads =
  | {
      readonly kind: 'text';
      readonly spec: ModelSpec;
      readonly tokenizer: Tokenizer;
      /** Names of classes that it also tells; none where it tells none. */
      readonly labels: readonly string[];
    }
  | { readonly kind: 'class'; readonly spec: ClassSpec; readonly labels: readonly string[] };

/** A model that answers: loaded on every engine. */
export interface ServedModel {
  readonly key: string;
  readonly record: ModelRecord;
  readonly reads: Reads;
  readonly scheduler: Scheduler;
  close(): Promise<void>;
}

interface ServeOptions {
  readonly engines: readonly Engine[];
  readonly batching: BatchingOptions;
  readonly warmup: boolean;
  /** The model is lost: it has to be loaded anew. */
  readonly onBroken: (fault: Fault) => void;
}

/**
 * Builds a model from its own files alone.
 *
 * @throws Problem digest_mismatch, invalid_structure or insufficient_vram
 */
export async function serveModel(
  record: ModelRecord,
  files: ReadonlyMap<string, Uint8Array>,
  { engines, batching, warmup, onBroken }: ServeOptions,
): Promise<ServedModel> {
  const key = `${record.model_id}@${record.version}`;
  const reads = readsOf(files, key);
  const scheduler = new Scheduler(key, engines, batching);
  const listener = {
    turn: (turn: Turn) => scheduler.turned(turn),
    broken: (fault: Fault) => {
      scheduler.broken(fault);
      onBroken(fault);
    },
  };
  const close = async () => {
    await Promise.all(engines.map((engine) => engine.close(key)));
  };
  const slots = batching.maxBatchSize;
  const opened = await Promise.allSettled(
    engines.map((engine) => engine.open(key, { files, slots, warmup, listener })),
  );
  const failed = opened.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') {
    await close();
    throw buildProblem(asEngineError(failed.reason), key);
  }
  return { key, record, reads, scheduler, close };
}

function readsOf(files: ReadonlyMap<string, Uint8Array>, key: string): Reads {
  try {
    const stored = unpackModel(files);
    const { spec } = stored;
    if (isClassSpec(spec)) return { kind: 'class', spec, labels: labelsOf(spec) };
    const { tokenizer } = textModelOf(stored);
    return { kind: 'text', spec, tokenizer, labels: classNamesOf(spec) };
  } catch (error) {
    throw buildProblem(error, key);
  }
}

function asEngineError(error: unknown): unknown {
  if (!(error instanceof EngineFault)) return error;
  const { code, message } = error.fault;
  return new EngineError(code ?? 'device-lost', message);
}
