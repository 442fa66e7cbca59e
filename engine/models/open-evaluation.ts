import { unpackModel } from './stored-model.ts';
import { type CheckpointFiles, digestOf, verifiedFiles } from '../checkpoint/files.ts';
import { loadEvaluation } from './load-family.ts';
import type { Evaluated, EvaluationSources, Evaluator } from '../evaluation/evaluator.ts';
import type { EvaluationReport } from '../evaluation/report.ts';

/** Members of a report besides the findings. */
interface ReportFrame {
  /** The model as it was asked for. */
  readonly name: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** Bytes; null where nobody can tell. */
  readonly processPeak: number | null;
}

export interface Evaluation {
  readonly evaluator: Evaluator;
  /** The report of what the evaluator found. */
  report(evaluated: Evaluated, frame: ReportFrame): EvaluationReport;
}

/**
 * Makes a stored model of any family ready to be judged. Throws as `unpackModel`, `loadEvaluation`, and what
 * its family throws.
 */
export async function openEvaluation(
  files: CheckpointFiles,
  sources: Omit<EvaluationSources, 'stored'>,
): Promise<Evaluation> {
  const stored = unpackModel(files);
  const { spec, layout } = stored;
  const name = 'model.safetensors';
  const model = {
    architecture: spec.architecture,
    parameters: layout.count,
    artifact_sha256: digestOf(verifiedFiles(files, [name])[name]),
    spec,
  };
  const open = await loadEvaluation(spec.architecture);
  const { evaluator, data } = await open({ ...sources, stored });
  return {
    evaluator,
    report: ({ done, seconds, findings }, frame) => ({
      evaluation_report_version: 1,
      created_at: frame.createdAt,
      status: done === evaluator.total ? 'complete' : 'partial',
      unit: evaluator.unit,
      done,
      total: evaluator.total,
      device: sources.backend.device.label,
      model: { name: frame.name, ...model },
      data,
      ...findings,
      speed: { seconds, units_per_second: seconds > 0 ? done / seconds : 0 },
      memory: { ...evaluator.memory, process_peak: frame.processPeak },
    }),
  };
}
