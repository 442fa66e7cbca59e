import { describe, expect, it } from 'vitest';
import { openBackend, parseDescription } from '../../../engine/index.ts';
import { editableParts, withNumber } from '../../../web/simulator/editable-numbers.ts';
import { networkOpener } from '../../../web/simulator/host/open-network.ts';
import { countsPerStep, fillRows } from '../../../web/simulator/host/raster-rows.ts';
import { SimulatorHost } from '../../../web/simulator/host/simulator-host.ts';
import { NETWORKS, readyNetwork } from '../../../web/simulator/networks.ts';
import type { SimulatorEvent } from '../../../web/simulator/protocol.ts';
import { rasterLayout } from '../../../web/simulator/raster-layout.ts';
import { createRateHistory } from '../../../web/simulator/rate-history.ts';

const network = readyNetwork('izhikevich', 3);
const events = { step: Uint32Array.of(10, 10, 12), neuron: Uint32Array.of(0, 33, 40) };

describe('the ready networks', () => {
  it.each(NETWORKS)('%s is one that the engine takes, and has numbers to change', (name) => {
    const description = parseDescription(readyNetwork(name, 1));
    const parts = editableParts(description);
    expect(parts.length).toBeGreaterThan(2);
    for (const { numbers } of parts) expect(numbers.length).toBeGreaterThan(0);
  });
});

describe('editing a network', () => {
  it('changes the one number, and gives every neuron of a larger population its own values', () => {
    const changed = withNumber(network, ['populations', 0, 'count'], 1000);
    expect(changed.populations[0]?.count).toBe(1000);
    const c = changed.populations[0]?.parameters?.['c'] as readonly number[];
    expect(c).toHaveLength(1000);
    expect(c[800]).toBe(c[0]);
    expect(network.populations[0]?.count).toBe(800);
    expect(parseDescription(changed).populations[0]?.count).toBe(1000);
  });

  it('reaches numbers within weights that are drawn', () => {
    const changed = withNumber(network, ['projections', 0, 'weight', 'uniform', 1], 0.7);
    expect(changed.projections?.[0]?.weight).toEqual({ uniform: [0, 0.7] });
  });
});

describe('the raster', () => {
  it('shares its rows by size and its columns by the millisecond', () => {
    const layout = rasterLayout({ ...network, dt: 0.1 });
    expect(layout.populations.map(({ rows }) => rows)).toEqual([480, 120]);
    expect([layout.rows, layout.columnSteps]).toEqual([600, 10]);
    expect(rasterLayout({ ...network, dt: 2 }).columnSteps).toBe(1);
  });

  it('holds the neurons that are shown, each in its row', () => {
    const words = new Uint32Array(4);
    const columns = { from: 10, columnSteps: 2, rowWords: 2, words };
    fillRows(events, { firstRow: 1, rows: 40 }, columns);
    // Neurons 0 and 33 in rows 1 and 34 of the first column; neuron 40 is not shown.
    expect([...words]).toEqual([1 << 1, 1 << 2, 0, 0]);
    expect([...countsPerStep(events, 10, 4)]).toEqual([2, 0, 1, 0]);
  });
});

it('firing rates are those of the newest bins, in Hz', () => {
  const history = createRateHistory({ counts: [10, 1], dt: 1, span: 10 });
  history.add(15, [new Uint32Array(15).fill(1), new Uint32Array(15)]);
  const [first, second] = history.curves();
  // A spike of ten neurons in each ms is 100 Hz; three bins of 5 ms are two in 10 ms.
  expect(first?.y).toEqual(Float64Array.of(100, 100));
  expect(second?.y).toEqual(Float64Array.of(0, 0));
  expect(first?.x).toEqual(Float64Array.of(7.5, 12.5));
});

describe('the host of the simulator', () => {
  async function host() {
    const received: SimulatorEvent[] = [];
    const simulator = new SimulatorHost({
      open: networkOpener(() => openBackend('wasm', { gpu: undefined, threads: 1 })),
      post: (event) => received.push(structuredClone(event)),
      now: () => performance.now(),
      wait: () => new Promise((resolve) => setImmediate(resolve)),
    });
    return { simulator, received };
  }

  it('announces what happens in a network step by step', async () => {
    const { simulator, received } = await host();
    await simulator.receive({ kind: 'open', description: network, next: 'wait' });
    for (let i = 0; i < 30; i++) await simulator.receive({ kind: 'step' });
    const steps = received.flatMap((event) => (event.kind === 'steps' ? [event.steps] : []));
    expect(steps.map(({ from }) => from)).toEqual(Array.from({ length: 30 }, (_, i) => i));
    const spikes = steps.flatMap(({ counts }) => counts).flatMap((counts) => [...counts]);
    const [figures] = received
      .flatMap((event) => (event.kind === 'figures' ? [event] : []))
      .slice(-1);
    const counted = figures!.figures.populations.reduce((sum, part) => sum + part.spikes, 0);
    expect(counted).toBe(spikes.reduce((sum, count) => sum + count, 0));
    expect(counted).toBeGreaterThan(0);
    expect(figures!.figures.time).toBe(30);
  });

  it('runs until it is paused, and changes the weights of plastic synapses', async () => {
    const { simulator, received } = await host();
    const description = readyNetwork('plastic', 1);
    await simulator.receive({ kind: 'open', description, next: 'wait' });
    await simulator.receive({ kind: 'step' });
    void simulator.receive({ kind: 'run' });
    while (received.filter(({ kind }) => kind === 'steps').length < 60) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    await simulator.receive({ kind: 'pause' });
    const figures = received.flatMap((event) => (event.kind === 'figures' ? [event.figures] : []));
    const [first, last] = [figures[0]!.weights[0]!, figures.at(-1)!.weights[0]!];
    expect(first).toHaveLength(3200);
    expect(last).not.toEqual(first);
    expect(received.at(-1)).toMatchObject({ kind: 'state', state: { status: 'paused' } });
  });

  it('says why a network cannot be simulated', async () => {
    const { simulator, received } = await host();
    const [first, ...others] = network.populations;
    const broken = { ...network, populations: [{ ...first!, count: 1e9 }, ...others] };
    await simulator.receive({ kind: 'open', description: broken, next: 'run' });
    expect(received.at(-1)).toMatchObject({
      kind: 'state',
      state: { status: 'failed', message: expect.stringMatching(/count|1000000000/) },
    });
  });
});
