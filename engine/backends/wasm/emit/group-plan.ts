import { segmentLength } from '../../../kernel-language/body.ts';
import type { Analysis } from '../../../kernel-language/levels.ts';
import { isCostly } from '../../../kernel-language/step-passes.ts';

/**
 * Numbers of each place of the row in scratch: the states of both sequences, what passes leave to later ones, and
 * then what is noted down, and checkpoints of the states of the first.
 */
export function groupScratch(analysis: Analysis, steps: number) {
  const { body } = analysis;
  const counts = body.sequences.map(({ states }) => states.length);
  const states = counts.reduce((sum, count) => sum + count, 0);
  const noted = body.sequences.reduce((sum, { trail }) => sum + trail.length, 0);
  // As many as there may be: who calls a kernel that is built in does not know the passes.
  const kept = analysis.all.filter((node) => isCostly(analysis, node)).length;
  const segment = segmentLength(steps);
  const checkpoints = body.isCheckpointed ? (counts[0] ?? 0) * Math.ceil(steps / segment) : 0;
  const trail = noted * (body.isCheckpointed ? segment : steps);
  return { numbers: states + kept + trail + checkpoints, states, kept, noted };
}
