import { memoryKernels } from '../kernels/memory.ts';
import type { Gradients } from '../graph/gradient-rule.ts';
import type { Graph } from '../graph/graph.ts';
import { type Tensor, wordCount } from '../graph/tensor.ts';

/**
 * Records the reverse pass of `loss`: a walk back over the graph's rules. The gradients of the
 * parameters end up in the gradients block; one that the loss does not depend on is set to zero.
 * `seed` holds the gradient of `loss` itself, and a rule may change it; a loss whose rule needs none,
 * as cross-entropy, has none. In a graph of an earlier segment, gradients are added to those of the segments behind.
 */
export function differentiate(graph: Graph, loss: Tensor, seed: Tensor = loss): void {
  const known = new Map<Tensor, Tensor>();
  // Tensors that the current rule gave away. Every gradient belongs to one tensor, whose rule may give it on.
  const givenAway = new Set<Tensor>();
  const gradients: Gradients = {
    needs: (tensor) => graph.needsGradient(tensor),
    into(tensor, emit) {
      if (!graph.needsGradient(tensor)) return;
      const existing = known.get(tensor);
      const target = existing ?? newGradient(graph, tensor);
      known.set(tensor, target);
      emit(target, existing !== undefined);
    },
    give(tensor, gradient) {
      if (!graph.needsGradient(tensor)) return;
      const isFree = !known.has(tensor) && !graph.parameterGradient(tensor);
      if (isFree && !givenAway.has(gradient)) {
        givenAway.add(gradient);
        known.set(tensor, gradient);
        return;
      }
      // Of spikes, too, a gradient is a number each.
      const count = wordCount(gradient);
      gradients.into(tensor, (target, accumulate) => {
        if (accumulate) graph.call(memoryKernels.add, { addend: gradient, target }, { count });
        else graph.call(memoryKernels.copy, { source: gradient, target }, { count });
      });
    },
  };
  if (graph.segment?.phase === 'back') {
    for (const { value, gradient } of graph.layout.parameters) known.set(value, gradient);
  }
  known.set(loss, seed);
  for (const { output, isCarried, backward } of graph.rules.toReversed()) {
    const gradient = known.get(output) ?? (isCarried ? noGradient(graph, output) : undefined);
    givenAway.clear();
    if (gradient) backward(gradient, gradients);
  }
  clearUnreached(graph, known);
}

function noGradient(graph: Graph, tensor: Tensor): Tensor {
  const target = newGradient(graph, tensor);
  graph.call(memoryKernels.fill, { target }, { count: wordCount(target), value: 0 });
  return target;
}

function newGradient(graph: Graph, tensor: Tensor): Tensor {
  return (
    graph.parameterGradient(tensor) ??
    graph.scratch(`gradient of ${tensor.name}`, 'f32', tensor.shape)
  );
}

function clearUnreached(graph: Graph, known: ReadonlyMap<Tensor, Tensor>): void {
  for (const { value, gradient } of graph.layout.parameters) {
    if (known.has(value)) continue;
    graph.call(memoryKernels.fill, { target: gradient }, { count: wordCount(gradient), value: 0 });
  }
}
