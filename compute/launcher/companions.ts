import type { CompanionProcess } from '../../edge/health/contract/health.ts';
import type { BootstrapKey } from './bootstrap-key.ts';
import type { LocalProcess, Watch } from './local-process.ts';
import { createLogNotes } from './log-notes.ts';
import { startReaper } from './reaper.ts';
import { countRestarts } from './supervisor.ts';

/** Every process that the launcher runs, workerd among them. */
interface Companions {
  /** Command lines of the companion processes. */
  readonly watch: Watch;
  add(...started: readonly (LocalProcess | undefined)[]): void;
  /** How each is, for `/health`. */
  states(): readonly CompanionProcess[];
  /** Shows what they say, from here on. */
  show(): void;
  /** Ends all but workerd in good order; from here on nothing counts as having died. */
  stop(): Promise<void>;
  /** Everything has ended: nothing is left to be ended with the launcher. */
  dismiss(): Promise<void>;
}

/** A process that dies is reported in the terminal and in the log of the platform behind `gateway`. */
export function superviseCompanions(platform: {
  readonly gateway: string;
  readonly key: BootstrapKey | undefined;
}): Companions {
  const publish = createLogNotes(platform);
  const onExit = (text: string) => {
    console.error(`spikegrid: ${text}`);
    publish(text);
  };
  const runtime = countRestarts('workerd', onExit);
  const reaper = startReaper(runtime.watch);
  const started: LocalProcess[] = [];
  return {
    watch: { cover: reaper.cover, onExit },
    add: (...more) => started.push(...more.filter((one) => one !== undefined)),
    states: () => [runtime, ...started].map(({ state }) => state()),
    show: () => {
      for (const one of started) one.show();
    },
    async stop() {
      runtime.release();
      await Promise.all(started.map((one) => one.stop()));
    },
    dismiss: reaper.dismiss,
  };
}
