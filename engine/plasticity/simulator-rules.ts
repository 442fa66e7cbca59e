import { EngineError } from '../errors.ts';
import type { Graph } from '../graph/graph.ts';
import { refuse } from '../simulator/parse-values.ts';
import type { PlasticityRule, RuleParameters, SynapseTensors } from '../simulator/plasticity.ts';
import { bcm, bcmDefaults } from './bcm.ts';
import { scaleSynapses } from './homeostasis.ts';
import { rewardStdp } from './reward.ts';
import { stdp } from './stdp.ts';
import { pairRule, tripletRule } from './stdp-rules.ts';
import type { RuleSite } from './synapses.ts';

/** Parameters with their defaults. */
type Defaults = Readonly<Record<string, number>>;
type Given<D extends Defaults> = { readonly [P in keyof D]: number };

interface RuleDefinition<D extends Defaults> {
  readonly name: string;
  readonly defaults: D & { readonly low: number; readonly high: number };
  /** Parameters that may be 0; all others, except the bounds, are above 0. */
  readonly mayBeZero?: readonly (keyof D)[];
  record(graph: Graph, site: RuleSite, given: Given<D>, synapses: SynapseTensors): void;
}

/** A rule of a projection in the simulator, with numbers as parameters. */
function defineRule<D extends Defaults>(definition: RuleDefinition<D>): PlasticityRule {
  const { name, defaults, mayBeZero = [], record } = definition;
  const fill = (parameters: RuleParameters) => ({ ...defaults, ...parameters });
  return {
    name,
    check(parameters) {
      const known = Object.keys(defaults);
      const stray = Object.keys(parameters).find((key) => !known.includes(key));
      if (stray !== undefined) {
        throw new EngineError(
          'invalid-setting',
          `${name} has no parameter "${stray}": expected ${known.join(', ')}`,
        );
      }
      for (const [key, value] of Object.entries<number>(fill(parameters))) {
        checkParameter(`${name}.${key}`, value, mayBeZero.includes(key));
      }
      const { low, high } = fill(parameters);
      if (low >= high) refuse(`${name}.low`, low, `a number below high, which is ${high}`);
    },
    largestWeight(parameters) {
      const { low, high } = fill(parameters);
      return Math.max(Math.abs(low), Math.abs(high));
    },
    record(graph, synapses, parameters) {
      // `check` has validated the parameters.
      record(graph, siteOf(synapses), fill(parameters) as Given<D>, synapses);
      return [];
    },
  };
}

function checkParameter(path: string, value: number, mayBeZero: boolean): void {
  const isBound = /\.(low|high)$/.test(path);
  if (!Number.isFinite(value)) refuse(path, value, 'a finite number');
  if (isBound || value > 0 || (mayBeZero && value === 0)) return;
  refuse(path, value, mayBeZero ? 'a number of at least 0' : 'a number above 0');
}

function siteOf(tensors: SynapseTensors): RuleSite {
  const { name, sources: pre, targets: post, weight, dt } = tensors;
  return {
    name,
    synapses: { pre, post, weight, index: tensors },
    spikes: { pre: tensors.sourceSpikes, post: tensors.targetSpikes },
    dt,
  };
}

const bounds = { low: 0, high: 1 };
const { kind: _pair, pairing, ...pairNumbers } = pairRule;
const { kind: _triplet, ...tripletNumbers } = tripletRule;

/** `soft` of 1 slows weights down near their bounds; 0 stops them there. */
const pairStdp = defineRule({
  name: 'stdp',
  defaults: { ...pairNumbers, ...bounds, soft: 0 },
  mayBeZero: ['amplitudePlus', 'amplitudeMinus', 'soft'],
  record(graph, site, { low, high, soft, ...numbers }) {
    const rule = { kind: 'pair', pairing, ...numbers } as const;
    stdp(graph, site, { rule, bounds: { low, high }, boundary: soft > 0 ? 'soft' : 'hard' });
  },
});

const tripletStdp = defineRule({
  name: 'stdp_triplet',
  defaults: { ...tripletNumbers, ...bounds, soft: 0 },
  mayBeZero: ['pairPlus', 'pairMinus', 'tripletPlus', 'tripletMinus', 'soft'],
  record(graph, site, { low, high, soft, ...numbers }) {
    const rule = { kind: 'triplet', ...numbers } as const;
    stdp(graph, site, { rule, bounds: { low, high }, boundary: soft > 0 ? 'soft' : 'hard' });
  },
});

/** The reward and its baseline are written to `projection.reward`. */
const rewardedStdp = defineRule({
  name: 'stdp_reward',
  defaults: { ...pairNumbers, ...bounds, tauEligibility: 1000, rate: 1 },
  mayBeZero: ['amplitudePlus', 'amplitudeMinus'],
  record(graph, site, { low, high, tauEligibility, rate, ...numbers }) {
    const rule = { kind: 'pair', pairing, ...numbers } as const;
    rewardStdp(graph, site, { rule, bounds: { low, high }, tauEligibility, rate });
  },
});

const { bounds: bcmBounds, ...bcmNumbers } = bcmDefaults;
const bcmRule = defineRule({
  name: 'bcm',
  defaults: { ...bcmNumbers, ...bcmBounds },
  record(graph, site, { low, high, ...numbers }) {
    bcm(graph, site, { ...numbers, bounds: { low, high } });
  },
});

/** `interval` in steps. */
const scaling = defineRule({
  name: 'synaptic_scaling',
  defaults: { targetHz: 5, gain: 0.002, tauRate: 1000, interval: 100, ...bounds },
  record(graph, { name, synapses, spikes, dt }, { low, high, ...numbers }, { clock }) {
    const scaled = { name, synapses, spikes: spikes.post, clock };
    scaleSynapses(graph, scaled, { ...numbers, bounds: { low, high }, dt });
  },
});

/** The rules that a projection of the simulator may name. */
export const plasticityRules: readonly PlasticityRule[] = [
  pairStdp,
  tripletStdp,
  rewardedStdp,
  bcmRule,
  scaling,
];
