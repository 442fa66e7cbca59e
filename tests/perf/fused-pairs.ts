import { type KernelCall, operandsOf } from '../../engine/graph/kernel.ts';
import { buildProgram, type Program } from '../../engine/graph/program.ts';
import type { Tensor } from '../../engine/graph/tensor.ts';
import { equations } from '../../engine/kernel-language/written-kernel.ts';
import { kernels } from '../../engine/kernels/kernels.ts';
import { IS_FRESH, SLOT } from '../../engine/kernels/slots.ts';
import { kernelsOf, ROWS, STEPS } from '../../engine/kernels/table.ts';
import type { Change } from './fusion-programs.ts';

/*
 * Pairs of kernels as one, written by hand to see what they save. One of them is in the product: programs
 * without it are made here, to be measured beside it.
 */

const BY_STEPS = { over: { step: 'steps', row: 'rows', column: 'width' } } as const;
const CARRIED = {
  input: 'f32[steps, rows, width]',
  mix: 'f32[width]',
  slots: 'u32[rows]',
  previous: 'f32[steps, slots, width]',
} as const;
const BEFORE = `
  slot = ${SLOT}
  before = ${IS_FRESH} ? 0 : previous[step, slot, column]`;

const fused = kernelsOf('fused', {
  norm_shift_step: {
    operands: {
      input: 'read',
      gain: 'read',
      offset: 'read',
      mix: 'read',
      slots: 'read',
      previous: 'update',
      output: 'write',
    },
    attributes: { ...STEPS, slots: 'int', epsilon: 'float' },
    write: equations({
      ...BY_STEPS,
      shapes: {
        ...CARRIED,
        ...{ gain: 'f32[width]', offset: 'f32[width]', output: 'f32[steps, rows, width]' },
      },
      equations: `
        share = 1 / f32(width)
        mean = rowSum(input) * share
        centred = input - mean
        rstd = 1 / sqrt(rowSum(centred * centred) * share + epsilon)
        normal = madd(centred * rstd, gain, offset)
        ${BEFORE}
        output = madd(mix, normal - before, before)
        previous[step, slot, column] = normal`,
    }),
  },
  shift_step_lif: {
    operands: {
      input: 'read',
      mix: 'read',
      slots: 'read',
      previous: 'update',
      spikes: 'write',
      decay: 'read?',
    },
    attributes: { ...STEPS, slots: 'int', beta: 'float', threshold: 'float' },
    write: equations(({ decay }) => ({
      ...BY_STEPS,
      scan: 'step',
      shapes: { ...CARRIED, spikes: 'bits[steps, rows, width]', decay: 'f32[1]' },
      equations: `
        state u = 0
        ${BEFORE}
        current = madd(mix, input - before, before)
        u = madd(${decay === true ? 'decay' : 'beta'}, u, current) - (u > threshold ? threshold : 0)
        spikes = spike(u - threshold)
        previous[step, slot, column] = input`,
    })),
  },
  cross_entropy_both: {
    operands: {
      logits: 'read',
      targets: 'read',
      losses: 'write',
      logitsGradient: 'write',
      weights: 'read?',
    },
    attributes: ROWS,
    write: equations(({ weights }) => ({
      over: { row: 'rows', column: 'width' },
      shapes: {
        logits: 'f32[rows, width]',
        targets: 'u32[rows]',
        losses: 'f32[rows]',
        logitsGradient: 'f32[rows, width]',
        weights: 'f32[rows]',
      },
      equations: `
        target = min(i32(targets), width - 1)
        most = rowMax(logits)
        scale = most + log(rowSum(exp(logits - most)))
        loss = scale - logits[row, target]
        losses = ${weights === true ? 'weights * loss' : 'loss'}
        factor = ${weights === true ? 'weights / rows' : '1 / f32(rows)'}
        logitsGradient = factor * (exp(logits - scale) - f32(column == target))`,
    })),
  },
});

/** Makes one call of two of which the second reads what the first wrote; undefined where it does not apply. */
type Join = (from: KernelCall, to: KernelCall) => KernelCall | undefined;

