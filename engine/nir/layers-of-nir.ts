import type { LayerOptions } from '../layers/layer.ts';
import { EngineError } from '../errors.ts';
import { NEURON_PARAMETERS } from '../ops/integrate-fire.ts';
import type { NirPrimitive, NirTensor } from './graph.ts';
import type { NeuronStage } from './neurons.ts';
import type { PlannedNode } from './plan.ts';
import { sizeOf, transpose } from './shapes.ts';

/** A layer as JSON, and the numbers of its parameters by the end of their names. */
export interface ReadLayer {
  readonly json: LayerOptions & { readonly kind: string };
  readonly values: Readonly<Record<string, ArrayLike<number>>>;
}

type Convolution = NirPrimitive<'Conv1d' | 'Conv2d'>;

/** A node as a layer. Throws EngineError `checkpoint-mismatch` for one that no layer computes. */
export function layerOfNode(planned: PlannedNode, recurrent: NirTensor | undefined): ReadLayer {
  const { node, output } = planned;
  switch (node.type) {
    case 'Linear':
    case 'Affine':
      return linearLayer(node);
    case 'Conv1d':
    case 'Conv2d':
      return convolution(node);
    case 'SumPool2d':
    case 'AvgPool2d':
      return poolLayer(node);
    case 'Flatten':
      if (output.length === 1) return { json: { kind: 'flatten' }, values: {} };
      throw unread(planned, `gives [${output.join(', ')}]: expected one axis`);
    default:
      return neuronLayer(planned, recurrent);
  }
}

function poolLayer(node: NirPrimitive<'SumPool2d' | 'AvgPool2d'>): ReadLayer {
  const { kernel_size: kernel, stride, padding } = node;
  const kind = node.type === 'SumPool2d' ? 'sumPool' : 'averagePool';
  return { json: { kind, kernel, stride, padding }, values: {} };
}

function linearLayer(node: NirPrimitive<'Linear' | 'Affine'>): ReadLayer {
  const [outputs = 0, inputs = 0] = node.weight.shape;
  const weight = transpose(node.weight.data, [outputs, inputs]);
  const hasBias = node.type === 'Affine';
  return {
    json: { kind: 'linear', outputs, bias: hasBias },
    values: { weight, ...(hasBias && { bias: node.bias.data }) },
  };
}

function convolution(node: Convolution): ReadLayer {
  const [channels = 0, , ...kernel] = node.weight.shape;
  const { stride, padding, dilation, groups } = node;
  const window = { stride, padding, dilation, groups };
  const isSequence = node.type === 'Conv1d';
  const size = isSequence ? kernel[0] : kernel;
  return {
    json: { kind: isSequence ? 'conv1d' : 'conv2d', channels, kernel: size, ...window },
    values: { weight: node.weight.data, bias: node.bias.data },
  };
}

/** Nodes that fire. */
const FIRING: readonly string[] = ['Threshold', 'IF', 'LIF', 'CubaLIF'];

function neuronLayer(planned: PlannedNode, recurrent: NirTensor | undefined): ReadLayer {
  if (!FIRING.includes(planned.node.type)) {
    throw unread(planned, 'is no layer: openNir runs networks that have it');
  }
  const neurons = sizeOf(planned.output);
  return {
    json: { ...neuronJson(neuronsOf(planned), recurrent !== undefined) },
    values: recurrent ? { weight: transpose(recurrent.data, [neurons, neurons]) } : {},
  };
}

type Lines = Readonly<Record<(typeof NEURON_PARAMETERS)[number], number>>;

interface Neurons extends Lines {
  readonly rule: NeuronStage['reset'];
  /** The membrane before the first step. */
  readonly rest: number;
  readonly synapse: Lines | undefined;
}

function neuronsOf(planned: PlannedNode): Neurons {
  const all = planned.stages.map((stage) => linesOf(planned, stage));
  const [last, stage] = [all.at(-1), planned.stages.at(-1)];
  if (!last || !stage) throw unread(planned, 'has no neurons');
  const synapse = all.length > 1 ? all[0] : undefined;
  return { ...last, rule: stage.reset, rest: stage.start[0] ?? 0, synapse };
}

/** `lif` or `currentLif` where these are the neurons, else their equations. */
function neuronJson(neurons: Neurons, isRecurrent: boolean): ReadLayer['json'] {
  const { decay: beta, threshold, synapse } = neurons;
  const again = isRecurrent ? { recurrent: true } : {};
  if (!isPlain(neurons)) return { kind: 'neuron', equations: equationsOf(neurons), ...again };
  if (synapse) return { kind: 'currentLif', alpha: synapse.decay, beta, threshold, ...again };
  return isRecurrent
    ? { kind: 'recurrentLif', beta, threshold, bias: false }
    : { kind: 'lif', beta, threshold };
}

/** Whether they take their whole input, rest at 0, and lose their threshold in the step after a spike. */
function isPlain({ gain, drift, rest, rule, reset, threshold, synapse }: Neurons): boolean {
  const isAtRest = drift === 0 && rest === 0;
  const takesAll = gain === 1 && (synapse?.gain ?? 1) === 1;
  return isAtRest && takesAll && rule === 'delayed' && reset === threshold && threshold > 0;
}

function equationsOf(neurons: Neurons): string {
  const { decay, gain, drift, threshold, reset, rule, rest, synapse } = neurons;
  const isDelayed = rule === 'delayed';
  const states = [...(synapse ? ['i = 0'] : []), `u = ${rest}`, ...(isDelayed ? ['s = 0'] : [])];
  const after: Partial<Record<typeof rule, string>> = {
    value: `u = s > 0 ? ${reset} : u`,
    subtract: `u = u - detach(s) * ${reset}`,
  };
  const input = synapse ? 'i' : 'I';
  const lines = [
    `state ${states.join(', ')}`,
    synapse && `i = ${synapse.decay} * i + ${synapse.gain} * I`,
    `u = ${decay} * u + ${gain} * ${input} + ${drift}${isDelayed ? ` - detach(s) * ${reset}` : ''}`,
    `s = spike(u - ${threshold})`,
    after[rule],
  ];
  const text = lines.filter((line) => line !== undefined).join('\n');
  return text.replaceAll('+ -', '- ').replaceAll('- -', '+ ');
}

/** The numbers of a stage, one for all neurons. */
function linesOf(planned: PlannedNode, { parameters }: NeuronStage): Lines {
  const width = parameters.length / NEURON_PARAMETERS.length;
  const lines = NEURON_PARAMETERS.map((line, at) => {
    const numbers = parameters.subarray(at * width, (at + 1) * width);
    const [first = 0] = numbers;
    const other = numbers.findIndex((value) => value !== first);
    if (other < 0) return [line, first];
    throw unread(
      planned,
      `has neurons that differ: ${line} is ${first} at neuron 0 and ${numbers[other]} at ${other}, ` +
        'and neurons of a layer share their constants',
    );
  });
  return Object.fromEntries(lines) as unknown as Lines;
}

export function unread(
  { name, node }: Pick<PlannedNode, 'name' | 'node'>,
  what: string,
): EngineError {
  return new EngineError('checkpoint-mismatch', `NIR: ${name} (${node.type}) ${what}`);
}
