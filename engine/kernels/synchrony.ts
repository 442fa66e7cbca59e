import { gradientOf } from '../kernel-language/gradient-body.ts';
import { type Definition, parseBody } from '../kernel-language/parse-body.ts';
import { equations } from '../kernel-language/written-kernel.ts';
import { kernelsOf, STEPS } from './table.ts';

const SYNCHRONY = {
  ...STEPS,
  /** Groups of neighbours, `width / groups` neurons each. */
  groups: 'int',
  currentSteps: 'int',
  /** 1 where the coupling is the same in every step and stored once, else `steps`. */
  couplingSteps: 'int',
  /** Depth with which the rhythm of a group modulates the current. */
  modulation: 'float',
} as const;

const READS = { current: 'read', coupling: 'read', frequency: 'read', start: 'read' } as const;

const TURN = String(2 * Math.PI);

/**
 * Kuramoto phases in groups, each drawn to the mean of its group, and a current that follows their rhythm:
 * `R e^{i psi} = mean_j e^{i phi_j}`. A mean of length 0 has no direction: 1e-12 keeps it from being 0 / 0.
 */
const definition: Definition = {
  over: { step: 'steps', row: 'rows', group: 'groups', member: 'width / groups' },
  scan: 'step',
  held: { currentSteps: 'step', couplingSteps: 'step' },
  shapes: {
    current: 'f32[currentSteps, rows, groups, width / groups]',
    coupling: 'f32[couplingSteps, rows, groups]',
    frequency: 'f32[groups, width / groups]',
    start: 'f32[groups, width / groups]',
    drive: 'f32[steps, rows, groups, width / groups]',
    phase: 'f32[steps, rows, groups, width / groups]',
    order: 'f32[steps, rows, groups]',
  },
  equations: `
    state phi = start
    phase = phi
    x = groupMean(cos(phi))
    y = groupMean(sin(phi))
    order = sqrt(x * x + y * y)
    depth = modulation / sqrt(x * x + y * y + 1e-12)
    drive = current * (1 + depth * (x * cos(phi) + y * sin(phi)))
    moved = phi + frequency + coupling * (y * cos(phi) - x * sin(phi))
    phi = moved - ${TURN} * floor(moved * ${String(1 / (2 * Math.PI))} + 0.5)`,
};

const FORWARD = {
  operands: { ...READS, drive: 'write', phase: 'write', order: 'write' },
  attributes: SYNCHRONY,
} as const;

export const synchronyKernels = kernelsOf('neurons', {
  synchrony_forward: { ...FORWARD, write: equations(definition) },
  /** The gradient of the drive, back through the phases and their means. */
  synchrony_backward: {
    operands: {
      current: 'read',
      coupling: 'read',
      phase: 'read',
      gradient: 'read',
      currentGradient: 'write',
      couplingGradient: 'write',
    },
    attributes: SYNCHRONY,
    write: (choices) =>
      gradientOf(parseBody(FORWARD, definition, choices), {
        given: { drive: 'gradient' },
        wanted: { current: 'currentGradient', coupling: 'couplingGradient' },
        stored: ['phase'],
      }),
  },
});
