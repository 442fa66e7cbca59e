import { sharedTensor } from '../../graph/tensor.ts';
import { bcm, bcmDefaults } from '../../plasticity/bcm.ts';
import { adaptThreshold, scaleSynapses } from '../../plasticity/homeostasis.ts';
import { rewardStdp } from '../../plasticity/reward.ts';
import { pairRule, stdp, type StdpRule, tripletRule } from '../../plasticity/stdp.ts';
import { BasePlugin } from '../base-plugin.ts';
import { type NumberSetting, settings } from '../configuration.ts';
import { metadata } from '../metadata.ts';
import type { PluginArray, PluginValues, Port } from '../ports.ts';
import { type Pairing, runRule } from './run-rule.ts';

const version = '1.0.0';

const time = (title: string, initial: number): NumberSetting => ({
  type: 'number',
  title,
  unit: 'ms',
  default: initial,
  exclusiveMinimum: 0,
});
const amount = (title: string, initial: number, unit?: string): NumberSetting => ({
  type: 'number',
  title,
  default: initial,
  minimum: 0,
  ...(unit !== undefined && { unit }),
});
const number = (title: string, initial: number): NumberSetting => ({
  type: 'number',
  title,
  default: initial,
});
const common = {
  dt: time('Step', 1),
  low: number('Lowest weight', 0),
  high: number('Highest weight', 1),
} as const;

const raster = (axis: string, description: string): Port => ({
  kind: 'array',
  axes: ['T', axis],
  values: 'spikes',
  description,
});
const inputs = {
  pre: raster('P', 'Spikes of the sources'),
  post: raster('Q', 'Spikes of the targets'),
  weights: { kind: 'array', axes: ['P', 'Q'], description: 'Weights before' },
} as const;
const weights = { kind: 'array', axes: ['P', 'Q'], description: 'Weights after' } as const;

/** The ports name the axes of all three. */
const pairingOf = (values: PluginValues, dt: number): Pairing => ({
  pre: values['pre'] as PluginArray,
  post: values['post'] as PluginArray,
  weights: values['weights'] as PluginArray,
  dt,
});

const stdpSettings = settings({
  rule: {
    type: 'string',
    title: 'Rule',
    description: 'Pairs, triplets (Pfister & Gerstner 2006), or pairs that a reward makes count.',
    default: 'pair',
    enum: ['pair', 'triplet', 'reward'],
  },
  tau_plus: time('τ₊ of pairs', pairRule.tauPlus),
  tau_minus: time('τ₋ of pairs', pairRule.tauMinus),
  amplitude_plus: amount('A₊ of pairs', pairRule.amplitudePlus),
  amplitude_minus: amount('A₋ of pairs', pairRule.amplitudeMinus),
  soft: {
    type: 'boolean',
    title: 'Soft bounds',
    description: 'Weights slow down near their bounds instead of stopping there.',
    default: false,
  },
  tau_eligibility: time('τ of the eligibility', 1000),
  reward_rate: amount('Rate of rewards', 1),
  ...common,
});

export class STDPPlugin extends BasePlugin {
  getMetadata() {
    return metadata({
      name: 'STDPPlugin',
      type: 'PLASTICITY',
      version,
      description: 'Spike-timing dependent plasticity: pairs, triplets, or with a reward.',
      configuration: stdpSettings,
      inputs: {
        ...inputs,
        reward: {
          kind: 'number',
          optional: true,
          description: 'Reward less what was expected, in every step; for the rule of rewards',
        },
      },
      outputs: { weights },
    });
  }

  async execute(values: PluginValues): Promise<PluginValues> {
    const given = this.settings(stdpSettings);
    const { low, high, soft, reward_rate: rate, tau_eligibility: tauEligibility } = given;
    const bounds = { low, high };
    const pairing = pairingOf(values, given.dt);
    return runRule(await this.context.openBackend(), pairing, ({ graph, site, begin }) => {
      if (given.rule === 'reward') {
        const options = { rule: this.#pairs(), bounds, tauEligibility, rate };
        const { reward } = rewardStdp(graph, site, options);
        begin(reward, Float32Array.of(Number(values['reward'] ?? 0), 0));
        return {};
      }
      const rule = given.rule === 'triplet' ? tripletRule : this.#pairs();
      stdp(graph, site, { rule, bounds, boundary: soft ? 'soft' : 'hard' });
      return {};
    });
  }

  #pairs(): StdpRule {
    const given = this.settings(stdpSettings);
    return {
      ...pairRule,
      tauPlus: given.tau_plus,
      tauMinus: given.tau_minus,
      amplitudePlus: given.amplitude_plus,
      amplitudeMinus: given.amplitude_minus,
    };
  }
}

