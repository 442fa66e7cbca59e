import type { ProblemDocument } from '../../edge/contract/problem.ts';
import type { Services } from '../../trainer/job-messages.ts';
import type { TrainerState } from '../../trainer/trainer-state.ts';

/** Messages from the page to the worker that lends the tab. */
export type ToStation =
  | { readonly kind: 'start'; readonly services: Services }
  /** Ends the job it holds with a checkpoint, for others to go on from, and goes. */
  | { readonly kind: 'stop' };

/** Messages from that worker to the page. `refused` and `failed` are the last ones. */
export type FromStation =
  | { readonly kind: 'state'; readonly state: TrainerState; readonly trainerId: string | undefined }
  | { readonly kind: 'refused'; readonly problem: ProblemDocument }
  | { readonly kind: 'failed'; readonly message: string };
