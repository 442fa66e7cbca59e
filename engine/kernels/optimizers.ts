import { equations } from '../kernel-language/written-kernel.ts';
import { kernelsOf } from './table.ts';

const LINES = {
  /** Lines of the parameter block, and words of each: no two parameters share one. */
  lines: 'int',
  words: 'int',
} as const;

const OVER_LINES = { over: { line: 'lines', place: 'words' } } as const;

const BLOCK = 'f32[lines, words]';

/**
 * `factors` has for each line what the learning rate is multiplied by, its weight decay, and whether it is
 * trained at all. A negative `scale` leaves everything as it is.
 */
const SHAPES = {
  parameters: BLOCK,
  gradients: BLOCK,
  momentum: BLOCK,
  variance: BLOCK,
  factors: 'f32[lines, 3]',
  scale: 'f32[1]',
  rates: 'f32[5]',
} as const;

const STEP = `
  rate = rates[0] * factors[line, 0]
  decay = factors[line, 1]
  isTrained = factors[line, 2] > 0 && scale >= 0
  gradient = gradients * scale`;

const WITH_MOMENTUM = {
  parameters: 'update',
  gradients: 'read',
  momentum: 'update',
  factors: 'read',
  scale: 'read',
  rates: 'read',
} as const;

/** Steps over the parameter block by lines. Made when a program first calls them: no part of a build. */
export const optimizerKernels = kernelsOf('optimizer', {
  /** In place, before the norm is taken. What is no number stays as it is, so that the norm tells. */
  clip_values: {
    operands: { gradients: 'update', factors: 'read' },
    attributes: { ...LINES, limit: 'float' },
    write: equations({
      ...OVER_LINES,
      shapes: { gradients: BLOCK, factors: 'f32[lines, 3]' },
      equations: `
        g = gradients
        clipped = g > limit ? limit : g < -limit ? -limit : g
        gradients = factors[line, 2] > 0 ? clipped : g`,
    }),
  },
  sgd_step: {
    operands: WITH_MOMENTUM,
    attributes: { ...LINES, beta: 'float', nesterov: 'flag' },
    write: equations(({ nesterov }) => ({
      ...OVER_LINES,
      shapes: SHAPES,
      equations: `${STEP}
        g = gradient + decay * parameters
        m = beta * momentum + g
        move = ${nesterov === true ? 'beta * m + g' : 'm'}
        momentum = isTrained ? m : momentum
        parameters = isTrained ? parameters - rate * move : parameters`,
    })),
  },
  /** As adamw, with factors for each line; `coupled` adds the decay to the gradient, as Adam does. */
  adam_step: {
    operands: { ...WITH_MOMENTUM, variance: 'update' },
    attributes: {
      ...LINES,
      beta1: 'float',
      beta2: 'float',
      epsilon: 'float',
      coupled: 'flag',
    },
    write: equations(({ coupled }) => ({
      ...OVER_LINES,
      shapes: SHAPES,
      equations: `${STEP}
        g = ${coupled === true ? 'gradient + decay * parameters' : 'gradient'}
        m = beta1 * momentum + (1 - beta1) * g
        v = beta2 * variance + (1 - beta2) * (g * g)
        shrunk = ${coupled === true ? 'parameters' : 'parameters * (1 - rate * decay)'}
        correction = 1 / rates[4]
        moved = shrunk - rate / rates[3] * m / (sqrt(v * correction) + epsilon)
        momentum = isTrained ? m : momentum
        variance = isTrained ? v : variance
        parameters = isTrained ? moved : parameters`,
    })),
  },
  /** Chen et al. 2023: the sign of a mixture of momentum and gradient. */
  lion_step: {
    operands: WITH_MOMENTUM,
    attributes: { ...LINES, beta1: 'float', beta2: 'float' },
    write: equations({
      ...OVER_LINES,
      shapes: SHAPES,
      equations: `${STEP}
        mixture = beta1 * momentum + (1 - beta1) * gradient
        direction = mixture > 0 ? 1 : mixture < 0 ? -1 : 0
        m = beta2 * momentum + (1 - beta2) * gradient
        momentum = isTrained ? m : momentum
        parameters = isTrained ? parameters * (1 - rate * decay) - rate * direction : parameters`,
    }),
  },
  /** The momentum of the lines that are trained, and the directions that they are to take. */
  momentum_step: {
    operands: {
      gradients: 'read',
      momentum: 'update',
      factors: 'read',
      scale: 'read',
      direction: 'write',
    },
    attributes: { ...LINES, beta: 'float', nesterov: 'flag' },
    write: equations(({ nesterov }) => ({
      ...OVER_LINES,
      shapes: { ...SHAPES, direction: BLOCK },
      equations: `
        g = gradients * scale
        m = beta * momentum + g
        direction = ${nesterov === true ? 'beta * m + g' : 'm'}
        momentum = factors[line, 2] > 0 && scale >= 0 ? m : momentum`,
    })),
  },
  /** The words of one parameter, `offset` words into a block. */
  take_words: {
    operands: { source: 'read', target: 'write' },
    attributes: { count: 'int', offset: 'int' },
    write: equations({
      over: { element: 'count' },
      shapes: { source: 'f32[_]', target: 'f32[count]' },
      equations: 'target = source[element + offset]',
    }),
  },
  /** One over the norm whose squares were added up in parts. */
  inverse_norm: {
    operands: { partial: 'read', inverse: 'write' },
    attributes: { rows: 'int' },
    write: equations({
      over: { row: 'rows' },
      shapes: { partial: 'f32[rows]', inverse: 'f32[1]' },
      equations: 'inverse = 1 / (sqrt(rowSum(partial)) + 1e-7)',
    }),
  },
  multiply: {
    operands: { source: 'read', factor: 'read', target: 'write' },
    attributes: { count: 'int' },
    write: equations({
      over: { element: 'count' },
      shapes: { source: 'f32[count]', factor: 'f32[1]', target: 'f32[count]' },
      equations: 'target = source * factor',
    }),
  },
  weighted_sum: {
    operands: { first: 'read', second: 'read', target: 'write' },
    attributes: { count: 'int', firstWeight: 'float', secondWeight: 'float' },
    write: equations({
      over: { element: 'count' },
      shapes: { first: 'f32[count]', second: 'f32[count]', target: 'f32[count]' },
      equations: 'target = firstWeight * first + secondWeight * second',
    }),
  },
  /** A step along a direction whose size is its own; `adjusted` is what the rate is multiplied by. */
  muon_step: {
    operands: { parameter: 'update', direction: 'read', scale: 'read', rates: 'read' },
    attributes: { count: 'int', factor: 'float', adjusted: 'float', decay: 'float' },
    write: equations({
      over: { element: 'count' },
      shapes: {
        parameter: 'f32[count]',
        direction: 'f32[count]',
        scale: 'f32[1]',
        rates: 'f32[5]',
      },
      equations: `
        rate = rates[0] * factor
        moved = parameter * (1 - rate * decay) - rate * adjusted * direction
        parameter = scale < 0 ? parameter : moved`,
    }),
  },
});
