import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createLab, type RunRequest } from '../../../web/lab/lab.ts';
import type { LabState } from '../../../web/lab/lab-state.ts';
import type { FromWorker } from '../../../web/lab/protocol.ts';
import { OPEN, SETTINGS, startHost, TEXT, WRITE } from './lab-host.ts';

const REQUEST: RunRequest = { settings: SETTINGS, device: 'reference', validateEvery: 4 };

/** The page's side of the lab with the worker's side behind it, in one thread. */
function startLab() {
  let say: (message: FromWorker) => void = () => undefined;
  const { host } = startHost({ post: (message) => say(structuredClone(message)) });
  const lab = createLab({
    send: (message) => host.receive(structuredClone(message)),
    listen: (onMessage) => {
      say = onMessage;
    },
    close: () => undefined,
  });
  onTestFinished(() => lab.close());
  const until = (isSo: (state: LabState) => boolean) =>
    vi.waitUntil(() => isSo(lab.store.getState()), { timeout: 10_000, interval: 5 });
  const inState = (status: string) => until(({ run }) => run.status === status);
  lab.chooseData({ kind: 'pasted', name: 'cats', text: TEXT }, SETTINGS);
  return { lab, until, inState };
}

describe('the lab of a page', () => {
  it('opens a run when there is none, and draws its curves', async () => {
    const { lab, inState } = startLab();
    lab.train(REQUEST, 'train');
    await inState('finished');

    const { x, y } = lab.live.curves.window();
    expect(x.at(-1)).toBe(12);
    expect([...x]).toEqual([...x].toSorted((a, b) => a - b));
    const validations = y[1]!.filter((value) => !Number.isNaN(value));
    expect(validations).toHaveLength(6);
    expect(lab.live.speed.length).toBeGreaterThan(0);
  });

  it('chooses a layer and the neurons that fire most, and draws them', async () => {
    const { lab, inState } = startLab();
    lab.train(REQUEST, 'step');
    await inState('paused');
    await vi.waitUntil(() => lab.live.view.getState().current?.traces);

    const view = lab.live.view.getState().current!;
    expect(view).toMatchObject({ layer: 'blocks.0.qkv', threshold: 1 });
    expect(view.neurons).toHaveLength(3);
    expect(view.neurons).toEqual([...view.neurons].toSorted((a, b) => a - b));
    expect(view.spikes.steps).toBe(16);
    expect(view.traces!.length).toBe(16);
    const fired = view.neurons.map((_, index) => view.traces!.fired(index).reduce((a, b) => a + b));
    expect(Math.min(...fired)).toBeGreaterThan(0);

    lab.observation.toggleNeuron(view.neurons[0]!);
    await vi.waitUntil(() => lab.live.view.getState().current?.neurons.length === 2);
    for (const neuron of [1, 2, 3, 4]) lab.observation.toggleNeuron(neuron);
    expect(lab.observation.store.getState().neurons).toHaveLength(4);
  });

  it('goes on from where a run stands when its budget is raised', async () => {
    const { lab, inState, until } = startLab();
    lab.train(REQUEST, 'train');
    await inState('finished');
    const budget = { kind: 'steps', steps: 15 } as const;
    lab.train({ ...REQUEST, settings: { ...SETTINGS, budget } }, 'train');
    await until(({ progress, run }) => progress?.step === 15 && run.status === 'finished');

    const { x } = lab.live.curves.window();
    expect([...x].filter((step) => step <= 12).length).toBeGreaterThan(0);
    expect([...x]).toEqual([...x].toSorted((a, b) => a - b));
  });

  it('trains on with the same run where nothing was changed', async () => {
    const { lab, inState, until } = startLab();
    lab.train(REQUEST, 'step');
    await inState('paused');
    const before = lab.store.getState().run;
    lab.train(REQUEST, 'step');
    await until(({ progress, run }) => progress?.step === 2 && run.status === 'paused');

    const after = lab.store.getState().run;
    expect('run' in after && 'run' in before && after.run).toEqual('run' in before && before.run);
  });

  it('forgets curves and progress with a reset', async () => {
    const { lab, inState } = startLab();
    lab.train(REQUEST, 'train');
    await inState('finished');
    lab.reset();
    await inState('idle');

    expect(lab.live.curves.length).toBe(0);
    expect(lab.store.getState()).toMatchObject({ progress: null, validation: null });
  });

  it('plans, and says what is wrong with settings that cannot be', async () => {
    const { lab, until } = startLab();
    lab.plan({ ...SETTINGS, fields: { ...SETTINGS.fields, n_heads: 3 } });
    await until(({ plan }) => plan.status === 'refused');
    lab.plan(SETTINGS);
    await until(({ plan }) => plan.status === 'known');
    lab.chooseData({ kind: 'pasted', name: 'other', text: 'x' }, SETTINGS);
    await until(({ data }) => data.status === 'open' && data.facts.name === 'other');

    lab.plan(SETTINGS);
    await until(({ plan }) => plan.status === 'refused');
    expect(lab.store.getState().plan).toMatchObject({ failure: { code: 'text-too-short' } });
  });

  it('collects the generated text, and retains it when generation fails', async () => {
    const { lab, inState, until } = startLab();
    lab.train(REQUEST, 'step');
    await inState('paused');
    lab.write(WRITE);
    await until(({ writing }) => writing.status === 'done');
    const { writing } = lab.store.getState();
    expect(writing).toMatchObject({ prompt: 'the ', tokens: 20 });
    expect('text' in writing && [...writing.text]).toHaveLength(20);

    lab.write({ ...WRITE, prompt: 'ü' });
    await until((state) => state.writing.status === 'failed');
    expect(lab.store.getState().writing).toMatchObject({
      failure: { code: 'unknown-character' },
    });
  });

  it('knows which steps were saved, and loads what was saved', async () => {
    const { lab, inState } = startLab();
    lab.train(REQUEST, 'step');
    await inState('paused');
    expect(lab.store.getState().savedStep).toBe(0);
    const saved = await lab.save();
    expect(lab.store.getState().savedStep).toBe(1);
    if (!saved.ok) throw new Error('not saved');

    lab.reset();
    await inState('idle');
    const { name, file } = saved.value;
    expect(await lab.load([new File([file], name)])).toMatchObject({
      ok: true,
      value: { step: 1 },
    });
    expect(lab.store.getState().run).toMatchObject({ status: 'loaded', checkpoint: { step: 1 } });
    lab.train({ ...REQUEST, settings: OPEN.settings }, 'train');
    await inState('finished');
    expect(lab.live.curves.window().x[0]).toBeGreaterThan(1);
  });
});
