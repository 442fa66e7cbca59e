import type { Player } from '../../graph/backend.ts';
import { sharedTensor, type Tensor, wordCount } from '../../graph/tensor.ts';
import { defaultEnergy } from '../../ops/energy-gate.ts';
import { defaultReward } from '../../ops/reward.ts';
import type { NeuronRules } from '../../settings/controls.ts';

/** Cost of a spike to its neuron, supply per time step, and the minimum that a spike needs. */
export interface EnergySettings {
  /** energy_importance: what a spike costs is this many times the consumption of 1. */
  readonly importance: number;
  /** energy_supply: of each time step, before the reward weighs it. */
  readonly supply: number;
  /** energy_threshold */
  readonly threshold: number;
}

export const defaultEnergySettings: EnergySettings = {
  importance: 1,
  supply: defaultEnergy.rate,
  threshold: defaultEnergy.threshold,
};

/** Rounding of a sum of so many steps: a gate that is this close to closing is computed. */
const ROUNDING = 2e-5;

/**
 * The first time step, counted from 0, at which the gate of a neuron that fires in every step can close;
 * undefined where it never can, however bad the rewards are.
 */
export function firstClosedStep(
  { importance, supply, threshold }: EnergySettings,
  { rewardMode }: Pick<NeuronRules, 'rewardMode'>,
): number | undefined {
  const { capacity, consumption } = defaultEnergy;
  const least = rewardMode === 'off' ? 1 : defaultReward.minSupply;
  const loss = consumption * importance - supply * least;
  if (loss <= 0) return undefined;
  return Math.floor((capacity - threshold) / (loss + ROUNDING)) + 1;
}

/** Tells whether a gate can close within so many steps. All neurons begin a sequence full. */
export function canClose(
  energy: EnergySettings,
  { rewardMode, energyGating }: Pick<NeuronRules, 'rewardMode' | 'energyGating'>,
  steps: number,
): boolean {
  const first = firstClosedStep(energy, { rewardMode });
  return energyGating && first !== undefined && first < steps;
}

/** Spikes of each neuron of a layer before its gate and behind it, since the host last cleared them. */
export interface GateCounts {
  readonly name: string;
  /** `u32[width]` */
  readonly fired: Tensor;
  readonly passed: Tensor;
}

export function createGateCounts(name: string, width: number): GateCounts {
  const counts = (what: string) => sharedTensor(`spikes of ${name} ${what}`, 'u32', [width]);
  return { name, fired: counts('before the gate'), passed: counts('behind the gate') };
}

/**
 * Where gates have acted since this was last asked: the share of spikes that they masked, and of neurons that
 * lost some. Nothing where there are no gates.
 */
export async function takeGateFigures(
  player: Player,
  gates: Iterable<GateCounts>,
): Promise<Readonly<Record<string, number>>> {
  let [spikes, masked, neurons, gated] = [0, 0, 0, 0];
  for (const { fired, passed } of gates) {
    const [before, behind] = [await player.read(fired), await player.read(passed)];
    for (const [neuron, count] of before.entries()) {
      const lost = count - (behind[neuron] ?? 0);
      spikes += count;
      masked += lost;
      neurons += 1;
      if (lost > 0) gated += 1;
    }
    for (const counts of [fired, passed]) player.write(counts, new Uint32Array(wordCount(counts)));
  }
  if (neurons === 0) return {};
  return { gated_spikes: spikes === 0 ? 0 : masked / spikes, gated_neurons: gated / neurons };
}
