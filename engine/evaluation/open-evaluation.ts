import * as z from 'zod/mini';
import { decodeJson, digestOf, verifiedFiles } from '../checkpoint/files.ts';
import { EngineError } from '../errors.ts';
import { openChronospikeEvaluation } from '../models/dense-chronospike/evaluation.ts';
import type { Evaluated, EvaluationSources, Evaluator, OpenEvaluation } from './evaluator.ts';
import type { EvaluationReport, ModelSection } from './report.ts';

/** By the architecture in the model_spec. A family that can be evaluated is one line here. */
const evaluations: Readonly<Record<string, OpenEvaluation>> = {
  dense_chronospike: openChronospikeEvaluation,
};

const Spec = z.looseObject({ architecture: z.string() });

/** What a report says besides what was found. */
export interface ReportFrame {
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
 * Makes a stored model of any family ready to be judged. Throws EngineError `checkpoint-mismatch` for
 * an architecture that cannot be evaluated, naming it, and what its family throws.
 */
export async function openEvaluation(sources: EvaluationSources): Promise<Evaluation> {
  const { files, backend } = sources;
  const verified = verifiedFiles(files, ['model_spec.json', 'model.safetensors']);
  const spec = Spec.parse(decodeJson('model_spec.json', verified['model_spec.json']));
  const { architecture } = spec;
  const open = Object.hasOwn(evaluations, architecture) ? evaluations[architecture] : undefined;
  if (!open) throw unknownFamily(architecture);
  const { evaluator, data, parameters } = await open(sources);
  const artifact_sha256 = digestOf(verified['model.safetensors']);
  const model: Omit<ModelSection, 'name'> = { architecture, parameters, artifact_sha256, spec };
  return {
    evaluator,
    report: ({ done, seconds, findings }, { name, createdAt, processPeak }) => ({
      evaluation_report_version: 1,
      created_at: createdAt,
      status: done === evaluator.total ? 'complete' : 'partial',
      unit: evaluator.unit,
      done,
      total: evaluator.total,
      device: backend.device.label,
      model: { name, ...model },
      data,
      ...findings,
      speed: { seconds, units_per_second: seconds > 0 ? done / seconds : 0 },
      memory: { ...evaluator.memory, process_peak: processPeak },
    }),
  };
}

function unknownFamily(architecture: string): EngineError {
  const known = Object.keys(evaluations).join(', ');
  return new EngineError(
    'checkpoint-mismatch',
    `a model of the architecture ${architecture} cannot be evaluated: expected one of ${known}`,
  );
}
