import { EngineError } from '../errors.ts';
import type { Graph } from '../graph/graph.ts';
import type { Parameter, ParameterLayout } from '../graph/parameters.ts';
import { type Tensor, WORD_BYTES, wordCount } from '../graph/tensor.ts';
import type { OptimizerOptions, ParameterGroup } from './optimizer.ts';

/** Words of a line: parameters begin at multiples of 256 bytes, so that no two share one. */
const LINE_WORDS = 64;

/** The lines of a layout's parameter block. */
export function linesOf({ blockBytes }: ParameterLayout) {
  return { lines: blockBytes / WORD_BYTES / LINE_WORDS, words: LINE_WORDS };
}

/** How one parameter is trained. */
interface Treatment {
  readonly rate: number;
  readonly weightDecay: number;
}

/** The group of a parameter, or what holds for those without one: decay on matrices only. */
export function treatmentOf(
  { spec }: Parameter,
  { groups = [], weightDecay = 0 }: OptimizerOptions,
): Treatment {
  const group = groups.find((one) => isOf(one, spec));
  const own = spec.decayed ? weightDecay : 0;
  return { rate: group?.rate ?? 1, weightDecay: group?.weightDecay ?? own };
}

function isOf({ parameters }: ParameterGroup, spec: Parameter['spec']): boolean {
  return typeof parameters === 'function'
    ? parameters(spec.name, spec)
    : parameters.includes(spec.name);
}

/** Throws EngineError `invalid-setting` for a group that names a parameter that there is not. */
function checkGroups(layout: ParameterLayout, { groups = [] }: OptimizerOptions): void {
  const names = layout.parameters.map(({ spec }) => spec.name);
  for (const { parameters } of groups) {
    if (typeof parameters === 'function') continue;
    const missing = parameters.find((name) => !names.includes(name));
    if (missing === undefined) continue;
    throw new EngineError(
      'invalid-setting',
      `a parameter group names ${JSON.stringify(missing)}: expected some of ${names.join(', ')}`,
    );
  }
}

const made = new WeakMap<Graph, number>();

/**
 * For each line of the block what its learning rate is multiplied by, its weight decay, and whether it is
 * trained: `f32[lines, 3]`. Parameters that `isTrained` leaves out stay as they are.
 */
export function lineFactors(
  graph: Graph,
  options: OptimizerOptions,
  isTrained: (parameter: Parameter) => boolean,
): Tensor {
  checkGroups(graph.layout, options);
  const { lines } = linesOf(graph.layout);
  const data = new Float32Array(3 * lines);
  for (const parameter of graph.layout.parameters) {
    if (!isTrained(parameter)) continue;
    const { rate, weightDecay } = treatmentOf(parameter, options);
    const first = parameter.offsetBytes / WORD_BYTES / LINE_WORDS;
    const count = Math.ceil(wordCount(parameter.value) / LINE_WORDS);
    for (let line = first; line < first + count; line++) {
      data.set([rate, weightDecay, rate > 0 ? 1 : 0], 3 * line);
    }
  }
  const number = made.get(graph) ?? 0;
  made.set(graph, number + 1);
  return graph.constant(`factors of optimizer ${number}`, [lines, 3], data);
}
