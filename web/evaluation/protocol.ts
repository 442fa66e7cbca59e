import type { DeviceChoice, EvaluationChoice, EvaluationReport, Unit } from '../../engine/index.ts';
import type { Failure } from '../lab/failure.ts';
import type { PlacedFile } from '../ui/dropped-files.ts';

/*
 * Messages between the Evaluate screen and its worker. The worker announces every change; the
 * page shows the latest.
 */

/** A model of the registry, or its files: a zip archive or those of a folder. */
export type ModelChoice =
  | { readonly kind: 'registered'; readonly modelId: string; readonly version: string }
  | { readonly kind: 'files'; readonly name: string; readonly files: readonly PlacedFile[] };

export interface EvaluationRequest {
  readonly model: ModelChoice;
  readonly data: readonly PlacedFile[];
  readonly choice: EvaluationChoice;
  readonly device: DeviceChoice;
}

export type EvaluationCommand =
  | { readonly kind: 'evaluate'; readonly request: EvaluationRequest }
  /** Stops the evaluation; it then sends a partial report if anything was evaluated. */
  | { readonly kind: 'stop' };

interface EvaluationProgress {
  readonly done: number;
  readonly total: number;
  readonly unit: Unit;
  readonly seconds: number;
}

export type EvaluationState =
  | { readonly status: 'idle' }
  /** Loading the model and the data. */
  | { readonly status: 'opening' }
  | { readonly status: 'running'; readonly progress: EvaluationProgress }
  | { readonly status: 'failed'; readonly failure: Failure };

export type EvaluationEvent =
  | { readonly kind: 'state'; readonly state: EvaluationState }
  | { readonly kind: 'report'; readonly report: EvaluationReport };
