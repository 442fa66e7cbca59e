import type { Initial, ParameterSpec } from '../../graph/parameters.ts';
import { neuronParameters } from './neurons.ts';
import type { ChronospikeStructure } from './structure.ts';

/** Share of neurons expected to fire: spike-fed layers start so that their currents have unit variance. */
const EXPECTED_RATE = 0.17;
const READOUT_DEVIATION = 0.02;
/** The direct path starts with sigmoid(-2), about 12 %. */
const INITIAL_MIX = -2;

/**
 * The parameters of the family in a fixed order: 2 V D + V + D + 1 + blocks (12 D^2 + 11 D) numbers, and
 * two more for each neuron where these are EvoLIF: blocks 20 D.
 * Weights are `[inputs, outputs]`; the columns of `qkv` are queries, keys and values in this order.
 */
export function chronospikeParameters(structure: ChronospikeStructure): ParameterSpec[] {
  const { vocabulary, width, blocks } = structure;
  return [
    matrix('embed.weight', [vocabulary, width], normal(1)),
    ...Array.from({ length: blocks }, (_, block) => blockParameters(block, structure)).flat(),
    vector('norm.weight', [width], constant(1)),
    matrix('readout.weight', [width, vocabulary], normal(READOUT_DEVIATION)),
    vector('readout.bias', [vocabulary], uniform(width ** -0.5)),
    vector('readout_direct_logit_mix', [1], constant(INITIAL_MIX)),
  ];
}

function blockParameters(block: number, structure: ChronospikeStructure): ParameterSpec[] {
  const { width, blocks } = structure;
  const name = (part: string) => `blocks.${block}.${part}`;
  const spikeFed = normal((EXPECTED_RATE * width) ** -0.5);
  const residual = normal(0.1 * (2 * blocks) ** -0.5);
  return [
    vector(name('norm1.weight'), [width], constant(1)),
    vector(name('norm1.bias'), [width], constant(0)),
    vector(name('shift1'), [width], constant(0.5)),
    matrix(name('qkv.weight'), [width, 3 * width], spikeFed),
    matrix(name('out.weight'), [width, width], residual),
    vector(name('norm2.weight'), [width], constant(1)),
    vector(name('norm2.bias'), [width], constant(0)),
    vector(name('shift2'), [width], constant(0.5)),
    matrix(name('up.weight'), [width, 4 * width], spikeFed),
    vector(name('up.bias'), [4 * width], uniform(width ** -0.5)),
    matrix(name('down.weight'), [4 * width, width], residual),
    vector(name('down.bias'), [width], uniform((4 * width) ** -0.5)),
    ...neuronParameters(structure, block),
  ];
}

const normal = (deviation: number): Initial => ({ kind: 'normal', deviation });
const uniform = (bound: number): Initial => ({ kind: 'uniform', bound });
const constant = (value: number): Initial => ({ kind: 'constant', value });

function matrix(name: string, shape: readonly number[], initial: Initial): ParameterSpec {
  return { name, shape, initial, decayed: true };
}

function vector(name: string, shape: readonly number[], initial: Initial): ParameterSpec {
  return { name, shape, initial, decayed: false };
}
