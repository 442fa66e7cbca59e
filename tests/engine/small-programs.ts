import { kernels } from '../../engine/kernels/kernels.ts';
import type { Backend, Player } from '../../engine/graph/backend.ts';
import { Graph } from '../../engine/graph/graph.ts';
import type { Program } from '../../engine/graph/program.ts';
import { noParameters } from './play.ts';

/** A program that fills a lasting tensor with 0.5, loaded. */
export async function loadFill(backend: Backend, count: number) {
  const graph = new Graph('fill', noParameters);
  const target = graph.local('target', 'f32', [count]);
  graph.call(kernels.fill, { target }, { count, value: 0.5 });
  const program = graph.build();
  const player: Player = await backend.load(noParameters, [program]);
  return { player, program, target };
}

/** A program with one tensor of scratch. */
export function scratchProgram(count: number): Program {
  const graph = new Graph('scratch', noParameters);
  graph.call(
    kernels.fill,
    { target: graph.scratch('scratch', 'f32', [count]) },
    { count, value: 1 },
  );
  return graph.build();
}
