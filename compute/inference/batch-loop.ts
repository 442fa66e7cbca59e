import { setImmediate as nextTurn } from 'node:timers/promises';
import { type BatchedModel, spikeUseOf } from '../../engine/index.ts';
import type { Ended, Sequence, Turn } from './engine-messages.ts';
import { Writing } from './writing.ts';

/** Writes the texts of one model: each turn reads one token of every sequence there is. */
export interface BatchLoop {
  /** Takes part from the next turn on. There has to be a free slot. */
  start(sequence: Sequence): void;
  /** Takes no further part; nothing more is told of it. */
  cancel(id: number): void;
  /** Settles once no turn is under way; sequences that are left are dropped. */
  close(): Promise<void>;
}

/** Turns that only read prompts are not waited for; so many may be queued on the device. */
const UNAWAITED_TURNS = 16;

export function createBatchLoop(
  model: BatchedModel,
  report: (turn: Turn) => void,
  onBroken: (error: unknown) => void,
): BatchLoop {
  const writings = new Map<number, Writing>();
  const freeSlots = Array.from({ length: model.slots }, (_, slot) => model.slots - 1 - slot);
  let running: Promise<void> | undefined;
  let unawaited = 0;

  const leave = ({ sequence, slot }: Writing) => {
    if (writings.delete(sequence.id)) freeSlots.push(slot);
  };

  async function run(): Promise<void> {
    while (writings.size > 0) {
      // Orders that have come are carried out first: who hung up takes no part, who came does.
      await nextTurn();
      if (writings.size > 0) await turn([...writings.values()]);
    }
  }

  async function turn(present: readonly Writing[]): Promise<void> {
    const started = performance.now();
    for (const writing of present) writing.batch = Math.max(writing.batch, present.length);
    await readTogether(present.filter(({ sequence }) => !sequence.hasRaster));
    for (const writing of present) {
      if (writing.sequence.hasRaster) await readObserved(writing);
    }
    // A sequence that was called off meanwhile has lost its slot to another one.
    const here = present.filter(({ sequence }) => writings.has(sequence.id));
    const ended = await endOf(here.filter(({ reason }) => reason !== undefined));
    const written = here.flatMap((writing) => {
      const tokens = writing.take();
      return tokens.length > 0 ? [{ id: writing.sequence.id, tokens }] : [];
    });
    for (const { id } of ended) {
      const writing = writings.get(id);
      if (writing) leave(writing);
    }
    report({ written, ended, rows: present.length, ms: performance.now() - started });
  }

  async function readTogether(present: readonly Writing[]): Promise<void> {
    if (present.length === 0) return;
    const reads = present.map(({ slot, next }) => ({ slot, token: next }));
    if (!present.some(({ needsLogits }) => needsLogits)) {
      model.pass(reads);
      unawaited += 1;
      if (unawaited >= UNAWAITED_TURNS) await settled();
      for (const writing of present) writing.advance(undefined);
      return;
    }
    const logits = await model.read(reads);
    unawaited = 0;
    const { vocabulary } = model.structure;
    for (const [row, writing] of present.entries()) {
      const own = logits.subarray(row * vocabulary, (row + 1) * vocabulary);
      writing.advance(writing.needsLogits ? own : undefined);
    }
  }

  async function settled(): Promise<void> {
    await model.settled();
    unawaited = 0;
  }

  async function readObserved(writing: Writing): Promise<void> {
    const { slot, next: token } = writing;
    const { logits, layers } = await model.observe({ slot, token });
    for (const { name, neurons, spikes } of layers) writing.see(name, neurons, spikes);
    writing.advance(writing.needsLogits ? logits : undefined);
  }

  async function endOf(over: readonly Writing[]): Promise<Ended[]> {
    if (over.length === 0) return [];
    const counts = await model.spikeCounts();
    const width = model.layers.length;
    return over.map((writing) => ({
      id: writing.sequence.id,
      reason: writing.reason ?? 'length',
      spikes: spikeUseOf(
        model.structure,
        counts.slice(writing.slot * width, (writing.slot + 1) * width),
        writing.read,
      ),
      raster: writing.raster(),
      batch: writing.batch,
    }));
  }

  return {
    start(sequence) {
      const slot = freeSlots.pop();
      if (slot === undefined) throw new Error('a sequence was started with no slot free');
      model.clear(slot);
      writings.set(sequence.id, new Writing(sequence, slot));
      running ??= run()
        .catch(onBroken)
        .finally(() => {
          running = undefined;
        });
    },
    cancel(id) {
      const writing = writings.get(id);
      if (writing) leave(writing);
    },
    async close() {
      writings.clear();
      await running;
    },
  };
}
