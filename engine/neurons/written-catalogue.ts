/** A neuron as equations, and where it comes from. */
interface WrittenEntry {
  readonly title: string;
  readonly source: string;
  /** A constant input at which it fires again and again. */
  readonly input: number;
  /** As a user would write it: see `parseNeuron`. */
  readonly text: string;
}

/**
 * Neurons as equations, by name: to train, to simulate and to begin one's own with. Resets are detached, so
 * that they are constants to the gradient, as in the layers that are built in.
 */
export const writtenNeurons = {
  lif: {
    title: 'LIF, reset by subtraction',
    source: 'snnTorch, Leaky (Eshraghian et al. 2023)',
    input: 0.1,
    text: `state u = 0, s = 0
tau = 20 ms;  threshold = 1
u = exp(-dt / tau) * u + I - detach(s) * threshold
s = spike(u - threshold)`,
  },
  lif_zero: {
    title: 'LIF, reset to zero',
    source: 'snnTorch, Leaky with reset to zero (Eshraghian et al. 2023)',
    input: 0.1,
    text: `state u = 0
tau = 20 ms;  threshold = 1
u = exp(-dt / tau) * u + I
s = spike(u - threshold)
u = s > 0 ? 0 : u`,
  },
  lif_integer: {
    title: 'LIF in 16-bit integers',
    source: 'the parity path of this platform',
    input: 300,
    text: `state v = 0
threshold = 1024
input = max(-65536, min(65536, floor(I)))
v = max(-32768, min(32767, floor(v * 230 / 256) + input))
s = spike(v - threshold)
v = s > 0 ? 0 : v`,
  },
  plif: {
    title: 'PLIF: LIF with a learned time constant',
    source: 'Fang et al. 2021, Incorporating Learnable Membrane Time Constant, ICCV',
    input: 1.5,
    text: `state v = 0
learn rate = 0.5 in [0, 1] per layer;  threshold = 1
v = v + rate * (I - v)
s = spike(v - threshold)
v = s > 0 ? 0 : v`,
  },
  alif: {
    title: 'ALIF: LIF with an adaptive threshold',
    source: 'Bellec et al. 2018, 2020',
    input: 0.1,
    text: `state v = 0, a = 0, s = 0
tau = 20 ms;  tau_adaptation = 200 ms;  threshold = 1;  beta = 0.07
v = exp(-dt / tau) * v + I - detach(s) * threshold
a = exp(-dt / tau_adaptation) * a + s
s = spike(v - threshold - beta * a)`,
  },
  adlif: {
    title: 'adLIF by symplectic Euler',
    source:
      'Baronig et al. 2025, Advancing Spatio-Temporal Processing through Adaptation, Nature Communications 16',
    input: 60,
    text: `state u = 0, w = 0
learn tau_u = 15 in [5, 25] per neuron;  learn tau_w = 180 in [60, 300] per neuron
learn a = 0.5 in [0, 1] per neuron;  learn b = 1 in [0, 2] per neuron
q = 60;  threshold = 1
alpha = exp(-dt / tau_u)
rho = exp(-dt / tau_w)
u = alpha * u + (1 - alpha) * (I - w)
s = spike(u - threshold)
u = s > 0 ? 0 : u
w = rho * w + (1 - rho) * q * (a * u + b * s)`,
  },
  adex: {
    title: 'AdEx: adaptive exponential integrate-and-fire',
    source:
      'Brette & Gerstner 2005, Journal of Neurophysiology 94; currents in pA, potentials in mV',
    input: 1000,
    text: `state v = -70.6, w = 0
dt = 0.1 ms
C = 281;  g = 30;  E = -70.6;  V_T = -50.4;  D = 2
tau_w = 144 ms;  a = 4;  b = 80.5;  peak = 20
# The upstroke is cut off where it would leave the range of numbers.
upstroke = g * D * exp(min((v - V_T) / D, 10))
dv/dt = (g * (E - v) + upstroke - w + I) / C
dw/dt = (a * (v - E) - w) / tau_w
s = spike((v - peak) / D)
w = w + b * detach(s)
v = s > 0 ? E : v`,
  },
  izhikevich: {
    title: 'Izhikevich, as published (two half-steps for v)',
    source: 'Izhikevich 2003, IEEE Transactions on Neural Networks 14',
    input: 10,
    text: `state v = -65, u = -13
a = 0.02;  b = 0.2;  c = -65;  d = 8;  peak = 30;  span = 95
fired = v > peak
u = fired ? u + d : u
v = fired ? c : v
v = v + 0.5 * dt * (0.04 * v * v + 5 * v + 140 - u + I)
v = v + 0.5 * dt * (0.04 * v * v + 5 * v + 140 - u + I)
u = u + dt * a * (b * v - u)
s = spike((v - peak) / span)`,
  },
  evo_lif: {
    title: 'EvoLIF: leak and threshold learned by each neuron',
    source: 'ours: beta = sigmoid(a), theta = softplus(b)',
    input: 0.3,
    text: `state u = 0, s = 0
learn beta = 0.9 in [0, 1] per neuron;  learn b = 0.5413 per neuron
theta = log(1 + exp(b))
u = beta * u + I - detach(s) * theta
s = spike(u - theta)`,
  },
  resonate_and_fire: {
    title: 'Resonate-and-fire',
    source: 'Izhikevich 2001, Resonate-and-fire neurons, Neural Networks 14',
    input: 2,
    text: `state x = 0, y = 0
method exponential_euler
dt = 0.1 ms
damping = -0.1;  omega = 1
dx/dt = damping * x - omega * y + I
dy/dt = omega * x + damping * y
s = spike(y - 1)
x = s > 0 ? 0 : x
y = s > 0 ? 1 : y`,
  },
  current_lif: {
    title: 'LIF behind a current-based synapse',
    source: 'snnTorch, Synaptic (Eshraghian et al. 2023); NIR, CubaLIF (Pedersen et al. 2024)',
    input: 0.03,
    text: `state i = 0, u = 0, s = 0
tau_synapse = 5 ms;  tau = 20 ms;  threshold = 1
i = exp(-dt / tau_synapse) * i + I
u = exp(-dt / tau) * u + i - detach(s) * threshold
s = spike(u - threshold)`,
  },
  entangled: {
    title: 'Entangled synchrony: LIF whose current follows the rhythm of its layer',
    source: 'ours: mean field of Kuramoto 1984 over LIF; K = softplus(w mean(I) + b)',
    input: 0.1,
    text: `state u = 0, s = 0, phi = 0
# Radians per ms of each neuron, and the coupling of the layer.
learn omega = 0.3 spread 0.2 in [0, 0.6] per neuron
learn w = 1 per layer;  learn b = -2 per layer
tau = 20 ms;  threshold = 1;  kappa = 0.5
x = groupMean(cos(phi))
y = groupMean(sin(phi))
K = log(1 + exp(w * groupMean(I) + b))
along = x * cos(phi) + y * sin(phi)
across = y * cos(phi) - x * sin(phi)
# The modulation follows the direction of the mean alone: kappa cos(phi - psi).
u = exp(-dt / tau) * u + I * (1 + kappa * along / sqrt(x * x + y * y + 1e-12)) - detach(s) * threshold
s = spike(u - threshold)
turned = phi + dt * (omega + K * across)
phi = turned - 6.283185307179586 * floor(turned / 6.283185307179586 + 0.5)`,
  },
} as const satisfies Readonly<Record<string, WrittenEntry>>;

/** Names of the built-in neurons that are written as equations. */
export type WrittenName = keyof typeof writtenNeurons;
