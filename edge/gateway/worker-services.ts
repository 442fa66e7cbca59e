const names = new Set<string>();

/** Declares a service of this Worker, by its segment behind the gateway: called by worker.ts as it loads. */
export function declareWorkerService(name: string): void {
  names.add(name);
}

/** The services of this Worker, in the order in which worker.ts declares them. */
export const workerServices = (): readonly string[] => [...names];

export const isWorkerService = (name: string): boolean => names.has(name);

/** The class in worker.ts that serves a service: `LmTrainingService` of `lm-training`. */
export const entrypointNameOf = (service: string): string =>
  `${service.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Service`;