const isCall = (call: KernelCall, { name }: { readonly name: string }) => call.kernel.name === name;

const normShift: Join = (from, to) => {
  if (!isCall(from, kernels.layer_norm_forward) || !isCall(to, kernels.token_shift_step)) return;
  const { input, gain, offset } = from.operands;
  return {
    kernel: fused.norm_shift_step,
    operands: { ...to.operands, input, gain, offset },
    attributes: { ...to.attributes, epsilon: from.attributes['epsilon'] },
  };
};

const shiftLif: Join = (from, to) => {
  if (!isCall(from, kernels.token_shift_step) || !isCall(to, kernels.lif_forward)) return;
  const { currentSteps, ...attributes } = to.attributes;
  if (currentSteps !== attributes['steps']) return;
  const { output: _, ...operands } = from.operands;
  return {
    kernel: fused.shift_step_lif,
    operands: { ...operands, spikes: to.operands['spikes'], decay: to.operands['decay'] },
    attributes: { ...attributes, slots: from.attributes['slots'] },
  };
};

const crossEntropy: Join = (from, to) => {
  const { cross_entropy_forward: first, cross_entropy_backward: second } = kernels;
  if (!isCall(from, first) || !isCall(to, second)) return;
  const { scale: _, ...operands } = from.operands;
  const { logitsGradient } = to.operands;
  return {
    kernel: fused.cross_entropy_both,
    operands: { ...operands, logitsGradient },
    attributes: from.attributes,
  };
};

/** Joins the pairs of a program: the joined call stands where the first of them was. */
function joining(join: Join): Change {
  return (program) => {
    const calls: KernelCall[] = [];
    const writers = new Map<Tensor, KernelCall>();
    for (const call of program.calls) {
      const from = operandsOf(call)
        .filter(({ role }) => role !== 'write')
        .flatMap(({ tensor }) => writers.get(tensor) ?? [])
        .find((writer) => join(writer, call));
      const joined = from && join(from, call);
      if (from && joined) calls.splice(calls.indexOf(from), 1, joined);
      else calls.push(call);
      for (const { tensor, role } of operandsOf(call)) {
        if (role !== 'read') writers.set(tensor, call);
      }
    }
    return rebuilt(program, calls);
  };
}

/** The gradient of activations computed on the way back, from their inputs. */
const withoutSlopes: Change = (program) => {
  const inputs = new Map<Tensor, KernelCall>();
  const calls = program.calls.map((call): KernelCall => {
    const { input, output, slope, ...operands } = call.operands;
    if (isCall(call, kernels.activation_with_slope) && slope) {
      inputs.set(slope, call);
      return { ...call, kernel: kernels.activation_forward, operands: { input, output } };
    }
    const forward = slope && inputs.get(slope);
    if (!forward) return call;
    return {
      kernel: kernels.activation_backward,
      operands: { input: forward.operands['input'], ...operands },
      attributes: { ...forward.attributes, ...call.attributes },
    };
  });
  return rebuilt(program, calls);
};

const asItIs: Change = (program) => program;

interface Pair {
  readonly before: Change;
  readonly after: Change;
  /** The steps to measure it in. */
  readonly steps: readonly string[];
}

/** Pairs of kernels, apart and joined. */
export const pairs: Readonly<Record<string, Pair>> = {
  'GELU + its slope': {
    ...{ before: withoutSlopes, after: asItIs },
    steps: ['standard_transformer, training'],
  },
  'layer norm + token shift': {
    ...{ before: asItIs, after: joining(normShift) },
    steps: ['dense_chronospike, token'],
  },
  'token shift + LIF': {
    ...{ before: asItIs, after: joining(shiftLif) },
    steps: ['dense_chronospike, token'],
  },
  'cross-entropy + its gradient': {
    ...{ before: asItIs, after: joining(crossEntropy) },
    steps: ['memoried_spikenetlm, training'],
  },
};

function rebuilt({ name, locals, constants }: Program, calls: readonly KernelCall[]): Program {
  return buildProgram(
    name,
    calls,
    locals.map(({ tensor }) => tensor),
    constants,
  );
}
