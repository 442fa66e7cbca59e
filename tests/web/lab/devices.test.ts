import { describe, expect, it } from 'vitest';
import { type Backend, type DeviceChoice, openBackend } from '../../../engine/index.ts';
import { createDevices } from '../../../web/lab/host/devices.ts';
import { openFragileBackend } from './lab-host.ts';

describe('the devices of the lab', () => {
  it('are opened once for each choice, and cached', async () => {
    const asked: DeviceChoice[] = [];
    const devices = createDevices(
      (choice) => {
        asked.push(choice);
        return openBackend('reference', { gpu: undefined });
      },
      () => undefined,
    );

    const [first, again, other] = [
      await devices.open('auto'),
      await devices.open('auto'),
      await devices.open('wasm'),
    ];

    expect(again).toBe(first);
    expect(other).not.toBe(first);
    expect(asked).toEqual(['auto', 'wasm']);
    devices.close();
  });

  it('are opened anew once they are lost or could not be opened', async () => {
    const fragile = await openFragileBackend();
    const outcomes: (() => Promise<Backend>)[] = [
      () => Promise.reject(new Error('in use')),
      async () => fragile.backend,
      () => openBackend('reference', { gpu: undefined }),
    ];
    const lost: string[] = [];
    const devices = createDevices(
      () => outcomes.shift()!(),
      (_, reason) => lost.push(reason),
    );

    await expect(devices.open('wasm')).rejects.toThrow('in use');
    expect(await devices.open('wasm')).toBe(fragile.backend);
    fragile.lose();
    await expect.poll(() => lost).toEqual(['the WebGPU device was lost: unplugged']);

    expect(await devices.open('wasm')).not.toBe(fragile.backend);
    devices.close();
  });
});
