import { describe, expect, it } from 'vitest';
import type { Backend } from '../../engine/graph/backend.ts';
import { openReferenceBackend } from '../../engine/backends/reference/reference-backend.ts';
import type { SimulationDescription } from '../../engine/simulator/description.ts';
import { createSimulation } from '../../engine/simulator/simulation.ts';
import { variants } from './play.ts';

const backends: Record<string, () => Promise<Backend>> = {
  reference: async () => openReferenceBackend(),
  webgpu: variants['webgpu, register tiles'],
  wasm: variants['wasm, relaxed, 1 thread'],
};

/** Phases anywhere, natural frequencies normal around 0.02 rad/ms: K_c = 2 / (pi g(0)) is 1.6 deviations. */
function entangled(coupling: number): SimulationDescription {
  return {
    seed: 5,
    dt: 1,
    populations: [
      {
        name: 'cells',
        count: 500,
        model: 'entangled',
        parameters: { coupling, modulation: 0.5 },
        initial: { phase: { uniform: [-3, 3] }, omega: { normal: [0.02, 0.005] } },
      },
    ],
    stimuli: [{ kind: 'current', to: 'cells', current: 0.06 }],
    recorders: [
      { kind: 'synchrony', of: 'cells' },
      { kind: 'rate', of: 'cells' },
    ],
  };
}

describe.each(Object.entries(backends))('entangled phases on %s', (_, open) => {
  it('come together above the critical coupling and stay apart below it', async () => {
    const critical = 0.005 * Math.sqrt(8 / Math.PI);
    const steps = 1500;
    const backend = await open();
    const orderAt = async (coupling: number) => {
      const simulation = await createSimulation(backend, entangled(coupling));
      const { synchrony } = await simulation.advance(steps);
      simulation.close();
      const late = synchrony.get('cells.synchrony')!.slice(-500);
      return late.reduce((sum, r) => sum + r, 0) / late.length;
    };

    const [apart, together] = [await orderAt(0), await orderAt(2 * critical)];
    backend.close();

    // 1 / sqrt(500) is 0.045.
    expect(apart).toBeLessThan(0.15);
    expect(together).toBeGreaterThan(0.75);
  });
});
