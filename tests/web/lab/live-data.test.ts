import { describe, expect, it } from 'vitest';
import { createLiveData } from '../../../web/lab/live-data.ts';
import type { ObservationFacts, ProgressFacts } from '../../../web/lab/protocol.ts';

const progress = (step: number, loss: number) =>
  ({ kind: 'progress', progress: { step, loss, tokensPerSecond: 100 } as ProgressFacts }) as const;

const observed = (change: Partial<ObservationFacts> = {}) =>
  ({
    kind: 'observed',
    observation: {
      step: 1,
      layer: 'blocks.0.qkv',
      neurons: 40,
      times: 2,
      threshold: 1,
      // Neuron 0 fires at time 0, neuron 33 at time 1.
      spikes: Uint32Array.of(1, 0, 0, 2),
      membranes: [{ neuron: 33, values: Float32Array.of(0.5, 1.5) }],
      ...change,
    },
  }) as const;

describe('live data', () => {
  it('draws losses on one axis, and leaves out a report without a step', () => {
    const live = createLiveData();
    live.take(progress(0, Number.NaN));
    live.take(progress(10, 4));
    live.take({ kind: 'validated', validation: { step: 10, loss: 3, layers: [], figures: {} } });

    const { x, y } = live.curves.window();
    expect([...x]).toEqual([10, 10]);
    expect([...y[0]!]).toEqual([4, Number.NaN]);
    expect([...y[1]!]).toEqual([Number.NaN, 3]);
    expect(live.speed.length).toBe(1);
  });

  it('goes back to a step, so that it comes by again', () => {
    const live = createLiveData();
    for (const step of [10, 20, 30]) live.take(progress(step, 1 / step));
    live.goBack(20);
    live.take(progress(25, 0.01));

    expect([...live.curves.window().x]).toEqual([10, 20, 25]);
  });

  it('puts spikes and membranes where the charts read them', () => {
    const live = createLiveData();
    live.take(observed());
    const view = live.view.getState().current!;

    expect([...view.spikes.step(0)]).toEqual([1, 0]);
    expect([...view.traces!.potentials(0)]).toEqual([0.5, 1.5]);
    expect([...view.traces!.fired(0)]).toEqual([0, 1]);
  });

  it('reuses its buffers between observations, and creates others for other neurons', () => {
    const live = createLiveData();
    live.take(observed());
    const first = live.view.getState().current!;
    live.take(observed({ spikes: Uint32Array.of(0, 0, 0, 0) }));
    expect(live.view.getState().current).toBe(first);
    expect([...first.spikes.step(0)]).toEqual([0, 0]);

    live.take(observed({ membranes: [] }));
    const second = live.view.getState().current!;
    expect(second.spikes).toBe(first.spikes);
    expect(second.traces).toBeNull();
    live.take(observed({ layer: 'blocks.0.up' }));
    expect(live.view.getState().current!.spikes).not.toBe(first.spikes);
  });
});
