import { EngineError } from '../errors.ts';
import type { ParameterLayout } from '../graph/parameters.ts';
import type { SpikingMlpStructure } from '../models/spiking-mlp/structure.ts';
import type { NirGraph } from './graph.ts';
import { GraphBuilder, lifNode, transposed, valuesOf } from './graph-builder.ts';

/** A dense layer of leaky integrate-and-fire neurons. */
export interface DenseLayer {
  readonly name: string;
  readonly inputs: number;
  readonly outputs: number;
  /** `[inputs, outputs]`, as the engine stores it. */
  readonly weight: Float32Array;
  /** `[outputs]` */
  readonly bias?: Float32Array;
  /** Fraction of the membrane kept per step; 1 for neurons without a leak. */
  readonly beta: number;
  readonly threshold: number;
}

/** A stack of dense layers as a graph; its Output is the spikes of the last. */
export function nirOfLayers(layers: readonly DenseLayer[], dt: number): NirGraph {
  const [first, last] = [layers[0], layers.at(-1)];
  if (!first || !last) throw new EngineError('invalid-structure', 'NIR: there are no layers');
  if (!(dt > 0)) throw new EngineError('invalid-setting', `NIR: dt is ${dt}: expected more than 0`);
  const builder = new GraphBuilder();
  builder.add('input', { type: 'Input', shape: [first.inputs] });
  for (const { name, inputs, outputs, bias, beta, threshold, ...layer } of layers) {
    const weight = transposed(name, [inputs, outputs], layer.weight);
    builder.add(
      `${name}_weight`,
      bias
        ? { type: 'Affine', weight, bias: { shape: [outputs], data: bias.slice() } }
        : { type: 'Linear', weight },
    );
    builder.add(`${name}_neurons`, lifNode(name, [outputs], { beta, threshold, dt }));
  }
  builder.add('output', { type: 'Output', shape: [last.outputs] });
  return builder.graph(dt);
}

/** A spiking classifier as a graph; its outputs are the spikes that its classes are read from. */
export function nirOfSpikingMlp(
  { inputs, hidden, classes, beta, threshold }: SpikingMlpStructure,
  layout: ParameterLayout,
  values: Float32Array,
  dt: number,
): NirGraph {
  const parameters = { layout, values, dt };
  const layer = (name: string, from: number, to: number): DenseLayer => ({
    name,
    inputs: from,
    outputs: to,
    weight: valuesOf(parameters, `${name}.weight`),
    bias: valuesOf(parameters, `${name}.bias`),
    beta,
    threshold,
  });
  return nirOfLayers([layer('hidden', inputs, hidden), layer('output', hidden, classes)], dt);
}
