import { openWasmBackend } from '../../engine/backends/wasm/wasm-backend.ts';
import { openBatchedModel } from '../../engine/models/open-model.ts';
import { type BatchedModel } from '../../engine/models/language/batched-model.ts';
import { median } from './report.ts';
import { type ModelSize, untrainedModel, VOCABULARY } from './untrained-model.ts';

/**
 * Tokens a second of models nobody trained (a fifth of their neurons fires) in batches of 1 to 64 on
 * WASM, and the processor time of a token, which tells more where others use the machine, too:
 * `node tests/perf/batched-generation.ts [threads] [float32|int8]`. Batches take turns.
 */
const BATCHES = [1, 2, 4, 8, 16, 32, 64];
const ROUNDS = 7;
const TURN_MS = 200;
const SIZES: Record<string, ModelSize> = {
  small: { width: 128, heads: 4, blocks: 4 },
  base: { width: 256, heads: 8, blocks: 6 },
};

const threads = Number(process.argv[2] ?? 1);
const weights = process.argv[3] === 'int8' ? 'int8' : 'float32';
const backend = await openWasmBackend({ threads });
for (const [name, size] of Object.entries(SIZES)) {
  const options = { slots: Math.max(...BATCHES), weights } as const;
  const model = await openBatchedModel(backend, untrainedModel(size), options);
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
