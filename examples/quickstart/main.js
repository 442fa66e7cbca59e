import { adamW, crossEntropy, evaluate, fit, init, lif, linear, sequential } from 'spikegrid';

// 200 points on two arcs: x is [200, 2], y a class for each.
const x = new Float32Array(400);
const y = new Uint32Array(200);
for (let i = 0; i < 200; i++) {
  const angle = (Math.PI * i) / 200;
  const isUpper = i % 2 === 0;
  x.set(
    isUpper ? [Math.cos(angle), Math.sin(angle)] : [1 - Math.cos(angle), 0.5 - Math.sin(angle)],
    2 * i,
  );
  y[i] = isUpper ? 0 : 1;
}

const network = sequential([linear(64), lif({ beta: 0.9 }), linear(2), lif({ beta: 0.9 })], {
  input: 2,
  steps: 25,
});
const model = await init(network, { seed: 1 });
await fit(
  model,
  { x, y },
  {
    loss: crossEntropy(),
    optimizer: adamW(1e-2),
    epochs: 40,
    onReport: ({ step, loss }) => console.log(step, loss.toFixed(3)),
  },
);
console.log(await evaluate(model, { x, y }));
