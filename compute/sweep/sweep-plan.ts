import { readFile, stat } from 'node:fs/promises';
import { parseBody } from '../../edge/contract/parse.ts';
import { Problem } from '../../edge/contract/refusal.ts';
import { METRICS, metadataOf } from '../../edge/training/contract/sweep.ts';
import { SweepFile } from '../../edge/training/contract/sweep-file.ts';
import {
  baseNamed,
  takesBase,
  TrainRequest,
  type TrainRequestInput,
} from '../../edge/training/contract/train-request.ts';
import { EngineError, parseJson } from '../../engine/index.ts';
import type { Part, Schedule } from './machine.ts';
import { type Point, pointsOf } from './space.ts';

/** A sweep, from its file: everything but what happened. */
export interface SweepPlan {
  readonly file: SweepFile;
  readonly points: readonly Point[];
  readonly schedule: Schedule;
  /** Steps of each rung from the bottom up, all from the start; none where the budget is in other units. */
  readonly steps: readonly number[];
}

/** A plan whose jobs can be made: its dataset is where trainers find it. */
export interface PlacedSweep extends SweepPlan {
  /** Of this sweep alone. */
  readonly id: string;
  readonly datasetPath: string | undefined;
}

const MAX_FILE_BYTES = 2 ** 20;

/**
 * Reads the file of a sweep. Throws EngineError `invalid-setting` naming the member, its value and what was
 * expected.
 */
export async function readSweepFile(path: string): Promise<SweepPlan> {
  const { size } = await stat(path);
  if (size > MAX_FILE_BYTES) {
    refuse(`${path} has ${size} bytes, expected at most ${MAX_FILE_BYTES}`);
  }
  return planOf(await readFile(path, 'utf8'), path);
}

/** The plan of a sweep as its file has it. Throws as `readSweepFile`. */
export function planOf(text: string, path = 'the sweep'): SweepPlan {
  const file = parsed(SweepFile, jsonOf(text, path), path);
  const points = named(path, () => pointsOf(file));
  const steps = rungsOf(file);
  const schedule = {
    runs: points.length,
    rungs: Math.max(1, steps.length),
    eta: file.asha?.eta ?? 1,
    parallel: file.parallel,
    goal: METRICS[file.metric],
  };
  const plan = { file, points, schedule, steps };
  refuseBadRuns(plan, path);
  return plan;
}

function jsonOf(text: string, path: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    return refuse(`${path} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function parsed(schema: typeof SweepFile, value: unknown, path: string): SweepFile {
  try {
    return parseBody(schema, value);
  } catch (error) {
    if (error instanceof Problem) return refuse(`${path}: ${error.message}`);
    throw error;
  }
}

function named<T>(path: string, attempt: () => T): T {
  try {
    return attempt();
  } catch (error) {
    if (error instanceof EngineError) return refuse(`${path}: ${error.message}`);
    throw error;
  }
}

/** Steps of the rungs: `first_steps`, `eta` times as many each, and the budget at the top. */
function rungsOf({ asha, budget: { steps } }: SweepFile): readonly number[] {
  if (steps === undefined) return [];
  if (!asha) return [steps];
  const rungs: number[] = [];
  for (let own = asha.first_steps; own < steps; own *= asha.eta) rungs.push(own);
  return [...rungs, steps];
}

/** Every request is checked before the first one is sent. */
function refuseBadRuns(plan: SweepPlan, path: string): void {
  const placed = { ...plan, id: plan.file.name, datasetPath: plan.file.dataset };
  for (const run of plan.points.keys()) {
    try {
      parseBody(TrainRequest, requestOf(placed, { run, rung: 0 }));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      refuse(`${path}: run ${run + 1} is refused: ${error.message}`);
    }
  }
}

/** The registry's id of a run's model: each rung is a version of it. */
export const modelOf = ({ id }: Pick<PlacedSweep, 'id'>, run: number): string =>
  `${id}.run-${String(run + 1).padStart(4, '0')}`;

const versionOf = (rung: number): string => `1.${rung}.0`;

/** How often a job may lose its trainer: as often as the platform lets it. */
const MAX_RECOVERIES = 10;
/** Rungs above the first are ahead of new runs in the queue. */
const PRIORITY = 50;

/** Fields of a request that are not in its `config`. */
const OUTER = new Set(['learning_rate']);
const CONTROLS = 'controls.';

/** The request for a run on a rung. It names everything that tells it from others, so that it is the same each time. */
export function requestOf(sweep: PlacedSweep, { run, rung }: Part): TrainRequestInput {
  const { file, points, datasetPath, id } = sweep;
  const { model_type, fixed, search, requirements, convergence_profile, tokenizer_file } = file;
  const fields = Object.entries({ ...fixed, ...points[run] });
  const controls = fields.flatMap(([name, value]) =>
    name.startsWith(CONTROLS) ? [[name.slice(CONTROLS.length), value]] : [],
  );
  const outer = fields.filter(([name]) => OUTER.has(name));
  const config = fields.filter(([name]) => !OUTER.has(name) && !name.startsWith(CONTROLS));
  const base = baseOf(sweep, { run, rung });
  const request = {
    model_type,
    ...(datasetPath !== undefined && { dataset_path: datasetPath }),
    config: {
      ...budgetOf(sweep, rung),
      ...Object.fromEntries(config),
      ...(tokenizer_file !== undefined && { tokenizer_file }),
    },
    ...Object.fromEntries(outer),
    ...(controls.length > 0 && { controls: Object.fromEntries(controls) }),
    ...(convergence_profile && { convergence_profile }),
    ...(base && { base_model: base }),
    output_name: modelOf(sweep, run),
    model_version: versionOf(rung),
    max_recoveries: MAX_RECOVERIES,
    priority: PRIORITY + rung,
    requirements,
    metadata: metadataOf({
      id,
      method: file.method,
      metric: file.metric,
      runs: sweep.schedule.runs,
      run,
      rung,
      search: Object.keys(search),
      output: file.output ?? file.name,
    }),
  };
  // The schema of the request checks the fields, which a file may name as it likes.
  return request as TrainRequestInput;
}

/** A rung goes on from the model of the one before; families that cannot go on begin anew. */
function baseOf({ file, ...sweep }: PlacedSweep, { run, rung }: Part) {
  if (rung > 0 && takesBase(file.model_type)) {
    return { model_id: modelOf(sweep, run), version: versionOf(rung - 1) };
  }
  return file.base_model === undefined ? undefined : baseNamed(file.base_model);
}

/** The steps that a rung adds, or all of them where its run begins anew. */
function budgetOf({ file, steps }: PlacedSweep, rung: number): SweepFile['budget'] {
  if (steps.length <= 1) return file.budget;
  const all = steps[rung] ?? 0;
  const before = takesBase(file.model_type) ? (steps[rung - 1] ?? 0) : 0;
  return { steps: all - before };
}

function refuse(message: string): never {
  throw new EngineError('invalid-setting', message);
}
