/** Networks without gradients: described as data, planned, run and looked at. */
export { projectionName } from './description.ts';
export type {
  Connection,
  PlasticitySpec,
  PopulationSpec,
  ProjectionSpec,
  RecorderSpec,
  SimulationDescription,
  StimulusSpec,
  Values,
} from './description.ts';
export {
  balancedNetwork,
  type BalancedOptions,
  izhikevichNetwork,
  smallBalanced,
} from './networks.ts';
export { parseDescription } from './parse-description.ts';
export { formatSimulationPlan, planSimulation, type SimulationPlan } from './plan.ts';
export type { PlasticityRule, SynapseTensors } from './plasticity.ts';
export type { Recording, SpikeEvents, StateTrace } from './recorders.ts';
export {
  type AdvanceOptions,
  createSimulation,
  type Simulation,
  type SimulationOptions,
} from './simulation.ts';
export {
  binRates,
  createSpikeMeter,
  histogram,
  type Histogram,
  type SpikeMeter,
  spikeStatistics,
  type SpikeStatistics,
} from './statistics.ts';
