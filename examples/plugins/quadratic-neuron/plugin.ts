import { ModelNeuronPlugin, type NeuronModel } from 'spikegrid';

/**
 * The quadratic integrate-and-fire neuron (Ermentrout & Kopell 1986), in its own units:
 *
 *   tau v' = v^2 + I      at v >= peak: a spike, and v = -peak
 *
 * Below I = 0 it rests at -sqrt(-I); above, it fires every tau pi / sqrt(I), for a high peak. The slope
 * grows with v, so a step of dt is taken in ten.
 */
const quadratic: NeuronModel = {
  name: 'quadratic_integrate_and_fire',
  states: [{ name: 'v', symbol: 'v', unit: '', initial: 0 }],
  parameters: [
    { name: 'tau', symbol: 'τ', unit: 'ms', initial: 20, minimum: 1, maximum: 1000 },
    { name: 'peak', symbol: 'v_p', unit: '', initial: 10, minimum: 1, maximum: 30 },
  ],
  // For devices that speak WGSL: the GPU.
  wgsl: `
fn step(state: ptr<function, array<f32, 1>>, constants: array<f32, 2>, input: f32, dt: f32) -> bool {
  let h = dt / (10.0 * constants[0]);
  var v = (*state)[0];
  for (var i = 0; i < 10; i++) { v = min(v + h * (v * v + input), constants[1]); }
  let fires = v >= constants[1];
  (*state)[0] = select(v, -constants[1], fires);
  return fires;
}`,
  // The same for all other devices.
  step(state, [tau = 1, peak = 1], input, dt) {
    const h = dt / (10 * tau);
    let [v = 0] = state;
    for (let i = 0; i < 10; i++) v = Math.min(v + h * (v * v + input), peak);
    const fires = v >= peak;
    state[0] = fires ? -peak : v;
    return fires;
  },
};

export const createPlugin = () =>
  new ModelNeuronPlugin({
    name: 'QuadraticNeuronPlugin',
    version: '1.0.0',
    description: 'Quadratic integrate-and-fire neurons (Ermentrout & Kopell 1986).',
    model: quadratic,
    fromTau: (tau) => ({ tau }),
    fromThreshold: (peak) => ({ peak }),
    thresholdOf: ({ peak = 10 }) => peak,
  });
