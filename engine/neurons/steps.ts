import type { NeuronStep } from '../kernels/neuron-model.ts';

/* One step of each model of the catalogue; shaders/simulator/models has the same in WGSL. */

// The types do not know the number of states and constants of a model.
type Pair = Float64Array & readonly [number, number];
type Four = Float64Array & readonly [number, number, number, number];

/**
 * Constants: beta, threshold, reset, refractory steps. States: v, rest. `rest` is one more than the
 * refractory steps after a spike and counts down; while it does, v is held and takes no input.
 */
function leaky(isSubtractive: boolean): NeuronStep {
  return (state, constants, input) => {
    const [v, rest] = state as Pair;
    const [beta, threshold, reset, refractory] = constants as Four;
    const isReset = rest > refractory;
    const left = Math.max(rest - 1, 0);
    const held = isReset && !isSubtractive ? reset : v;
    const taken = isReset && isSubtractive ? threshold : 0;
    const u = (left > 0 ? held : beta * held + input) - taken;
    const fires = left === 0 && u > threshold;
    state[0] = u;
    state[1] = fires ? refractory + 1 : left;
    return fires;
  };
}

type Six = readonly [number, number, number, number, number, number];
const TURN = 2 * Math.PI;

const LEAK = 230;
const INT16 = { min: -32_768, max: 32_767 } as const;
/** Inputs beyond this saturate the membrane anyway; below it sums are exact in float32. */
const MAX_INPUT = 65_536;

export const neuronSteps = {
  lif: leaky(true),
  lif_reset: leaky(false),
  /** Constants: threshold. States: v. Whole numbers, so float32 holds every intermediate exactly. */
  lif_integer(state, constants, input) {
    const [v = 0] = state;
    const [threshold = 0] = constants;
    const current = Math.min(Math.max(Math.floor(input), -MAX_INPUT), MAX_INPUT);
    const sum = Math.floor((v * LEAK) / 256) + current;
    const u = Math.min(Math.max(sum, INT16.min), INT16.max);
    const fires = u > threshold;
    state[0] = fires ? 0 : u;
    return fires;
  },
  /** Constants: alpha, rho, theta_0, beta_a. States: v, a, s. */
  alif(state, constants, input) {
    const [v = 0, a = 0, s = 0] = state;
    const [alpha, rho, theta, strength] = constants as Four;
    const u = alpha * v + input - s * theta;
    const adaptation = rho * a + s;
    const fires = u > theta + strength * adaptation;
    state[0] = u;
    state[1] = adaptation;
    state[2] = fires ? 1 : 0;
    return fires;
  },
  /** The published numerics: two half-steps for v, then u from the new v. States: v, u. */
  izhikevich: izhikevich((v, u, input, dt) => {
    const half = v + 0.5 * dt * slopeOf(v, u, input);
    return half + 0.5 * dt * slopeOf(half, u, input);
  }, true),
  /** One step of Euler's method. */
  izhikevich_euler: izhikevich((v, u, input, dt) => v + dt * slopeOf(v, u, input), false),
  /** Constants: beta, threshold, K, kappa, mean cosine, mean sine. States: u, phi, omega. */
  entangled(state, constants, input, dt) {
    const [before, phase, omega] = state as Float64Array & readonly [number, number, number];
    const [beta, threshold, pull, modulation, x, y] = constants as Float64Array & Six;
    const [cosine, sine] = [Math.cos(phase), Math.sin(phase)];
    const along = (x * cosine + y * sine) / Math.sqrt(x * x + y * y + 1e-12);
    const kept = beta * before - (before > threshold ? threshold : 0);
    const u = kept + input * (1 + modulation * along);
    const turned = phase + dt * omega + pull * (y * cosine - x * sine);
    state[0] = u;
    state[1] = turned - TURN * Math.round(turned / TURN);
    return u > threshold;
  },
} satisfies Readonly<Record<string, NeuronStep>>;

function slopeOf(v: number, u: number, input: number): number {
  return 0.04 * v * v + 5 * v + 140 - u + input;
}

const PEAK = 30;

/** Constants: a, b, c, d. A neuron that reached the peak is reset when the next step begins, as published. */
function izhikevich(
  advance: (v: number, u: number, input: number, dt: number) => number,
  isSequential: boolean,
): NeuronStep {
  return (state, constants, input, dt) => {
    const [a, b, c, d] = constants as Four;
    const [before, recovery] = state as Pair;
    const isReset = before >= PEAK;
    const v = isReset ? c : before;
    const u = recovery + (isReset ? d : 0);
    const next = advance(v, u, input, dt);
    state[0] = next;
    state[1] = u + dt * a * (b * (isSequential ? next : v) - u);
    return next >= PEAK;
  };
}
