import type { Backend, Player } from '../graph/backend.ts';
import { Graph } from '../graph/graph.ts';
import { parameterValues } from '../graph/parameters.ts';
import { type Tensor, wordsPerRow } from '../graph/tensor.ts';
import { keep } from '../ops/keep.ts';
import type { InputForm } from './example-inputs.ts';
import type { Network } from './network.ts';
import type { NamedLayer } from './place-layers.ts';
import { inputTensor, startPass } from './predict.ts';

interface Suspect {
  readonly network: Network;
  readonly backend: Backend;
  readonly values: Float32Array;
  readonly form: InputForm;
  readonly rows: number;
  /** The batch at which it went wrong. */
  readonly inputs: Float32Array | Uint32Array;
}

/** Findings inside a network, for a message. */
interface Diagnosis {
  /** The first layer with numbers that are not finite, and which these are. */
  readonly notFinite: string | undefined;
  /** Layers of neurons none of which fires. */
  readonly silent: readonly string[];
  /** Layers of neurons all of which fire in every step. */
  readonly saturated: readonly string[];
}

/** Runs a network once more, layer by layer, and looks at everything in it. */
export async function diagnose(suspect: Suspect): Promise<Diagnosis> {
  const { network, backend, values, form, rows, inputs } = suspect;
  const graph = new Graph('diagnosis', network.layout);
  const input = inputTensor(graph, network, form, rows);
  const membranes: Tensor[] = [];
  const pass = startPass(graph, ({ name, keepMembranes }) => {
    if (keepMembranes) membranes.push(keepMembranes(`membranes of ${name}`));
  });
  let tensor = input;
  const looked = network.layers.map((layer) => {
    membranes.length = 0;
    tensor = layer.forward(pass, tensor);
    const output = keep(graph, `output of ${layer.site.name}`, tensor);
    return { layer, output, membranes: [...membranes] };
  });
  const program = graph.build();
  const player = await backend.load(network.layout, [program]);
  try {
    player.write(network.layout.values, values);
    player.write(input, inputs);
    player.play(program);
    const findings: Finding[] = [];
    for (const one of looked) findings.push(await lookInto(player, one, suspect));
    const sickInput = input.dtype === 'f32' && !areFinite(inputs) ? 'the data itself' : undefined;
    const titlesOf = (share: number) =>
      findings.filter(({ fired }) => fired === share).map(({ title }) => title);
    return {
      notFinite: sickInput ?? findings.find(({ sick }) => sick !== undefined)?.sick,
      silent: titlesOf(0),
      saturated: titlesOf(1),
    };
  } finally {
    player.close();
  }
}

interface Looked {
  readonly layer: NamedLayer;
  readonly output: Tensor;
  readonly membranes: readonly Tensor[];
}

interface Finding {
  readonly title: string;
  /** Where there are numbers that are not finite. */
  readonly sick: string | undefined;
  /** Share of neurons and steps with a spike; absent where there are no neurons. */
  readonly fired: number | undefined;
}

async function lookInto(
  player: Player,
  { layer, output, membranes }: Looked,
  { network, values }: Suspect,
): Promise<Finding> {
  const { title } = layer.site;
  const numbers = await player.read(output);
  const isSpikes = output.dtype === 'bits';
  // The player may overwrite what it has read with what it reads next.
  const fired = isSpikes ? shareFired(output, numbers) : undefined;
  const isOutputSick = !isSpikes && !areFinite(numbers);
  const sickParameter = layer.parameters.find(
    ({ name }) => !areFinite(parameterValues(network.layout.get(name), values)),
  );
  const places = [
    ...(sickParameter ? [`in its parameter ${sickParameter.name}`] : []),
    ...((await anySick(player, membranes)) ? ['in its membranes'] : []),
    ...(isOutputSick ? ['in its output'] : []),
  ];
  return { title, sick: places[0] === undefined ? undefined : `${title}, ${places[0]}`, fired };
}

/** Bits behind the last neuron of a row may be anything. */
function shareFired({ shape }: Tensor, words: Float32Array | Uint32Array): number {
  const width = shape.at(-1) ?? 1;
  const perRow = wordsPerRow(width);
  const lastBits = 32 - (32 * perRow - width);
  const mask = lastBits === 32 ? 0xffff_ffff : 2 ** lastBits - 1;
  let fired = 0;
  for (const [at, word] of words.entries()) {
    const isLast = at % perRow === perRow - 1;
    for (let left = isLast ? word & mask : word; left !== 0; left &= left - 1) fired++;
  }
  return fired / shape.reduce((product, axis) => product * axis, 1);
}

async function anySick(player: Player, tensors: readonly Tensor[]): Promise<boolean> {
  for (const tensor of tensors) if (!areFinite(await player.read(tensor))) return true;
  return false;
}

function areFinite(numbers: Float32Array | Uint32Array): boolean {
  return numbers.every((number) => Number.isFinite(number));
}
