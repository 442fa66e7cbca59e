import type { Backend, DeviceChoice } from '../../../engine/index.ts';

export type OpenBackend = (choice: DeviceChoice) => Promise<Backend>;

/** The devices in use: each choice is opened once and kept until it is lost. */
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
  const opened = new Map<DeviceChoice, Promise<Backend>>();
  return {
    open(choice) {
      const known = opened.get(choice);
      if (known) return known;
      const opening = openBackend(choice);
      opened.set(choice, opening);
      const forget = () => {
        if (opened.get(choice) === opening) opened.delete(choice);
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
