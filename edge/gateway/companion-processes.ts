import type { Env } from '../env.ts';
import {
  type CompanionProcess,
  CompanionProcesses,
  type HealthCheck,
} from '../health/contract/health.ts';

/** The launcher runs on the same machine, so a slower response counts as none. */
const TIME_LIMIT_MS = 1_000;

/**
 * The health of the companion processes as the launcher reports it; undefined without a launcher.
 */
export async function checkCompanionProcesses({
  COMPANIONS,
}: Pick<Env, 'COMPANIONS'>): Promise<HealthCheck | undefined> {
  if (!COMPANIONS) return undefined;
  const processes = await askLauncher(COMPANIONS);
  if (!processes) return { status: 'degraded', detail: 'The launcher does not answer.' };
  const down = processes.filter(({ status }) => status === 'down');
  return {
    status: down.length === 0 ? 'ok' : 'degraded',
    detail: down.length === 0 ? runningText(processes) : down.map(downText).join(' '),
    processes,
  };
}

async function askLauncher(launcher: Fetcher): Promise<CompanionProcess[] | undefined> {
  try {
    const signal = AbortSignal.timeout(TIME_LIMIT_MS);
    const answer = await launcher.fetch('http://launcher.internal/processes', { signal });
    return CompanionProcesses.parse(await answer.json());
  } catch {
    return undefined;
  }
}

function runningText(processes: readonly CompanionProcess[]): string {
  const restarted = processes.filter(({ restarts }) => restarts > 0);
  const counts = restarted.map(({ name, restarts }) => `${name} ${restarts}`);
  const history = counts.length === 0 ? '' : ` Restarts so far: ${counts.join(', ')}.`;
  return `${processes.length} processes run.${history}`;
}

function downText({ name, restarts, last_exit, next_start_at }: CompanionProcess): string {
  const remainingMs = next_start_at === null ? 0 : Date.parse(next_start_at) - Date.now();
  const seconds = Math.max(0, Math.ceil(remainingMs / 1000));
  return `${name} is down (${last_exit}), next try in ${seconds} s; restarts so far: ${restarts}.`;
}
