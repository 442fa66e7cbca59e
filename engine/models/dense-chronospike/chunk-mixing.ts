import { memoryKernels } from '../../kernels/memory.ts';
import type { Graph } from '../../graph/graph.ts';
import { type Tensor, wordCount } from '../../graph/tensor.ts';
import { clearSequences, lastTokens } from '../../ops/sequence-rows.ts';
import { advanceAttention, decayTable, spikeAttention } from '../../ops/spike-attention.ts';
import { tokenShift } from '../../ops/token-shift.ts';
import type { Mixing } from './forward.ts';
import type { BatchShape } from '../language/text-programs.ts';
import { carriedName, carriedParts, type ChronospikeStructure } from './structure.ts';

interface ChunkShape extends BatchShape {
  /** Whose rows these are, see `CARRY_GROUPS`. */
  readonly group?: number;
  /** Of all groups, where there are several. */
  readonly begins?: Tensor;
}

/** Chunks of longer texts, each row going on from what it carries. */
interface ChunkMixing extends Mixing {
  /** `u32[batch]`, written by the host: not 0 where a row begins a text, so that nothing is carried. */
  readonly begins: Tensor;
  readonly carried: readonly Tensor[];
  /** Records the step to the next chunk. Comes after all that reads what is carried, also for the gradient. */
  advance(): void;
}

/**
 * The parallel form within a chunk, the recurrent form from chunk to chunk: the chunks of a text one after
 * another give what the whole gives at once. What is carried is a constant to the gradient.
 */
export function chunkMixing(
  graph: Graph,
  structure: ChronospikeStructure,
  { batch, sequence, group = 0, begins = graph.local('begins', 'u32', [batch]) }: ChunkShape,
): ChunkMixing {
  const { tau, width, heads } = structure;
  const table = (distances: number) => decayTable(tau, width / heads, distances);
  const decay = graph.constant('decay', [heads, sequence], table(sequence));
  const across = graph.constant('decay across chunks', [heads, sequence + 1], table(sequence + 1));
  const carried = new Map(
    carriedParts(structure, batch, group).map(({ name, shape }) => {
      const tensor = graph.local(name, 'f32', shape);
      clearSequences(graph, begins, tensor);
      return [name, tensor] as const;
    }),
  );
  // Every site of the structure has its part.
  const of = (site: string) => carried.get(carriedName(group, site)) as Tensor;
  const steps: (() => void)[] = [];
  return {
    begins,
    carried: [...carried.values()],
    shift(input, mix, site) {
      const previous = of(site);
      const last = lastTokens(graph, input, sequence);
      steps.push(() =>
        graph.call(
          memoryKernels.copy,
          { source: last, target: previous },
          { count: wordCount(previous) },
        ),
      );
      return tokenShift(graph, input, mix, { sequence, previous });
    },
    attend(qkv, block) {
      const state = { state: of(`blocks.${block}.attention`), decay: across };
      steps.push(() => advanceAttention(graph, qkv, { heads, sequence, carried: state }));
      return spikeAttention(graph, qkv, { heads, sequence, decay, carried: state });
    },
    advance: () => {
      for (const step of steps) step();
    },
  };
}
