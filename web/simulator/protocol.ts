import type { DeviceDescription, SimulationDescription } from '../../engine/index.ts';
import type { SpikeFigures } from './host/spike-analysis.ts';

/*
 * Messages between the Simulator screen and its worker. The worker announces every change; the page
 * shows the latest announcement.
 */

/** A network as it was opened. */
export interface NetworkFacts {
  readonly device: DeviceDescription;
  readonly neurons: number;
  readonly synapses: number;
  /** Memory of the simulation on its device. */
  readonly bytes: number;
}

export type SimulationState =
  | { readonly status: 'opening' }
  | { readonly status: 'paused'; readonly network: NetworkFacts }
  | { readonly status: 'running'; readonly network: NetworkFacts }
  | { readonly status: 'failed'; readonly message: string };

/** Results of consecutive steps, which fill whole columns of the raster. */
export interface StepsFacts {
  /** The number of steps before these. */
  readonly from: number;
  readonly steps: number;
  /** [steps / columnSteps][ceil(rows / 32)] of the layout: which rows had a spike in each column. */
  readonly raster: Uint32Array<ArrayBuffer>;
  /** Spikes in each step of each population: [populations][steps]. */
  readonly counts: readonly Uint32Array<ArrayBuffer>[];
}

export interface FiguresFacts {
  /** Simulated time, ms. */
  readonly time: number;
  readonly stepsPerSecond: number;
  readonly eventsPerSecond: number;
  readonly populations: readonly SpikeFigures[];
  /** The weights of each plastic projection, in their order. */
  readonly weights: readonly Float32Array<ArrayBuffer>[];
}

export type SimulatorCommand =
  | {
      readonly kind: 'open';
      readonly description: SimulationDescription;
      readonly next: 'run' | 'wait';
    }
  | { readonly kind: 'run' }
  | { readonly kind: 'pause' }
  | { readonly kind: 'step' };

export type SimulatorEvent =
  | { readonly kind: 'state'; readonly state: SimulationState }
  | { readonly kind: 'steps'; readonly steps: StepsFacts }
  | { readonly kind: 'figures'; readonly figures: FiguresFacts };
