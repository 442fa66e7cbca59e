import { describe, expect, it } from 'vitest';
import { Graph } from '../../engine/graph/graph.ts';
import { candidateLogits, similarity } from '../../engine/ops/codebook.ts';
import { crossEntropy } from '../../engine/ops/cross-entropy.ts';
import { clockInput, packClock } from '../../engine/ops/step-inputs.ts';
import { worstGradientError } from './gradient-check.ts';
import { noParameters, reference } from './play.ts';
import { randomSource } from './random.ts';

describe('scores by codes', () => {
  it('have the gradient of finite differences, sampled or not', async () => {
    const scored = await worstGradientError({
      inputs: { rows: [1, 3, 5], others: [4, 5] },
      trace: (graph, { rows, others }) => similarity(graph, rows, others),
    });
    const joined = await worstGradientError({
      inputs: { query: [1, 3, 5], scores: [1, 3, 2] },
      trace: (graph, { query, scores }) =>
        candidateLogits(graph, query, {
          targets: graph.constant('targets', [3], Uint32Array.of(4, 5, 6)),
          codes: graph.constant('codes', [1, 3, 5], randomSource(2).floats(15)),
          candidates: graph.constant('candidates', [2], Uint32Array.of(0, 1)),
          scores,
          vocabulary: 9,
        }),
    });
    expect(scored).toBeLessThan(1e-8);
    expect(joined).toBeLessThan(1e-8);
  });
});

describe('a sampled softmax', () => {
  it('comes close to the full one with many candidates, targets among them or not', async () => {
    const [rows, vocabulary, rank] = [6, 40, 5];
    const from = randomSource(12);
    const [query, table] = [from.floats(rows * rank, -2, 2), from.floats(vocabulary * rank)];
    const targets = from.integers(rows, vocabulary);
    const candidates = Uint32Array.from({ length: 100 * vocabulary }, (_, i) => i % vocabulary);
    const codesOf = (ids: Uint32Array) =>
      Float32Array.from({ length: ids.length * rank }, (_, i) => {
        return table[ids[Math.floor(i / rank)]! * rank + (i % rank)]!;
      });
    const graph = new Graph('sampled', noParameters);
    const clock = clockInput(graph);
    const history = graph.local('history', 'f32', [2]);
    const asked = graph.constant('query', [1, rows, rank], query);
    const codes = (name: string, ids: Uint32Array) =>
      graph.constant(name, [1, ids.length, rank], codesOf(ids));
    const logits = candidateLogits(graph, asked, {
      targets: graph.constant('targets', [rows], targets),
      codes: codes('own codes', targets),
      candidates: graph.constant('candidates', [candidates.length], candidates),
      scores: similarity(graph, asked, codes('codes', candidates)),
      vocabulary,
    });
    const zeros = graph.constant('first class', [rows], new Uint32Array(rows));
    crossEntropy(graph, logits, zeros, { history, clock });
    const program = graph.build();
    const player = await reference.load(noParameters, [program]);
    player.write(clock, packClock({ step: 0, slot: 0, seed: [0, 0] }));
    player.play(program);

    const [sampled] = await player.read(history);

    const score = (row: number, id: number) => {
      let sum = 0;
      for (let k = 0; k < rank; k++) sum += query[row * rank + k]! * table[id * rank + k]!;
      return sum;
    };
    const full = Array.from(targets, (target, row) => {
      const all = Array.from({ length: vocabulary }, (_, id) => Math.exp(score(row, id)));
      return Math.log(all.reduce((a, b) => a + b, 0)) - score(row, target);
    }).reduce((sum, loss) => sum + loss / rows, 0);
    // Each token was drawn exactly as often as it should be, so the two are the same sum.
    expect(sampled).toBeCloseTo(full, 4);
  });
});
