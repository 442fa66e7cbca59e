import {
  type Backend,
  type CheckpointFiles,
  EngineError,
  requireArchitecture,
  type RunData,
  type RunSettings,
  unpackTraining,
} from '../../../engine/index.ts';
import type { DiagnosisFacts, LabEvent, OpenCommand, Watch } from '../protocol.ts';
import type { CheckpointFacts } from '../run-machine.ts';
import { IDLE, nextRun, type RunEvent, type RunState } from '../run-machine.ts';
import { createCheckpoints, factsOf, type Kept } from './checkpoints.ts';
import type { Devices } from './devices.ts';
import { closeRun, openRun, type OpenRun } from './open-run.ts';
import { toFailure } from './to-failure.ts';
import type { TrainerHooks } from './trainer.ts';
import type { Turns } from './turns.ts';
import type { WatchedRun } from './watched-run.ts';

interface RunHostOptions {
  readonly announce: (event: LabEvent, transfer?: Transferable[]) => void;
  /** The chosen data, once it is read. Rejects where there is none or something is wrong with it. */
  readonly data: (settings: RunSettings) => Promise<RunData>;
  readonly devices: Devices;
  readonly turns: Turns;
  /** How long to train before others get the device, ms. */
  readonly strideMs: () => number;
  /** Ends what uses the run from outside, such as writing; awaited before the run is closed. */
  readonly release: () => Promise<void>;
  readonly now: () => number;
}

/** Holds the one run of the lab and its last checkpoint. */
export class RunHost {
  readonly #options: RunHostOptions;
  readonly #checkpoints: ReturnType<typeof createCheckpoints>;
  #state: RunState = IDLE;
  #open: OpenRun | undefined;
  /** Counts openings: one that was overtaken gives up. */
  #opening = 0;
  #closing: Promise<void> = Promise.resolve();
  #watch: Watch | undefined;
  /** Of the run that is open, or was last. */
  #watched: WatchedRun | undefined;

  constructor(options: RunHostOptions) {
    this.#options = options;
    this.#checkpoints = createCheckpoints(options.now);
  }

  /** The run, while one is open. */
  current(): OpenRun | undefined {
    return this.#open;
  }

  /** The last checkpoint, where there is one. */
  kept(): Kept | undefined {
    return this.#checkpoints.kept();
  }

