import type { Backend } from '../graph/backend.ts';
import { EngineError } from '../errors.ts';
import { Graph } from '../graph/graph.ts';
import { layOutParameters } from '../graph/parameters.ts';
import { describe, type Tensor, wordCount } from '../graph/tensor.ts';
import { keep } from '../ops/keep.ts';

type Words = Float32Array | Uint32Array;

/** Results of a traced function by name: floats for numbers, words for packed spikes. */
export type Answers<Name extends string> = { readonly [P in Name]: Words };

/** A program without parameters as a function of the host: numbers or spikes in, several tensors out. */
interface HostFunction<Name extends string> {
  /** Throws EngineError `shape-mismatch` for an input of another size. */
  call(input: Words): Promise<Answers<Name>>;
  close(): void;
}

/** Traces and loads a function of an input of this shape. */
export async function openHostFunction<Name extends string>(
  backend: Backend,
  input: Pick<Tensor, 'name' | 'dtype' | 'shape'>,
  trace: (graph: Graph, input: Tensor) => { readonly [P in Name]: Tensor },
): Promise<HostFunction<Name>> {
  const layout = layOutParameters([]);
  const graph = new Graph(input.name, layout);
  const given = graph.local(input.name, input.dtype, input.shape);
  const outputs = Object.entries<Tensor>(trace(graph, given)).map(
    ([name, tensor]) => [name, keep(graph, name, tensor)] as const,
  );
  const program = graph.build();
  const player = await backend.load(layout, [program]);
  return {
    async call(words) {
      if (words.length !== wordCount(given)) {
        throw new EngineError(
          'shape-mismatch',
          `${describe(given)} takes ${wordCount(given)} words but was given ${words.length}`,
        );
      }
      player.write(given, words);
      player.play(program);
      const answers = await Promise.all(
        outputs.map(async ([name, tensor]) => [name, (await player.read(tensor)).slice()] as const),
      );
      // The entries are those of the trace; Object.fromEntries loses their names.
      return Object.fromEntries(answers) as Answers<Name>;
    },
    close: () => player.close(),
  };
}
