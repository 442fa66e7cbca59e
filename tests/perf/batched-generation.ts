import { openWasmBackend } from '../../engine/backends/wasm/wasm-backend.ts';
import { tokenizerFile } from '../../engine/checkpoint/checkpoint.ts';
import { modelSpecOf } from '../../engine/checkpoint/model-spec.ts';
import { executionOf } from '../../engine/checkpoint/training-state.ts';
import { createCharacterTokenizer } from '../../engine/data/character-tokenizer.ts';
import { layOutParameters } from '../../engine/graph/parameters.ts';
import { WORD_BYTES } from '../../engine/graph/tensor.ts';
import {
  type BatchedModel,
  openBatchedModel,
} from '../../engine/models/dense-chronospike/batched-model.ts';
import { chronospikeParameters } from '../../engine/models/dense-chronospike/parameters.ts';
import { initialValues } from '../../engine/train/initial-values.ts';
import { stableBaseline, structureOf, type TrainingSettings } from '../../engine/train/settings.ts';
import { median } from './report.ts';

/**
 * Tokens a second of models nobody trained (a fifth of their neurons fires) in batches of 1 to 64 on
 * WASM, and the processor time of a token, which tells more where others use the machine, too:
 * `node tests/perf/batched-generation.ts [threads] [float32|int8]`. Batches take turns.
 */
const BATCHES = [1, 2, 4, 8, 16, 32, 64];
const ROUNDS = 7;
const TURN_MS = 200;
const VOCABULARY = 96;
const SIZES: Record<string, Pick<TrainingSettings, 'width' | 'heads' | 'blocks'>> = {
  small: { width: 128, heads: 4, blocks: 4 },
  base: { width: 256, heads: 8, blocks: 6 },
};

const threads = Number(process.argv[2] ?? 1);
const weights = process.argv[3] === 'int8' ? 'int8' : 'float32';
const backend = await openWasmBackend({ threads });
for (const [name, size] of Object.entries(SIZES)) {
  const options = { slots: Math.max(...BATCHES), weights } as const;
  const model = await openBatchedModel(backend, untrained(size), options);
  console.log(`${name}, ${weights}, ${backend.device.label}`);
  const turns = await takeTurns(model);
  const alone = middle(turns.get(1) ?? []);
  for (const [batch, its] of turns) {
    const { rate, processorUs } = middle(its);
    console.log(
      `${String(batch).padStart(4)} rows ${rate.toFixed(0).padStart(7)} tokens/s ` +
        `${(rate / alone.rate).toFixed(2).padStart(6)}x   processor ${processorUs.toFixed(0).padStart(5)} us ` +
        `a token ${(alone.processorUs / processorUs).toFixed(2).padStart(6)}x`,
    );
  }
  model.close();
}
backend.close();

interface Turn {
  readonly rate: number;
  readonly processorUs: number;
}

function middle(turns: readonly Turn[]): Turn {
  return {
    rate: median(turns.map(({ rate }) => rate)),
    processorUs: median(turns.map(({ processorUs }) => processorUs)),
  };
}

async function takeTurns(model: BatchedModel): Promise<Map<number, Turn[]>> {
  const turns = new Map<number, Turn[]>(BATCHES.map((batch) => [batch, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [batch, its] of turns) its.push(await readFor(model, batch));
  }
  return turns;
}

async function readFor(model: BatchedModel, batch: number): Promise<Turn> {
  const started = performance.now();
  const used = process.cpuUsage();
  let steps = 0;
  do {
    const tokenOf = (slot: number) => (7 * steps + 13 * slot) % VOCABULARY;
    await model.read(Array.from({ length: batch }, (_, slot) => ({ slot, token: tokenOf(slot) })));
    steps++;
  } while (performance.now() - started < TURN_MS);
  const { user, system } = process.cpuUsage(used);
  const tokens = steps * batch;
  return {
    rate: (1000 * tokens) / (performance.now() - started),
    processorUs: (user + system) / tokens,
  };
}

function untrained(size: Pick<TrainingSettings, 'width' | 'heads' | 'blocks'>) {
  const settings: TrainingSettings = {
    ...{ ...size, steps: 4, sequence: 128, batch: 1, learningRate: 0.003, seed: 1 },
    budget: { kind: 'steps', steps: 1 },
  };
  const characters = Array.from({ length: VOCABULARY }, (_, i) => String.fromCodePoint(32 + i));
  const tokenizer = createCharacterTokenizer(characters);
  const structure = structureOf(settings, VOCABULARY);
  const layout = layOutParameters(chronospikeParameters(structure));
  const values = new Float32Array(layout.blockBytes / WORD_BYTES);
  for (const parameter of layout.parameters) {
    values.set(initialValues(parameter, settings.seed), parameter.offsetBytes / WORD_BYTES);
  }
  const spec = modelSpecOf(structure, settings.sequence, tokenizerFile(tokenizer).digest);
  return { spec, tokenizer, layout, values, execution: executionOf(settings, stableBaseline) };
}
