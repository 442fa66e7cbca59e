import { describe, expect, it } from 'vitest';
import { openReferenceBackend } from '../../engine/backends/reference/reference-backend.ts';
import { openWasmBackend } from '../../engine/backends/wasm/wasm-backend.ts';
import type { DeviceDescription } from '../../engine/graph/backend.ts';
import { balancedNetwork } from '../../engine/simulator/networks.ts';
import { parseDescription } from '../../engine/simulator/parse-description.ts';
import {
  formatSimulationPlan,
  planSimulation,
  requireMemory,
} from '../../engine/simulator/plan.ts';
import { createSimulation } from '../../engine/simulator/simulation.ts';
import { quadraticModel } from './quadratic-model.ts';

const cells = { name: 'cells', count: 10, model: 'lif' };
const noise = { name: 'noise', count: 10, model: 'poisson', parameters: { rate: 10 } };
const withCells = (change: object) => ({ populations: [{ ...cells, ...change }] });
const withProjection = (change: object) => ({
  populations: [cells, noise],
  projections: [{ from: 'noise', to: 'cells', connect: { kind: 'all' }, weight: 1, ...change }],
});
const withStimulus = (change: object) => ({
  populations: [cells],
  stimuli: [{ kind: 'current', to: 'cells', current: 1, ...change }],
});

describe('a network that cannot be', () => {
  it.each<[string, unknown, string]>([
    ['is no object', 7, 'the network is 7: expected an object'],
    ['has no populations', {}, 'populations is []: expected at least one population'],
    [
      'has a field that nobody knows',
      { populations: [cells], neurons: 5 },
      'the network has "neurons": expected nothing but seed, dt, populations, projections, stimuli, recorders',
    ],
    ['has no time', { dt: 0, populations: [cells] }, 'dt is 0: expected a finite number above 0'],
    [
      'has 0 neurons',
      withCells({ count: 0 }),
      'populations[0].count is 0: expected a whole number of at least 1 and at most 16777216',
    ],
    [
      'has 10^9 neurons',
      withCells({ count: 1e9 }),
      'populations[0].count is 1000000000: expected a whole number of at least 1 and at most 16777216',
    ],
    [
      'has a model that nobody knows',
      withCells({ model: 'hodgkin' }),
      'unknown neuron model "hodgkin": expected lif, lif_reset, lif_integer, alif, izhikevich, izhikevich_euler',
    ],
    [
      'has a parameter that is no number',
      withCells({ parameters: { tau: Number.NaN } }),
      'populations[0].parameters.tau is NaN: expected a finite number of at least 0.01',
    ],
    [
      'has an infinite parameter',
      withCells({ parameters: { threshold: Number.POSITIVE_INFINITY } }),
      'populations[0].parameters.threshold is Infinity: expected a finite number',
    ],
    [
      'has a tau of 0',
      withCells({ parameters: { tau: 0 } }),
      'populations[0].parameters.tau is 0: expected a finite number of at least 0.01',
    ],
    [
      'has too few values',
      withCells({ parameters: { tau: [1, 2] } }),
      'populations[0].parameters.tau.length is 2: expected 10',
    ],
    [
      'has a value among many that is wrong',
      withCells({ initial: { v: [0, 0, 0, 0, 0, 0, 0, Number.NaN, 0, 0] } }),
      'populations[0].initial.v[7] is NaN: expected a finite number',
    ],
    [
      'has a name twice',
      { populations: [cells, cells] },
      'populations[1].name is "cells": expected a name that no other has',
    ],
    [
      'projects to nobody',
      withProjection({ to: 'cell' }),
      'projections[0].to is "cell": expected a population: cells, noise',
    ],
    [
      'projects to what has no inputs',
      withProjection({ from: 'cells', to: 'noise' }),
      'projections[0].to is "noise": expected a population with inputs, poisson has none',
    ],
    [
      'has a delay below a step',
      withProjection({ delay: 0.5 }),
      'projections[0].delay is 0.5: expected a finite number of at least 1',
    ],
    [
      'joins by a chance above 1',
      withProjection({ connect: { kind: 'probability', p: 1.5 } }),
      'projections[0].connect.p is 1.5: expected a finite number of at least 0 and at most 1',
    ],
    [
      'lists a neuron that is not there',
      withProjection({ connect: { kind: 'list', sources: [10], targets: [0] } }),
      'projections[0].connect.sources[0] is 10: expected a whole number of at least 0 and at most 9',
    ],
    [
      'has a ramp without an end',
      withStimulus({ current: [0, 1] }),
      'stimuli[0].stop is missing: expected the end of the ramp in ms',
    ],
    [
      'records a state that is not there',
      { populations: [cells], recorders: [{ kind: 'state', of: 'cells', state: 'w' }] },
      'recorders[0].state is "w": expected v or rest',
    ],
  ])('%s', (_, description, message) => {
    expect(() => parseDescription(description)).toThrow(
      expect.objectContaining({
        code: 'invalid-setting',
        message: expect.stringContaining(message),
      }),
    );
  });

  it.each([
    [{ name: 'lif' }, 'neuron model "lif" has the name of a model of the catalogue'],
    [{ name: 'a b' }, 'neuron model "a b" has no usable name'],
    [{ states: [] }, 'neuron model "quadratic" has no states'],
    [
      { wgsl: 'fn go() {}' },
      'neuron model "quadratic" has no WGSL: expected one that declares fn step',
    ],
  ])('is brought with a model of %j', (change, message) => {
    const models = [{ ...quadraticModel, ...change }];

    expect(() => parseDescription({ populations: [cells] }, models)).toThrow(message);
  });

  it('names a plasticity rule that nobody brought', async () => {
    const description = withProjection({ plasticity: { rule: 'stdp' } });

    await expect(createSimulation(openReferenceBackend(), description)).rejects.toMatchObject({
      code: 'invalid-setting',
      message: 'unknown plasticity rule "stdp": expected none, as no rules were given',
    });
  });

  it('has weights whose sum no 32 bits hold', async () => {
    const description = withProjection({ weight: 1e9 });

    await expect(createSimulation(openReferenceBackend(), description)).rejects.toMatchObject({
      code: 'invalid-setting',
      message:
        'population cells: weights of up to 10000000000 in all could arrive at a neuron in one step, ' +
        'expected at most 2147483647',
    });
  });
});