  async open(command: OpenCommand): Promise<void> {
    if (!this.#apply({ type: 'open' })) return;
    const mine = ++this.#opening;
    try {
      if (command.from === 'start') this.#checkpoints.forget();
      else if (this.#open) await this.#keep(this.#open);
      await this.#close();
      const opened = await this.#prepare(command);
      if (mine !== this.#opening) return await closeRun(opened, this.#options.turns);
      this.#enter(opened, command.next);
    } catch (error) {
      if (mine === this.#opening) this.#fail(error);
    }
  }

  train(goal: 'train' | 'step'): void {
    if (!this.#apply({ type: goal })) return;
    this.#open?.trainer.train(goal === 'train' ? 'budget' : 'step');
  }

  pause(): void {
    if (this.#apply({ type: 'pause' })) this.#open?.trainer.pause();
  }

  /** Forgets the run and its checkpoint. Settles when the device has its memory back. */
  reset(): Promise<void> {
    this.#opening++;
    this.#checkpoints.forget();
    this.#watched = undefined;
    this.#apply({ type: 'reset' });
    return this.#close();
  }

  watch(watch: Watch): void {
    this.#watch = watch;
    const open = this.#open;
    open?.observing?.watch(watch);
    if (open?.observing) this.#guard(open, open.observing.lookNow());
  }

  /**
   * Takes a checkpoint from outside in place of the run. Throws as `unpackTraining`, and EngineError
   * `checkpoint-mismatch` where the lab has a run of another family; then all is as before.
   */
  async load(files: CheckpointFiles): Promise<CheckpointFacts> {
    const stored = unpackTraining(files);
    // The form is bound to a run until its reset, and so is the family.
    if ('run' in this.#state) {
      requireArchitecture(stored.spec, this.#state.run.settings.architecture);
    }
    const checkpoint = factsOf(stored);
    this.#opening++;
    this.#checkpoints.forget();
    this.#checkpoints.keep(checkpoint.step, files);
    this.#apply({ type: 'loaded', checkpoint });
    await this.#close();
    return checkpoint;
  }

  /** A checkpoint of now. Throws EngineError `checkpoint-missing` where there is neither a run nor one kept. */
  async checkpoint(): Promise<Kept> {
    if (this.#open) return this.#keep(this.#open);
    const kept = this.#checkpoints.kept();
    if (kept) return kept;
    throw new EngineError('checkpoint-missing', 'there is no run and no checkpoint');
  }

  /** The device says that it is gone. */
  lost(backend: Backend, reason: string): void {
    if (this.#open?.backend === backend) this.#fail(new EngineError('device-lost', reason));
  }

  /** Why the run does not learn; of one that is over, as it was when it diverged. */
  async diagnose(): Promise<DiagnosisFacts | null> {
    const opened = this.#open;
    if (opened) return this.#options.turns.take(() => opened.watched.diagnose());
    return this.#watched?.last() ?? null;
  }

  async #prepare(command: OpenCommand): Promise<OpenRun> {
    const { settings, device, validateEvery, from, parent } = command;
    const { data, devices, turns, now } = this.#options;
    const read = await data(settings);
    this.#apply({ type: 'reached', stage: 'device' });
    const backend = await devices.open(device);
    this.#apply({ type: 'reached', stage: 'programs' });
    const kept = this.#checkpoints.kept();
    const stored = kept && unpackTraining(kept.files);
    const opened: OpenRun = await openRun({
      backend,
      data: read,
      settings,
      validateEvery,
      resume: from === 'weights' ? undefined : stored,
      weights: from === 'weights' ? stored : undefined,
      parent,
      turns,
      now,
      hooks: this.#hooks(() => opened),
    });
    return opened;
  }

  #hooks(opened: () => OpenRun): TrainerHooks {
    const { announce, strideMs } = this.#options;
    return {
      strideMs,
      progressed: (progress) => announce({ kind: 'progress', progress }),
      validated: async (validation) => {
        announce({ kind: 'validated', validation });
        const { loss } = validation;
        if (!this.#checkpoints.isBest(loss)) return;
        const kept = await this.#keep(opened());
        if (this.#open === opened()) this.#checkpoints.keepBest(loss, kept);
      },
      observed: (observation) => {
        const { spikes, membranes } = observation;
        const buffers = [spikes.buffer, ...membranes.map(({ values }) => values.buffer)];
        announce({ kind: 'observed', observation }, buffers);
      },
      stopped: () => this.#rest(opened(), 'stopped'),
      spent: () => this.#rest(opened(), 'spent'),
      failed: (error) => {
        if (this.#open === opened()) this.#fail(error);
      },
      between: async () => {
        await opened().observing?.lookIfDue();
        if (this.#checkpoints.isDue()) await this.#keep(opened());
      },
    };
  }

  #enter(opened: OpenRun, next: OpenCommand['next']): void {
    this.#open = opened;
    this.#watched = opened.watched;
    const { run, facts, observing, trainer } = opened;
    this.#apply({ type: 'opened', run: facts, step: run.step() });
    trainer.report();
    if (this.#watch) observing?.watch(this.#watch);
    this.#announceFloors(opened);
    if (next !== 'wait') this.train(next);
    else if (observing) this.#guard(opened, observing.lookNow());
  }

  /** Computed between strides; of a run that is closed before, nobody needs them. */
  #announceFloors(opened: OpenRun): void {
    void opened.run.floors().then(
      (floors) => {
        if (this.#open === opened) this.#options.announce({ kind: 'floors', floors });
      },
      () => undefined,
    );
  }

  /** No step is under way any more: what there is now is kept, and shown. */
  #rest(opened: OpenRun, type: 'stopped' | 'spent'): void {
    if (this.#open !== opened || !this.#apply({ type, step: opened.run.step() })) return;
    this.#guard(opened, this.#keep(opened));
    if (opened.observing) this.#guard(opened, opened.observing.lookNow());
  }

  /** One that ends after its run was closed is not kept: what is kept by then was announced, loaded or forgotten. */
  #keep(opened: OpenRun): Promise<Kept> {
    const { turns, now } = this.#options;
    return turns.take(async () => {
      const started = now();
      const step = opened.run.step();
      const files = await opened.run.checkpoint();
      if (this.#open !== opened) return { step, files };
      return this.#checkpoints.keep(step, files, now() - started);
    });
  }

  /** Work beside the training: its failure is the run's. */
  #guard(opened: OpenRun, work: Promise<unknown>): void {
    work.catch((error: unknown) => {
      if (this.#open === opened) this.#fail(error);
    });
  }

  #fail(error: unknown): void {
    const failure = toFailure(error);
    const isLost = failure.kind === 'engine' && failure.code === 'device-lost';
    if (failure.kind === 'engine' && failure.code === 'diverged') this.#checkpoints.fallBack();
    void this.#close();
    this.#apply({
      type: isLost ? 'lost' : 'failed',
      failure,
      checkpointStep: this.#checkpoints.kept()?.step ?? null,
    });
  }

  #close(): Promise<void> {
    const opened = this.#open;
    this.#open = undefined;
    if (!opened) return this.#closing;
    const { release, turns } = this.#options;
    opened.trainer.pause();
    this.#closing = Promise.all([this.#closing, release()]).then(() => closeRun(opened, turns));
    return this.#closing;
  }

  /** Moves to the next state and announces it; false where the event means nothing now. */
  #apply(event: RunEvent): boolean {
    const next = nextRun(this.#state, event);
    if (!next) return false;
    this.#state = next;
    this.#options.announce({ kind: 'run', run: next });
    return true;
  }
}
