import { at, type ReferenceKernels } from './views.ts';

export const nirKernels = {
  integrate_fire: ({ f }, { steps, rows, width, reset: mode }) => {
    const [drive, parameters, membrane] = [f('drive'), f('parameters'), f('membrane')];
    const output = f('output');
    const count = rows * width;
    for (let i = 0; i < count; i++) {
      const [decay, gain, drift, threshold, reset] = [0, 1, 2, 3, 4].map((line) =>
        at(parameters, line * width + (i % width)),
      ) as [number, number, number, number, number];
      let v = at(membrane, i);
      for (let t = 0; t < steps; t++) {
        let u = decay * v + gain * at(drive, t * count + i) + drift;
        if (mode === 'delayed' && v > threshold) u -= reset;
        const fires = u > threshold;
        output[t * count + i] = mode === 'none' ? u : Number(fires);
        v = u;
        if (fires && mode === 'value') v = reset;
        if (fires && mode === 'subtract') v = u - reset;
      }
      membrane[i] = v;
    }
  },
  delay_features: ({ f, u }, { steps, rows, width, depth }) => {
    const [input, past, output] = [f('input'), f('past'), f('output')];
    const count = rows * width;
    // All that is known, from the oldest step of the past to the last of this play.
    const known = new Float64Array((depth + steps) * count);
    known.set(past);
    known.set(input, depth * count);
    for (let t = 0; t < steps; t++) {
      for (let i = 0; i < count; i++) {
        const from = depth + t - at(u('delays'), i % width);
        output[t * count + i] = at(known, from * count + i);
      }
    }
    past.set(known.subarray(steps * count));
  },
} satisfies Partial<ReferenceKernels>;
