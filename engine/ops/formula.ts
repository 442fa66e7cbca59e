import { EngineError } from '../errors.ts';
import type { Graph } from '../graph/graph.ts';
import { type Tensor, wordCount } from '../graph/tensor.ts';
import { formulaInput, formulaKernels } from '../kernels/formulas.ts';
import { expectShape } from './shapes.ts';

/**
 * A function of numbers element by element, as an expression of the kernel language over the names of `inputs`,
 * such as `max(0, rate - 0.2)`: a tensor of the shape that all inputs have. The gradient follows from the text;
 * `detach(x)` stops it. Throws EngineError `invalid-equation` with line and column.
 */
export function formula(
  graph: Graph,
  text: string,
  inputs: Readonly<Record<string, Tensor>>,
): Tensor {
  // WebGPU binds no tensor twice: two names may stand for one operand.
  const tensors = [...new Set(Object.values(inputs))];
  const [first] = tensors;
  if (!first) throw new EngineError('invalid-setting', 'formula: there are no inputs');
  for (const tensor of tensors) expectShape('formula', tensor, first.shape);
  const places = Object.entries(inputs).map(([name, tensor]) => [name, tensors.indexOf(tensor)]);
  const { forward, backward } = formulaKernels(text, Object.fromEntries(places));
  const reads = Object.fromEntries(tensors.map((tensor, index) => [formulaInput(index), tensor]));
  const count = wordCount(first);
  const output = graph.scratch('formula', 'f32', first.shape);
  graph.call(forward, { ...reads, output }, { count });
  const differentiated = tensors.filter((_, index) => backward.has(index));
  graph.differentiable({
    inputs: differentiated,
    output,
    backward(gradient, gradients) {
      for (const [index, kernel] of backward) {
        const tensor = tensors[index];
        if (!tensor) continue;
        gradients.into(tensor, (target, accumulate) =>
          graph.call(kernel, { ...reads, gradient, target }, { count, accumulate }),
        );
      }
    },
  });
  return output;
}
