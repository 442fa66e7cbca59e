import { describe, expect, it } from 'vitest';
import { OPEN, startHost } from './lab-host.ts';

const WATCH = { kind: 'watch', layer: 'blocks.0.qkv', neurons: [0, 5], page: 'visible' } as const;

describe('what is looked at', () => {
  it('contains the requested layer with the requested membranes', async () => {
    const host = startHost();
    await host.openText();
    host.command(WATCH);
    host.command({ ...OPEN, next: 'wait' });
    const { observation } = await host.nextEvent('observed');

    // Three times the width; eight characters of two time steps.
    expect(observation).toMatchObject({ layer: 'blocks.0.qkv', neurons: 24, times: 16, step: 0 });
    expect(observation.spikes).toHaveLength(16);
    expect(observation.membranes.map(({ neuron }) => neuron)).toEqual([0, 5]);
    for (const { neuron, values } of observation.membranes) {
      const fired = Array.from(values, (_, time) => (observation.spikes[time]! >>> neuron) & 1);
      // A membrane is kept as it was before the reset, so it says by itself where the neuron fired.
      expect(fired).toEqual(Array.from(values, (value) => Number(value > observation.threshold)));
    }
  });

  it('follows another layer and other neurons while the run rests', async () => {
    const host = startHost();
    await host.openText();
    host.command(WATCH);
    host.command({ ...OPEN, next: 'wait' });
    await host.nextEvent('observed');

    host.command({ ...WATCH, neurons: [3] });
    const other = await host.nextEvent(
      'observed',
      ({ observation: { membranes } }) => membranes.length === 1,
    );
    expect(other.observation.membranes[0]?.neuron).toBe(3);
    host.command({ ...WATCH, layer: 'blocks.0.up' });
    const layer = await host.nextEvent(
      'observed',
      ({ observation }) => observation.layer === 'blocks.0.up',
    );
    expect(layer.observation.neurons).toBe(32);
  });

  it('stops while the page is hidden, and training continues', async () => {
    const host = startHost();
    await host.openText();
    host.command({ ...WATCH, page: 'hidden' });
    host.command(OPEN);
    await host.run('finished', 0);

    expect(host.all('observed')).toEqual([]);
  });
});
