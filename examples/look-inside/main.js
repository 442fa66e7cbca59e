import { init, lif, linear, sequential } from 'spikegrid';
import { drawMembranes, drawRaster, drawRates } from 'spikegrid/pictures';
import { show } from './show.js';

const hidden = lif({ beta: 0.9, name: 'hidden' });
const layers = [linear(40), hidden, linear(10), lif({ name: 'output' })];
const model = await init(sequential(layers, { input: 16, steps: 60 }), { seed: 1 });
const x = Float32Array.from({ length: 16 }, (_, i) => Math.sin(i) + 1);
const seen = await model.observe(x);
await show('raster', (canvas) => drawRaster(canvas, seen));
await show('membranes', (canvas) => drawMembranes(canvas, seen, { threshold: 1 }));
await show('rates', (canvas) => drawRates(canvas, seen));
const firing = seen.layers.map(({ rates }) => rates.filter((rate) => rate > 0).length);
console.log(`${firing.join(' and ')} neurons fire`);
