import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ClassModel } from '../../engine/index.ts';
import type { BatchLoopListener } from './batch-loop.ts';
import type { NumberedQuestion } from './engine-messages.ts';

/** Says what pictures or sounds are by one model, one after another. */
export class ClassLoop {
  readonly #model: ClassModel;
  readonly #listener: BatchLoopListener;
  /** In the order in which they came, the one at work among them. */
  readonly #questions = new Map<number, NumberedQuestion>();
  #running: Promise<void> | undefined;

  constructor(model: ClassModel, listener: BatchLoopListener) {
    this.#model = model;
    this.#listener = listener;
  }

  start(question: NumberedQuestion): void {
    this.#questions.set(question.id, question);
    this.#running ??= this.#run().catch((error: unknown) => {
      this.#running = undefined;
      this.#listener.broken(error);
    });
  }

  /** No more events are sent for it. */
  cancel(id: number): void {
    this.#questions.delete(id);
  }

  /** Settles once no question is at work; those that are left are dropped. */
  async close(): Promise<void> {
    this.#questions.clear();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#questions.size > 0) {
      // Orders that have come are carried out first: who hung up is not answered.
      await nextTurn();
      const [question] = this.#questions.values();
      if (question) await this.#answer(question);
    }
    this.#running = undefined;
  }

  async #answer({ id, media }: NumberedQuestion): Promise<void> {
    const started = performance.now();
    const { probabilities, use: spikes } = await this.#model.answer(media);
    const isWanted = this.#questions.delete(id);
    const answer = { id, reason: 'stop', spikes, raster: undefined, batch: 1 } as const;
    this.#listener.turn({
      written: [],
      ended: isWanted ? [{ ...answer, probabilities }] : [],
      rows: 1,
      ms: performance.now() - started,
    });
  }
}
