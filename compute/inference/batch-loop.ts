import { setImmediate as nextTurn } from 'node:timers/promises';
import { type BatchedModel, softmax, type TextTokenizer, Writing } from '../../engine/index.ts';
import type { Ended, NumberedSequence, Turn } from './engine-messages.ts';

/** Turns that only read prompts are not waited for; so many may be queued on the device. */
const UNAWAITED_TURNS = 16;

export interface BatchLoopListener {
  turn(turn: Turn): void;
  broken(error: unknown): void;
}

/** A text that is written in a slot of the model. */
class SlotWriting extends Writing<NumberedSequence> {
  readonly slot: number;
  /** The most sequences read together with it so far. */
  batch = 0;
  /** Tokens that were read in front of the prompt; undefined until they have been. */
  prefix: number | undefined;
  /** Of what was asked, where the model knows classes. */
  probabilities: readonly number[] | undefined;

  constructor(sequence: NumberedSequence, tokenizer: TextTokenizer, slot: number) {
    super(sequence, tokenizer);
    this.slot = slot;
  }
}

/** Writes the texts of one model: each turn reads one token of every sequence there is. */
export class BatchLoop {
  readonly #model: BatchedModel;
  readonly #tokenizer: TextTokenizer;
  readonly #listener: BatchLoopListener;
  readonly #writings = new Map<number, SlotWriting>();
  readonly #freeSlots: number[];
  #running: Promise<void> | undefined;
  #unawaited = 0;

  constructor(model: BatchedModel, tokenizer: TextTokenizer, listener: BatchLoopListener) {
    this.#model = model;
    this.#tokenizer = tokenizer;
    this.#listener = listener;
    this.#freeSlots = Array.from({ length: model.slots }, (_, slot) => model.slots - 1 - slot);
  }

  /** Takes part from the next turn on. There has to be a free slot. */
  start(sequence: NumberedSequence): void {
    const slot = this.#freeSlots.pop();
    if (slot === undefined) throw new Error('a sequence was started with no slot free');
    this.#model.clear(slot);
    this.#writings.set(sequence.id, new SlotWriting(sequence, this.#tokenizer, slot));
    this.#running ??= this.#run().catch((error: unknown) => {
      this.#running = undefined;
      this.#listener.broken(error);
    });
  }

  /** Takes no further part; no more events are sent for it. */
  cancel(id: number): void {
    const writing = this.#writings.get(id);
    if (!writing) return;
    this.#writings.delete(id);
    this.#freeSlots.push(writing.slot);
  }

  /** Settles once no turn is under way; sequences that are left are dropped. */
  async close(): Promise<void> {
    this.#writings.clear();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#writings.size > 0) {
      // Orders that have come are carried out first: who hung up takes no part, who came does.
      await nextTurn();
      if (this.#writings.size > 0) await this.#turn([...this.#writings.values()]);
    }
    // At once: who starts a sequence as soon as the last one has ended starts the loop again.
    this.#running = undefined;
  }

  async #turn(present: readonly SlotWriting[]): Promise<void> {
    const started = performance.now();
    for (const writing of present) {
      writing.batch = Math.max(writing.batch, present.length);
      writing.prefix ??= await this.#readPrefix(writing);
    }
    await this.#readTogether(present.filter(({ sequence }) => !sequence.hasRaster));
    for (const writing of present) {
      if (writing.sequence.hasRaster) await this.#readObserved(writing);
    }
    for (const writing of present) {
      if (writing.read === writing.sequence.prompt.length) await this.#askClasses(writing);
    }
    // A sequence that was called off meanwhile has lost its slot to another one.
    const here = present.filter((writing) => this.#isHere(writing));
    const ended = await this.#endOf(here.filter(({ reason }) => reason !== undefined));
    const written = here.flatMap((writing) => {
      const { text, tokens } = writing.take();
      return tokens > 0 || text !== '' ? [{ id: writing.sequence.id, text, tokens }] : [];
    });
    for (const { id } of ended) this.cancel(id);
    const ms = performance.now() - started;
    this.#listener.turn({ written, ended, rows: present.length, ms });
  }

  async #readPrefix(writing: SlotWriting): Promise<number> {
    const { prefix } = writing.sequence;
    const tokens = prefix && (await this.#model.prime?.(writing.slot, prefix));
    if (tokens) await this.#askClasses(writing);
    return tokens ?? 0;
  }

  /** Of the pictures and sounds that a text stands behind, else of the prompt: never of what is written. */
  async #askClasses(writing: SlotWriting): Promise<void> {
    const scores = writing.probabilities ? undefined : this.#model.classScores?.(writing.slot);
    if (scores) writing.probabilities = softmax(await scores);
  }

  #isHere({ sequence }: SlotWriting): boolean {
    return this.#writings.has(sequence.id);
  }

  async #readTogether(present: readonly SlotWriting[]): Promise<void> {
    if (present.length === 0) return;
    const reads = present.map(({ slot, next }) => ({ slot, token: next }));
    if (!present.some(({ needsLogits }) => needsLogits)) {
      this.#model.pass(reads);
      for (const writing of present) writing.advance(undefined);
      this.#unawaited += 1;
      if (this.#unawaited < UNAWAITED_TURNS) return;
      await this.#model.settled();
      this.#unawaited = 0;
      return;
    }
    const logits = await this.#model.read(reads);
    this.#unawaited = 0;
    const { vocabulary } = this.#model;
    for (const [row, writing] of present.entries()) {
      const own = logits.subarray(row * vocabulary, (row + 1) * vocabulary);
      writing.advance(writing.needsLogits ? own : undefined);
    }
  }

  async #readObserved(writing: SlotWriting): Promise<void> {
    const { slot, next: token } = writing;
    const { logits, layers } = await this.#model.observe({ slot, token });
    for (const { name, neurons, spikes } of layers) writing.see(name, neurons, spikes);
    writing.advance(writing.needsLogits ? logits : undefined);
  }

  async #endOf(over: readonly SlotWriting[]): Promise<Ended[]> {
    if (over.length === 0) return [];
    const counts = await this.#model.spikeCounts();
    const width = this.#model.layers.length;
    return over.map((writing) => {
      const first = writing.slot * width;
      return {
        id: writing.sequence.id,
        reason: writing.reason ?? 'length',
        spikes: this.#model.useOf(counts.slice(first, first + width), writing.read, writing.prefix),
        raster: writing.raster(),
        batch: writing.batch,
        ...(writing.probabilities && { probabilities: writing.probabilities }),
      };
    });
  }
}
