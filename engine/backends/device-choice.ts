import { EngineError } from '../errors.ts';

/** Apart from what opens them: forms list devices and open none. */
export const DEVICES = ['auto', 'webgpu', 'wasm', 'reference'] as const;
/** A device by name: `auto` takes a GPU where there is one, else WASM; `reference` is float64, slow, for tests. */
export type DeviceChoice = (typeof DEVICES)[number];

/** Reads a device's name. Throws EngineError `unknown-device` naming it and the known ones. */
export function parseDevice(name: string): DeviceChoice {
  const found = DEVICES.find((device) => device === name);
  if (found) return found;
  throw new EngineError(
    'unknown-device',
    `unknown device "${name}": expected ${DEVICES.join(', ')}`,
  );
}
