import type { SimulationDescription, SpikeEvents } from '../../../engine/index.ts';
import { createStride } from '../../lab/host/stride.ts';
import type { FiguresFacts, NetworkFacts, SimulatorCommand, SimulatorEvent } from '../protocol.ts';
import type { RasterLayout } from '../raster-layout.ts';
import { countsPerStep, fillRows } from './raster-rows.ts';
import { createSpikeAnalysis } from './spike-analysis.ts';

/** A network on its device. */
export interface Network {
  readonly facts: NetworkFacts;
  readonly layout: RasterLayout;
  /** Synapses that leave a neuron of each population, on average. */
  readonly outDegrees: readonly number[];
  /** Advances all populations and gives the spikes of each. */
  advance(steps: number): Promise<readonly SpikeEvents[]>;
  /** The weights of the plastic projections. */
  weights(): Promise<readonly Float32Array<ArrayBuffer>[]>;
  close(): void;
}

interface SimulatorPorts {
  readonly open: (description: SimulationDescription) => Promise<Network>;
  readonly post: (event: SimulatorEvent, transfer?: Transferable[]) => void;
  /** ms, rising */
  readonly now: () => number;
  /** Yields to incoming messages, after so many ms. */
  readonly wait: (ms: number) => Promise<void>;
}

/** Computation time before incoming messages are processed. */
const STRIDE_MS = 25;
/** Figures are sent this often. */
const FIGURES_EVERY_MS = 500;

/** Runs one network at a time and announces all that happens in it. */
export class SimulatorHost {
  readonly #ports: SimulatorPorts;
  #session: Session | undefined;
  /** Counts the openings: what an earlier one still announces is left unsaid. */
  #openings = 0;

  constructor(ports: SimulatorPorts) {
    this.#ports = ports;
  }

  async receive(command: SimulatorCommand): Promise<void> {
    switch (command.kind) {
      case 'open':
        return this.#open(command.description, command.next);
      case 'run':
        return this.#session?.run();
      case 'step':
        return this.#session?.step();
      default:
        return this.#session?.pause();
    }
  }

  async #open(description: SimulationDescription, next: 'run' | 'wait'): Promise<void> {
    const opening = ++this.#openings;
    const { open, post } = this.#ports;
    await this.#session?.end();
    this.#session = undefined;
    post({ kind: 'state', state: { status: 'opening' } });
    try {
      const network = await open(description);
      if (opening !== this.#openings) {
        network.close();
        return;
      }
      this.#session = new Session(network, this.#ports);
      post({ kind: 'state', state: { status: 'paused', network: network.facts } });
      if (next === 'run') void this.#session.run();
    } catch (error) {
      if (opening === this.#openings) post(failed(error));
    }
  }
}

const failed = (error: unknown): SimulatorEvent => ({
  kind: 'state',
  state: { status: 'failed', message: error instanceof Error ? error.message : String(error) },
});

const NO_SPIKES: SpikeEvents = { step: new Uint32Array(), neuron: new Uint32Array() };

/** One network from its opening to its end. */
class Session {
  readonly #network: Network;
  readonly #ports: SimulatorPorts;
  readonly #analyses: readonly ReturnType<typeof createSpikeAnalysis>[];
  readonly #stride = createStride();
  #steps = 0;
  #wish: 'run' | 'pause' = 'pause';
  /** The work under way, if any: steps are computed by one caller at a time. */
  #work: Promise<void> = Promise.resolve();
  /** Since the last figures. */
  #since = { at: 0, steps: 0, events: 0 };

  constructor(network: Network, ports: SimulatorPorts) {
    this.#network = network;
    this.#ports = ports;
    const { populations, dt } = network.layout;
    this.#analyses = populations.map(({ count }) => createSpikeAnalysis(count, dt));
  }

  async run(): Promise<void> {
    if (this.#wish === 'run') return;
    this.#wish = 'run';
    this.#announce();
    this.#since = { at: this.#ports.now(), steps: 0, events: 0 };
    this.#work = this.#work.then(() => this.#loop());
  }

  async pause(): Promise<void> {
    this.#wish = 'pause';
    await this.#work;
    await this.#sendFigures();
    this.#announce();
  }

  /** As many steps as fill a column of the raster. */
  async step(): Promise<void> {
    if (this.#wish === 'run') return;
    this.#work = this.#work.then(() =>
      this.#guard(() => this.#advance(this.#network.layout.columnSteps)),
    );
    await this.#work;
    await this.#sendFigures();
  }

  async end(): Promise<void> {
    this.#wish = 'pause';
    await this.#work;
    this.#network.close();
  }

  #announce() {
    const status = this.#wish === 'run' ? 'running' : 'paused';
    this.#ports.post({ kind: 'state', state: { status, network: this.#network.facts } });
  }

  /** Keeps to real time where the device is faster: a picture that flies past shows nothing. */
  async #loop(): Promise<void> {
    const { now, wait } = this.#ports;
    const { dt, columnSteps } = this.#network.layout;
    const [beganAt, beganWith] = [now(), this.#steps];
    await this.#guard(async () => {
      while (this.#wish === 'run') {
        const due = Math.ceil((now() - beganAt) / dt) - (this.#steps - beganWith);
        const began = now();
        const columns = Math.min(Math.max(1, due), this.#stride.next(STRIDE_MS)) / columnSteps;
        const steps = Math.ceil(columns) * columnSteps;
        if (due > 0) {
          await this.#advance(steps);
          this.#stride.took(steps, now() - began);
        }
        if (now() - this.#since.at >= FIGURES_EVERY_MS) await this.#sendFigures();
        await wait(due > steps ? 0 : 8);
      }
    });
  }

  /** A device failure ends the run and is reported. */
  async #guard(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#wish = 'pause';
      this.#ports.post(failed(error));
    }
  }

  async #advance(steps: number): Promise<void> {
    const { layout, outDegrees } = this.#network;
    const spikes = await this.#network.advance(steps);
    const from = this.#steps;
    const { columnSteps } = layout;
    const rowWords = Math.ceil(layout.rows / 32);
    const raster = new Uint32Array((steps / columnSteps) * rowWords);
    const counts = layout.populations.map((part, index) => {
      const events = spikes[index] ?? NO_SPIKES;
      this.#analyses[index]?.add(events, steps);
      fillRows(events, part, { from, rowWords, words: raster, columnSteps });
      this.#since.events += events.step.length * (outDegrees[index] ?? 0);
      return countsPerStep(events, from, steps);
    });
    this.#steps += steps;
    this.#since.steps += steps;
    this.#ports.post({ kind: 'steps', steps: { from, steps, raster, counts } }, [
      raster.buffer,
      ...counts.map(({ buffer }) => buffer),
    ]);
  }

  async #sendFigures(): Promise<void> {
    const { now, post } = this.#ports;
    const seconds = (now() - this.#since.at) / 1000;
    const figures: FiguresFacts = {
      time: this.#steps * this.#network.layout.dt,
      stepsPerSecond: this.#since.steps / seconds,
      eventsPerSecond: this.#since.events / seconds,
      populations: this.#analyses.map((analysis) => analysis.figures()),
      weights: await this.#network.weights(),
    };
    this.#since = { at: now(), steps: 0, events: 0 };
    post({ kind: 'figures', figures });
  }
}