describe('memory', () => {
  const wide = (count: number) => ({
    populations: [{ name: 'cells', count, model: 'lif' }],
    projections: [{ from: 'cells', to: 'cells', connect: { kind: 'all' }, weight: 1 }],
  });

  it('that no device has is refused by its size before anything is drawn', async () => {
    const backend = await openWasmBackend({ threads: 1 });

    await expect(createSimulation(backend, wide(100_000))).rejects.toMatchObject({
      code: 'out-of-memory',
      message: expect.stringMatching(
        /^100000 neurons with 10000000000 synapses need 80002\d{6} bytes, 40000000000 of them for one block of cells->cells: expected at most 4294901760 in all/,
      ),
    });
    backend.close();
  });

  it('of one block is held against what the device allows', () => {
    const plan = planSimulation(parseDescription(wide(1000)));
    const device = { maxBlockBytes: 3_999_999 } as DeviceDescription;

    expect(() => requireMemory(plan, device)).toThrow(/4000000 of them for one block/);
    expect(() => requireMemory(plan, { ...device, maxBlockBytes: 4_000_000 })).not.toThrow();
  });

  it('is planned as it is then taken', async () => {
    const description = parseDescription(balancedNetwork());
    const plan = planSimulation(description);
    const simulation = await createSimulation(openReferenceBackend(), description);
    const parts = ['target', 'weight', 'rowStart'].map((part) =>
      simulation.read(`excitatory->inhibitory.${part}`),
    );
    const words = (await Promise.all(parts)).reduce((sum, { length }) => sum + length, 0);
    simulation.close();

    expect(plan.parts.find(({ name }) => name === 'excitatory->inhibitory')?.bytes).toBe(4 * words);
    expect(formatSimulationPlan(plan)).toContain('2500 neurons, 625000 synapses');
  });
});
