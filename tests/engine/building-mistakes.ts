import {
  averagePool,
  conv2d,
  dropout,
  flatten,
  lif,
  linear,
  neuron,
  residual,
  sequential,
} from '../../library/index.ts';

/** A mistake, and what is read then. */
export interface Mistake {
  readonly make: () => unknown;
  readonly code: string;
  readonly message: string | RegExp;
}

/** Values that a program without types may hand over. */
export const any = (value: unknown): never => value as never;

/** Mistakes where a network is built. */
export const buildingMistakes: Readonly<Record<string, Mistake>> = {
  'a linear layer behind images': {
    make: () => sequential([conv2d(8, 3), lif(), linear(10)], { input: [1, 28, 28] }),
    code: 'shape-mismatch',
    message:
      'layer 2 (linear) is given the shape [8, 26, 26]: expected one axis, [features]: put flatten() in front of it',
  },
  'a convolution of what is no image': {
    make: () => sequential([conv2d(8, 3)], { input: 784 }),
    code: 'shape-mismatch',
    message:
      'layer 0 (conv2d) is given the shape [784]: expected images, [channels, height, width]',
  },
  'a kernel larger than its image': {
    make: () => sequential([averagePool(4), conv2d(8, 3)], { input: [1, 8, 8] }),
    code: 'shape-mismatch',
    message: /^layer 1 \(conv2d\): conv2d: a kernel that reaches over 3 does not fit into 2/,
  },
  'a residual of another size': {
    make: () => sequential([residual([linear(8)])], { input: 4 }),
    code: 'shape-mismatch',
    message:
      'layer 0 (residual): its layers make [8] of [4]: expected the shape that they are added to',
  },
  'a layer that was not called': {
    make: () => sequential([linear(4), any(lif)], { input: 4 }),
    code: 'invalid-structure',
    message: /^layer 1 is .*: expected a layer, such as linear\(10\)$/s,
  },
  'no layers': {
    make: () => sequential([], { input: 4 }),
    code: 'invalid-setting',
    message: 'sequential: there are no layers: expected an array of at least one',
  },
  'an input with its batch': {
    make: () => sequential([flatten()], { input: [128, 1, 28, 28] }),
    code: 'invalid-setting',
    message: 'sequential: input has 4 axes: expected 1 to 3, without batch and time',
  },
  'an option by another name': {
    make: () => lif(any({ decay: 0.9 })),
    code: 'invalid-setting',
    message:
      'lif: there is no option "decay": expected beta, threshold, reset, surrogate, surrogateWidth, name',
  },
  'a beta above 1': {
    make: () => lif({ beta: 1.5 }),
    code: 'invalid-setting',
    message: 'lif: beta is 1.5: expected a finite number from 0 to 1',
  },
  'a time constant in place of a fraction, as text': {
    make: () => lif({ beta: any('0.9') }),
    code: 'invalid-setting',
    message: 'lif: beta is "0.9": expected a finite number from 0 to 1',
  },
  'a surrogate that there is not': {
    make: () => lif({ surrogate: any('arctan') }),
    code: 'invalid-setting',
    message: 'lif: surrogate is "arctan": expected atan, fast_sigmoid, sigmoid, triangle',
  },
  'a neuron without a reset, by name': {
    make: () => lif({ reset: any('none') }),
    code: 'invalid-setting',
    message: 'lif: reset is "none": expected subtract, zero',
  },
  'a convolution without a kernel': {
    make: () => conv2d(8, any(undefined)),
    code: 'invalid-setting',
    message: 'conv2d: kernel is undefined: expected a number, or [height, width]',
  },
  'half a neuron': {
    make: () => linear(10.5),
    code: 'invalid-setting',
    message: 'linear: outputs is 10.5: expected a whole number from 1 to 16777216',
  },
  'a dropout in percent': {
    make: () => dropout(20),
    code: 'invalid-setting',
    message: 'dropout: share is 20: expected a finite number from 0 below 1',
  },
  'equations with an unknown name': {
    make: () => neuron('state u = 0\nu = betta * u + I\ns = spike(u - 1)'),
    code: 'invalid-equation',
    message: /betta/,
  },
  'two layers of one name': {
    make: () => sequential([linear(4, { name: 'a' }), linear(4, { name: 'a' })], { input: 4 }),
    code: 'invalid-structure',
    message: 'layer 1 (linear "a"): another layer has its name',
  },
};
