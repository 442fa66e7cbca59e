import type { Backend } from '../graph/backend.ts';
import type { StoredTraining } from '../checkpoint/checkpoint.ts';
import type { RunData } from '../checkpoint/run-data.ts';
import { EngineError } from '../errors.ts';
import type { OpenEvaluation } from '../evaluation/evaluator.ts';
import type { Program } from '../graph/program.ts';
import type { TrainingPlan } from '../train/plan-programs.ts';
import type { KnownSettings } from './choices.ts';
import { familyOf, folderOf } from './families.ts';
import type {
  Family,
  FamilyModules,
  FamilyTraining,
  TrainingOptions,
  TrainingRun,
} from './family.ts';

/** Options of a run of a known family. */
export interface KnownOptions extends TrainingOptions {
  readonly settings: KnownSettings;
}

/** A run of a known family. */
export interface KnownRun extends TrainingRun {
  readonly settings: KnownSettings;
}

/** A family as those who train it see it: whatever its data is, they pass in what its `openData` returned. */
export interface ModelFamily extends Family, FamilyTraining {
  createRun(options: KnownOptions, data: RunData): Promise<KnownRun>;
}

/** Loads the training of a family when it is first needed: a page need not have all of them. */
export async function loadFamily(architecture: string): Promise<ModelFamily> {
  const family = familyOf(architecture);
  const folder = folderOf(architecture);
  const { training }: FamilyModules['training'] = await import(`./${folder}/training.ts`);
  return {
    ...family,
    ...training,
    async createRun(options, data) {
      const { settings, controls, backend } = options;
      requireAddresses(backend, family.plan(settings, controls, data.shape));
      return { ...(await training.createRun(options, data)), settings };
    },
  };
}

/** Loads the evaluation of a family. */
export async function loadEvaluation(architecture: string): Promise<OpenEvaluation> {
  const folder = folderOf(architecture);
  const module: FamilyModules['evaluation'] = await import(`./${folder}/evaluation.ts`);
  return module.openEvaluation;
}

/** WASM addresses no more than this. */
const WASM_BYTES = 2 ** 32;

/**
 * Refuses a run that no device of this kind can hold before it is traced: of one as large, the trace alone
 * would take the memory of the machine. Throws EngineError `out-of-memory`.
 */
function requireAddresses(
  { device }: Pick<Backend, 'device'>,
  { memoryBytes, breakdown }: TrainingPlan,
): void {
  const { maxBlockBytes = Infinity } = device;
  const isTooLarge = device.backend === 'wasm' && memoryBytes > WASM_BYTES;
  if (!isTooLarge && breakdown.parameters <= maxBlockBytes) return;
  const [needed, limit] = isTooLarge
    ? [memoryBytes, WASM_BYTES]
    : [breakdown.parameters, maxBlockBytes];
  throw new EngineError(
    'out-of-memory',
    `the run needs ${needed} bytes on ${device.label}: expected at most ${limit}`,
  );
}

interface InspectedTraining {
  /** The programs of a training step, traced and planned but not loaded. */
  readonly programs: readonly Program[];
  /** A sentence on where the energy gate of the run acts; undefined for a family without one. */
  readonly energyGate: string | undefined;
}

/** Traces the training step of a stored run. */
export async function inspectTraining(stored: StoredTraining): Promise<InspectedTraining> {
  const { stepPrograms, energyGate } = await loadFamily(stored.spec.architecture);
  return { programs: stepPrograms(stored), energyGate: energyGate?.(stored) };
}
