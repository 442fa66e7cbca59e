import type { RegistryClient } from '../../edge/registry/contract/client.ts';
import {
  type CheckpointFiles,
  type Evaluated,
  type Evaluation,
  openEvaluation,
} from '../../engine/index.ts';
import { readCheckpointFiles } from '../lab/host/checkpoint-zip.ts';
import { createDevices, type OpenBackend } from '../lab/host/devices.ts';
import { openDropped } from '../lab/host/dropped-data.ts';
import { downloadFiles } from '../lab/host/registered.ts';
import { toFailure } from '../lab/host/to-failure.ts';
import type {
  EvaluationRequest,
  EvaluationCommand,
  EvaluationEvent,
  ModelChoice,
} from './protocol.ts';

/** The dependencies of the host, replaced in tests. */
interface EvaluationSources {
  readonly post: (event: EvaluationEvent) => void;
  readonly openBackend: OpenBackend;
  readonly registry: RegistryClient;
  /** Milliseconds, never running backwards. */
  readonly now: () => number;
  readonly date: () => Date;
}

/** Minimum interval of progress messages, ms. */
const ANNOUNCE_EVERY_MS = 100;

/** The worker's side of the Evaluate screen: one evaluation at a time. */
export function createEvaluationHost(sources: EvaluationSources) {
  const { post } = sources;
  const devices = createDevices(sources.openBackend, () => undefined);
  let running: AbortController | undefined;

  async function evaluate(request: EvaluationRequest): Promise<void> {
    if (running) return;
    const stop = new AbortController();
    running = stop;
    post({ kind: 'state', state: { status: 'opening' } });
    try {
      const report = await judge(request, stop.signal);
      if (report) post({ kind: 'report', report });
      post({ kind: 'state', state: { status: 'idle' } });
    } catch (error) {
      // Stopping it while it opens is not a failure.
      const isStopped = stop.signal.aborted && error === stop.signal.reason;
      const state = isStopped
        ? ({ status: 'idle' } as const)
        : ({ status: 'failed', failure: toFailure(error) } as const);
      post({ kind: 'state', state });
    } finally {
      running = undefined;
    }
  }

  async function judge({ model, data, choice, device }: EvaluationRequest, signal: AbortSignal) {
    const files = await filesOf(sources.registry, model);
    const opened = await openDropped(data);
    const backend = await devices.open(device);
    signal.throwIfAborted();
    const evaluation = await openEvaluation(files, { backend, data: opened, choice, signal });
    try {
      const evaluated = await runAnnounced(evaluation, signal, sources);
      if (evaluated.done === 0) return undefined;
      const createdAt = sources.date().toISOString();
      return evaluation.report(evaluated, { name: nameOf(model), createdAt, processPeak: null });
    } finally {
      evaluation.evaluator.close();
    }
  }

  return {
    receive(command: EvaluationCommand): Promise<void> {
      if (command.kind === 'evaluate') return evaluate(command.request);
      running?.abort();
      return Promise.resolve();
    },
    close: () => devices.close(),
  };
}

/** Runs an evaluation and reports its progress. */
function runAnnounced(
  { evaluator }: Evaluation,
  signal: AbortSignal,
  { now, post }: Pick<EvaluationSources, 'now' | 'post'>,
): Promise<Evaluated> {
  const { total, unit } = evaluator;
  const started = now();
  let announced = Number.NEGATIVE_INFINITY;
  const onProgress = (done: number) => {
    const at = now();
    if (at - announced < ANNOUNCE_EVERY_MS) return;
    announced = at;
    const progress = { done, total, unit, seconds: (at - started) / 1000 };
    post({ kind: 'state', state: { status: 'running', progress } });
  };
  onProgress(0);
  return evaluator.run({ signal, onProgress });
}

async function filesOf(registry: RegistryClient, model: ModelChoice): Promise<CheckpointFiles> {
  return model.kind === 'registered'
    ? downloadFiles(registry, model.modelId, model.version)
    : readCheckpointFiles(model.files.map(({ file }) => file));
}

function nameOf(model: ModelChoice): string {
  return model.kind === 'registered' ? `${model.modelId}@${model.version}` : model.name;
}
