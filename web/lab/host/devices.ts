import type { Backend, DeviceChoice } from '../../../engine/index.ts';

export type OpenBackend = (choice: DeviceChoice) => Promise<Backend>;

/** The devices in use: each is opened once and kept until it is lost. */
export interface Devices {
  /** Throws EngineError `no-adapter` as the engine does. */
  open(choice: DeviceChoice): Promise<Backend>;
  close(): void;
}

/** @param onLost called with a device that is gone, and the reason */
export function createDevices(
  openBackend: OpenBackend,
  onLost: (backend: Backend, reason: string) => void,
): Devices {
  const opened = new Map<string, Promise<Backend>>();
  return {
    open(choice) {
      // `auto` is WebGPU wherever there is more than the reference.
      const key = choice === 'auto' ? 'webgpu' : choice;
      const known = opened.get(key);
      if (known) return known;
      const opening = openBackend(choice);
      opened.set(key, opening);
      const forget = () => {
        if (opened.get(key) === opening) opened.delete(key);
      };
      opening.then((backend) => {
        void backend.lost.then((reason) => {
          forget();
          onLost(backend, reason);
        });
      }, forget);
      return opening;
    },
    close() {
      for (const opening of opened.values()) {
        opening.then(
          (backend) => backend.close(),
          () => undefined,
        );
      }
      opened.clear();
    },
  };
}
