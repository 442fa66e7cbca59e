import { describe, expect, it } from 'vitest';
import { compileStep } from '../../engine/neurons/closures.ts';
import { parseNeuron } from '../../engine/neurons/equations.ts';
import { type WrittenName, writtenNeurons } from '../../engine/neurons/written-catalogue.ts';
import { nirOfNeuron } from '../../engine/nir/export-neuron.ts';
import { readNir, writeNir } from '../../engine/nir/graph-file.ts';
import { openNir } from '../../engine/nir/open-nir.ts';
import { reference } from './play.ts';
import { randomSource } from './random.ts';

const SUBTRACTED =
  'state u = 0\nlearn beta = 0.75 in [0, 1]\nu = beta * u + 0.5 * I\ns = spike(u - 2)\nu = u - 1.5 * s';
const STEPS = 300;

/** Spikes of the equations, and of their graph as it was written and read. */
async function bothOf(text: string, highest: number) {
  const neuron = parseNeuron(text);
  const { graph, reset } = nirOfNeuron(neuron);
  const again = readNir(writeNir({ version: '', graph })).graph;
  const input = randomSource(9).floats(STEPS, -0.2 * highest, highest);
  const options = { dt: neuron.dt, reset, steps: STEPS, rows: 1 };
  const network = await openNir(reference, again, options);
  const { output } = await network.run({ input });
  const step = compileStep(neuron);
  const constants = [
    ...neuron.parameters.map(({ value }) => value),
    ...neuron.learned.map(({ initial }) => initial),
  ];
  const state = new Float64Array(neuron.states.length);
  const expected = Array.from(input, (current) =>
    Number(step(state, constants, current, neuron.dt)),
  );
  return { type: again.nodes.get('neuron')?.type, reset, expected, actual: [...output!] };
}

describe('a neuron of equations as a NIR graph', () => {
  it.each<[string, string, number, string, string]>([
    ['lif', writtenNeurons.lif.text, 0.4, 'LIF', 'delayed'],
    ['lif_zero', writtenNeurons.lif_zero.text, 0.4, 'LIF', 'value'],
    ['plif', writtenNeurons.plif.text, 3, 'LIF', 'value'],
    ['current_lif', writtenNeurons.current_lif.text, 0.1, 'CubaLIF', 'delayed'],
    ['a subtracted reset', SUBTRACTED, 3, 'LIF', 'subtract'],
    [
      'no leak',
      'state u = 0\nu = u + I\ns = spike(u - 1)\nu = s > 0 ? 0 : max(u, -9)',
      0.5,
      'IF',
      'value',
    ],
  ])('fires as %s', async (_, text, highest, ...kind) => {
    const found = await bothOf(text, highest);

    expect([found.type, found.reset]).toEqual(kind);
    expect(found.actual).toEqual(found.expected);
    expect(found.expected.filter(Boolean).length).toBeGreaterThan(10);
  });

  it.each<[WrittenName, string]>([
    ['alif', 'NIR has no node for'],
    ['adlif', 'NIR has no node for'],
    ['adex', 'NIR has no node for first states other than 0'],
    ['izhikevich', 'NIR has no node for first states other than 0'],
    ['lif_integer', 'NIR has no node for a membrane that is not linear'],
    ['resonate_and_fire', 'NIR has no node for'],
    ['entangled', 'NIR has no node for means over a layer'],
  ])('is refused for %s, with a reason', (name, message) => {
    expect(() => nirOfNeuron(parseNeuron(writtenNeurons[name].text))).toThrow(message);
  });
});
