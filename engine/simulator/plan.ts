import { EngineError } from '../errors.ts';
import type { DeviceDescription } from '../graph/backend.ts';
import { constantCount, FIELD_CONSTANTS } from '../kernels/neuron-model.ts';
import { WORD_BYTES, wordsPerRow } from '../graph/tensor.ts';
import { neuronModel } from '../neurons/catalogue.ts';
import {
  isSource,
  type PopulationSpec,
  projectionName,
  type ProjectionSpec,
  recorderName,
  type RecorderSpec,
  type SimulationDescription,
} from './description.ts';
import { readNumber } from './parse-values.ts';
import type { Extensions } from './network.ts';
import { expectedSynapses, stepsOf } from './synapses.ts';

/** Memory of a network on a device, known before anything is drawn. */
export interface SimulationPlan {
  readonly neurons: number;
  /** As many as are to be expected, where chance decides. */
  readonly synapses: number;
  /** Steps that recorders hold between two readings. */
  readonly capacity: number;
  readonly parts: readonly PlannedPart[];
  readonly totalBytes: number;
}

/** A population, projection or recorder; each of its tensors is a block of memory. */
interface PlannedPart {
  readonly name: string;
  readonly bytes: number;
  readonly largestBlockBytes: number;
}

interface PlanOptions extends Extensions {
  /** Maximum number of steps that recorders buffer. */
  readonly recordedSteps?: number;
}

const DEFAULT_STEPS = 1000;
/** Recorders buffer fewer steps if they would take more than this together. */
const HISTORY_BYTES = 2 ** 26;
/** Address space of WASM, and of the host's arrays of synapses. */
const MAX_BYTES = 2 ** 32 - 2 ** 16;

/** Plans the memory of a checked description. */
export function planSimulation(
  description: SimulationDescription,
  options: PlanOptions = {},
): SimulationPlan {
  const { populations, projections = [], recorders = [] } = description;
  const sizes = projections.map((projection) => sizeOf(projection, description));
  const slotsOf = (name: string) =>
    Math.max(1, ...sizes.filter(({ to }) => to === name).map(({ slots }) => slots));
  const lines = recorders.map((recorder) => lineOf(recorder, populations));
  const lineBytes = WORD_BYTES * lines.reduce((sum, words) => sum + words, 0);
  const max = readNumber('recordedSteps', options.recordedSteps ?? DEFAULT_STEPS, {
    min: 1,
    isWhole: true,
  });
  const capacity = Math.max(1, Math.min(max, Math.floor(HISTORY_BYTES / Math.max(lineBytes, 1))));
  const parts = [
    ...populations.map((spec) => part(spec.name, tensorsOf(spec, slotsOf(spec.name), options))),
    ...sizes.map(({ name, tensors }) => part(name, tensors)),
    ...recorders.map((recorder, i) => part(recorderName(recorder), [capacity * (lines[i] ?? 0)])),
  ];
  return {
    neurons: populations.reduce((sum, { count }) => sum + count, 0),
    synapses: sizes.reduce((sum, { synapses }) => sum + synapses, 0),
    capacity,
    parts,
    totalBytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** A part with tensors of these sizes in words. */
function part(name: string, words: readonly number[]): PlannedPart {
  const bytes = WORD_BYTES * words.reduce((sum, count) => sum + count, 0);
  return { name, bytes, largestBlockBytes: WORD_BYTES * Math.max(...words) };
}

/** Words of the tensors of a population. */
function tensorsOf(spec: PopulationSpec, slots: number, { models }: Extensions): number[] {
  const { count, parameters = {}, spikes } = spec;
  const bits = wordsPerRow(count);
  // A probability for each, or the words of each step with their indices.
  if (isSource(spec.model)) return [bits, spikes ? 3 * spikes.length : count];
  const model = neuronModel(spec.model, models);
  const perNeuron = Object.values(parameters).some((values) => typeof values !== 'number');
  const constants = constantCount(model) * (perNeuron ? count : 1);
  return [bits, count * slots, count, count * model.states.length, constants];
}

function sizeOf(spec: ProjectionSpec, { populations, dt }: SimulationDescription) {
  const countOf = (name: string) => populations.find((one) => one.name === name)?.count ?? 0;
  const [sources, targets] = [countOf(spec.from), countOf(spec.to)];
  const ends = { sources, targets, isSame: spec.from === spec.to };
  const synapses = expectedSynapses(spec.connect, ends);
  const { delay = dt } = spec;
  const tensors = [
    sources + 1,
    synapses,
    synapses,
    ...(typeof delay === 'number' ? [] : [synapses]),
    ...(spec.plasticity ? [targets + 1, synapses, synapses] : []),
  ];
  const slots = longestDelay(delay, dt);
  return { name: projectionName(spec), to: spec.to, synapses, slots, tensors };
}

/** In steps; a normal distribution is bounded at four standard deviations. */
function longestDelay(delay: NonNullable<ProjectionSpec['delay']>, dt: number): number {
  if (typeof delay === 'number') return stepsOf(delay, dt);
  if ('uniform' in delay) return stepsOf(delay.uniform[1], dt);
  if ('normal' in delay) return stepsOf(delay.normal[0] + 4 * delay.normal[1], dt);
  return delay.reduce((max, ms) => Math.max(max, stepsOf(ms, dt)), 1);
}

function lineOf(recorder: RecorderSpec, populations: readonly PopulationSpec[]): number {
  const count = populations.find(({ name }) => name === recorder.of)?.count ?? 0;
  if (recorder.kind === 'rate') return 1;
  if (recorder.kind === 'synchrony') return FIELD_CONSTANTS;
  return recorder.kind === 'spikes' ? wordsPerRow(count) : (recorder.neurons?.length ?? count);
}

/** Throws EngineError `out-of-memory` naming the bytes and the largest part, before anything is drawn. */
export function requireMemory(plan: SimulationPlan, { maxBlockBytes }: DeviceDescription): void {
  const { parts, totalBytes, neurons, synapses } = plan;
  const byBlock = parts.toSorted((a, b) => b.largestBlockBytes - a.largestBlockBytes);
  const largest = byBlock[0]?.largestBlockBytes ?? 0;
  const max = maxBlockBytes ?? MAX_BYTES;
  if (totalBytes <= MAX_BYTES && largest <= max) return;
  throw new EngineError(
    'out-of-memory',
    `${neurons} neurons with ${synapses} synapses need ${totalBytes} bytes, ${largest} of them for one ` +
      `block of ${byBlock[0]?.name}: expected at most ${MAX_BYTES} in all and ${max} in a block`,
  );
}

/** The plan as text, a line for each population, projection and recorder. */
export function formatSimulationPlan(plan: SimulationPlan): string {
  const lines = plan.parts.map(({ name, bytes }) => `  ${String(bytes).padStart(13)}  ${name}`);
  return [
    `${plan.neurons} neurons, ${plan.synapses} synapses, recorders of ${plan.capacity} steps`,
    `  ${'bytes'.padStart(13)}`,
    ...lines,
    `  ${String(plan.totalBytes).padStart(13)}  in all`,
  ].join('\n');
}
