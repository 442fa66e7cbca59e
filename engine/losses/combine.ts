import { EngineError } from '../errors.ts';
import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/tensor.ts';
import { formula } from '../ops/formula.ts';
import { expectFinite } from '../ops/layer-shapes.ts';
import type { Loss, LossOutputs, TargetKind } from './loss.ts';

interface OwnLossOptions {
  /** `classes` by default. */
  readonly target?: TargetKind;
  /** Whether it can be run in segments of time: see `Loss`; false by default. */
  readonly inSegments?: boolean;
}

/** A loss of one's own: any function of the outputs that traces one number a row, `f32[1, rows, 1]`. */
export function ownLoss(
  name: string,
  trace: (graph: Graph, outputs: LossOutputs, target: Tensor | undefined) => Tensor,
  { target = 'classes', inSegments = false }: OwnLossOptions = {},
): Loss {
  return { name, target, inSegments, trace };
}

/** A loss with its weight in a sum. */
export interface WeightedLoss {
  readonly loss: Loss;
  readonly weight: number;
}

/** The sum of losses, each times its weight. Those that take targets take the same. */
export function weightedLoss(parts: readonly WeightedLoss[]): Loss {
  const name = parts.map(({ loss, weight }) => `${weight} x ${loss.name}`).join(' + ');
  if (parts.length === 0) throw new EngineError('invalid-setting', 'weightedLoss: no losses');
  for (const { loss, weight } of parts) expectFinite(`loss ${loss.name}`, { weight });
  return {
    name,
    target: targetOf(parts.map(({ loss }) => loss)),
    inSegments: parts.every(({ loss }) => loss.inSegments === true),
    trace(graph, outputs, target) {
      const [first, ...rest] = parts.map(({ loss, weight }) => {
        const own = loss.target === 'none' ? undefined : target;
        return formula(graph, `${weight} * cost`, { cost: loss.trace(graph, outputs, own) });
      }) as [Tensor, ...Tensor[]];
      return rest.reduce((sum, cost) => formula(graph, 'sum + cost', { sum, cost }), first);
    },
  };
}

function targetOf(losses: readonly Loss[]): TargetKind {
  const kinds = new Set(losses.map(({ target }) => target).filter((kind) => kind !== 'none'));
  if (kinds.size <= 1) return [...kinds][0] ?? 'none';
  const all = losses.map(({ name, target }) => `${name} takes ${target}`).join(', ');
  throw new EngineError(
    'invalid-setting',
    `weightedLoss: ${all}: expected losses that take the same targets`,
  );
}
