import { writeFile } from 'node:fs/promises';
import { adamW, crossEntropy, evaluate, fit, init, lif, linear, sequential } from 'spikegrid';
import { shapes } from './shapes.js';

const layers = [linear(100), lif({ beta: 0.9 }), linear(4), lif({ beta: 0.9 })];
const model = await init(sequential(layers, { input: [784], steps: 10 }), { device: 'wasm' });
await fit(model, shapes(2000, 1), { loss: crossEntropy(), optimizer: adamW(2e-3), epochs: 6 });
const { accuracy } = await evaluate(model, shapes(400, 2));
await writeFile('model.safetensors', model.save());
console.log(`accuracy ${(100 * accuracy).toFixed(1)} %`);
