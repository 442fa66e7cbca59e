import { expect, it } from 'vitest';
import { kernelHead } from '../../engine/kernels/kernel-head.ts';
import { kernels } from '../../engine/kernels/kernels.ts';
import { isWritten } from '../../engine/kernel-language/written-kernel.ts';

it('shows what a scan and its gradient compute', () => {
  const head = kernelHead(kernels.lif_backward);
  expect(head).toContain('operands: current (read), gradient (update), decay (read?)');
  // The first variant: surrogate atan, a decay that is a number, no checkpoints.
  expect(head.split('\n\n')[1]).toMatchInlineSnapshot(`
    "lif_backward.atan:
    current: f32[steps, rows, width]
    gradient: f32[steps, rows, width]
    for each row < rows, column < width
      state u = 0
      step by step, step from 0 to steps
        v1 = madd(beta, u, current[step, row, column]) - detach(u > threshold ? threshold : 0)
        v2 = (v1 - threshold) * 3.141592653589793
        note trail 0 = 1 / madd(v2, v2, 1)
        next u = v1
      state gradient of u = 0
      step by step, step from steps - 1 down to 0
        v3 = gradient of u + gradient[step, row, column] * trail 0
        gradient[step, row, column] = v3
        next gradient of u = v3 * beta
    exact: float32 in the order of the text in plain WASM; elsewhere a x + b may be rounded once"
  `);
});

it('names the inexact functions of a kernel', () => {
  expect(kernelHead(kernels.cross_entropy_forward)).toContain(
    '; exp within 2 ulp (WGSL: 3 + 2|x| ulp); log within 2 ulp',
  );
});

it('shows means, and that backends add them up in orders of their own', () => {
  const head = kernelHead(kernels.synchrony_forward);
  expect(head).toContain('= groupMean(cos(phi))');
  expect(head).toContain('; a mean adds up in an order of each backend; cos within 1e-7');
});

it.each(Object.values(kernels))('has a head for $name', (kernel) => {
  const head = kernelHead(kernel);
  expect(head).not.toMatch(/undefined|NaN|\[object/);
  expect(head).toContain(isWritten(kernel) ? 'for each' : `shaders/${kernel.area}/`);
  // A name that stands for a shared value is given before it is used.
  for (const variant of head.split('\n\n').slice(1)) {
    const known = new Set<string>();
    for (const line of variant.split('\n')) {
      const [, given, text = line] = /^ +(v\d+) = (.*)$/.exec(line) ?? [];
      for (const [used] of text.matchAll(/\bv\d+\b/g)) expect(known, line).toContain(used);
      if (given !== undefined) known.add(given);
    }
  }
});