const bcmSettings = settings({
  rate: amount('η', bcmDefaults.rate),
  tau_activity: time('τ of the activity', bcmDefaults.tauActivity),
  tau_threshold: time('τ of the threshold', bcmDefaults.tauThreshold),
  setpoint: { ...amount('y₀', bcmDefaults.setpointHz, 'Hz'), exclusiveMinimum: 0 },
  ...common,
});

export class MetaPlasticityPlugin extends BasePlugin {
  getMetadata() {
    return metadata({
      name: 'MetaPlasticityPlugin',
      type: 'PLASTICITY',
      version,
      description:
        'The rule of Bienenstock, Cooper & Munro (1982): what is potentiated depends on the past.',
      configuration: bcmSettings,
      inputs,
      outputs: {
        weights,
        thresholds: { kind: 'array', axes: ['Q'], description: 'θ of each target in Hz' },
      },
    });
  }

  async execute(values: PluginValues): Promise<PluginValues> {
    const { low, high, rate, dt, ...given } = this.settings(bcmSettings);
    const pairing = pairingOf(values, dt);
    return runRule(await this.context.openBackend(), pairing, ({ graph, site }) => {
      const { threshold } = bcm(graph, site, {
        rate,
        tauActivity: given.tau_activity,
        tauThreshold: given.tau_threshold,
        setpointHz: given.setpoint,
        bounds: { low, high },
      });
      return { thresholds: { tensor: threshold, shape: [site.synapses.post] } };
    });
  }
}

const homeostasisSettings = settings({
  target: { ...amount('Target rate', 5, 'Hz'), exclusiveMinimum: 0 },
  gain: { ...amount('η of the scaling', 0.002, '1/Hz'), exclusiveMinimum: 0 },
  tau_rate: time('τ of the rates', 1000),
  interval: {
    type: 'integer',
    title: 'Steps from scaling to scaling',
    default: 100,
    minimum: 1,
    maximum: 1_000_000,
  },
  increment: amount('What a spike adds to a threshold', 0.05),
  tau_threshold: time('τ of the thresholds', 1e7),
  ...common,
});

export class HomeostasisPlugin extends BasePlugin {
  getMetadata() {
    return metadata({
      name: 'HomeostasisPlugin',
      type: 'PLASTICITY',
      version,
      description: 'Brings rates back: synaptic scaling, and thresholds that rise with each spike.',
      configuration: homeostasisSettings,
      inputs,
      outputs: {
        weights,
        rates: { kind: 'array', axes: ['Q'], description: 'Running rate of each target in Hz' },
        thresholds: {
          kind: 'array',
          axes: ['Q'],
          description: 'What the threshold of each target has risen by (Diehl & Cook 2015)',
        },
      },
    });
  }

  async execute(values: PluginValues): Promise<PluginValues> {
    const { low, high, dt, ...given } = this.settings(homeostasisSettings);
    const pairing = pairingOf(values, dt);
    return runRule(await this.context.openBackend(), pairing, ({ graph, site, clock }) => {
      const { post } = site.synapses;
      const theta = sharedTensor('theta', 'f32', [post]);
      const { increment, tau_threshold: tauThreshold } = given;
      adaptThreshold(graph, site.spikes.post, theta, { increment, tauThreshold, dt });
      const rate = scaleSynapses(
        graph,
        { name: site.name, synapses: site.synapses, spikes: site.spikes.post, clock },
        {
          targetHz: given.target,
          gain: given.gain,
          tauRate: given.tau_rate,
          interval: given.interval,
          bounds: { low, high },
          dt,
        },
      );
      return {
        rates: { tensor: rate, shape: [post] },
        thresholds: { tensor: theta, shape: [post] },
      };
    });
  }
}
