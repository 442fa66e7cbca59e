import { adamW, crossEntropy, evaluate, fit, init, linear, neuron, sequential } from 'spikegrid';
import { rhythms } from './rhythms.js';

const resonator = `state x = 0, y = 0
  learn omega = 0.5 in [0.05, 1.5] per neuron
  learn decay = 0.9 in [0.5, 1] per neuron
  x0 = x
  x = decay * (x * cos(omega) - y * sin(omega)) + I
  y = decay * (y * cos(omega) + x0 * sin(omega))
  s = spike(y - 1)`;
const network = sequential([linear(32), neuron(resonator), linear(3)], { input: 1, steps: 50 });
const model = await init(network, { seed: 1 });
const { losses } = await fit(model, rhythms(600, 1), {
  loss: crossEntropy({ on: 'values' }),
  optimizer: adamW(0.02),
  epochs: 10,
});
const { accuracy } = await evaluate(model, rhythms(150, 2));
console.log(`loss ${losses[0].toFixed(2)} to ${losses.at(-1).toFixed(2)}`);
console.log(`accuracy ${(100 * accuracy).toFixed(1)} %`);
