import type { NeuronModel } from '../../engine/kernels/neuron-model.ts';

/** Quadratic integrate-and-fire, as a plugin would bring it: v' = a (v - rest) (v - critical) + I, reset at 30. */
export const quadraticModel: NeuronModel = {
  name: 'quadratic',
  states: [{ name: 'v', symbol: 'v', unit: '', initial: 0 }],
  parameters: [
    { name: 'a', symbol: 'a', unit: '', initial: 0.5, minimum: 0, maximum: 10 },
    { name: 'critical', symbol: 'v_c', unit: '', initial: 1, minimum: 0, maximum: 10 },
  ],
  wgsl: `
fn step(state: ptr<function, array<f32, 1>>, own: array<f32, 2>, input: f32, dt: f32) -> bool {
  let v = (*state)[0];
  let next = v + dt * (own[0] * v * (v - own[1]) + input);
  let fires = next >= MODEL_PEAK;
  (*state)[0] = select(next, 0.0, fires);
  return fires;
}
const MODEL_PEAK = 30.0;`,
  step(state, [a = 0, critical = 0], input, dt) {
    const [v = 0] = state;
    const next = v + dt * (a * v * (v - critical) + input);
    const fires = next >= 30;
    state[0] = fires ? 0 : next;
    return fires;
  },
};
