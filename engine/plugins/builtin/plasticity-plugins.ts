import { sharedTensor } from '../../graph/tensor.ts';
import { bcm, bcmDefaults } from '../../plasticity/bcm.ts';
import { adaptThreshold, scaleSynapses } from '../../plasticity/homeostasis.ts';
import { rewardStdp } from '../../plasticity/reward.ts';
import { stdp } from '../../plasticity/stdp.ts';
import { pairRule, tripletRule } from '../../plasticity/stdp-rules.ts';
import type { BasePlugin, SettingsOf } from '../base-plugin.ts';
import { type Setting, settings } from '../configuration.ts';
import type { PluginValues, Ports } from '../ports.ts';
import {
  array,
  arrayAt,
  choice,
  definePlugin,
  integer,
  nonNegative,
  number,
  positive,
  spikes,
} from './define-plugin.ts';
import { type RecordedTensors, type RuleRecording, runRule } from './run-rule.ts';

const common = {
  dt: positive('Step', 1, 'ms'),
  low: number('Lowest weight', 0),
  high: number('Highest weight', 1),
};
const weights = (description: string) => array(['P', 'Q'], description);
const ofTargets = (description: string) => array(['Q'], description);

interface RulePlugin<P extends Readonly<Record<string, Setting>>> {
  readonly name: string;
  readonly description: string;
  readonly properties: P;
  readonly inputs?: Ports;
  readonly outputs?: Ports;
  /** Records a step of the rule; returns the tensors to read besides the weights. */
  readonly record: (
    recording: RuleRecording,
    given: SettingsOf<{ type: 'object'; properties: P & typeof common }>,
    values: PluginValues,
  ) => RecordedTensors;
}

/** A plasticity rule over given spikes of two populations that are connected all to all. */
function rulePlugin<P extends Readonly<Record<string, Setting>>>({
  properties,
  inputs = {},
  outputs = {},
  record,
  ...described
}: RulePlugin<P>): BasePlugin {
  return definePlugin({
    ...described,
    type: 'PLASTICITY',
    configuration: settings({ ...properties, ...common }),
    inputs: {
      pre: spikes(['T', 'P'], 'Spikes of the sources'),
      post: spikes(['T', 'Q'], 'Spikes of the targets'),
      weights: weights('Weights before'),
      ...inputs,
    },
    outputs: { weights: weights('Weights after'), ...outputs },
    async execute({ values, settings: given, context }) {
      const pairing = {
        pre: arrayAt(values, 'pre'),
        post: arrayAt(values, 'post'),
        weights: arrayAt(values, 'weights'),
        dt: Number(given.dt),
      };
      const backend = await context.openBackend();
      return runRule(backend, pairing, (recording) => record(recording, given, values));
    },
  });
}

const stdpPlugin = (): BasePlugin =>
  rulePlugin({
    name: 'STDPPlugin',
    description: 'Spike-timing dependent plasticity: pairs, triplets, or with a reward.',
    properties: {
      rule: choice(
        'Rule',
        ['pair', 'triplet', 'reward'],
        'Pairs, triplets (Pfister & Gerstner 2006), or pairs that a reward makes count.',
      ),
      tau_plus: positive('τ₊ of pairs', pairRule.tauPlus, 'ms'),
      tau_minus: positive('τ₋ of pairs', pairRule.tauMinus, 'ms'),
      amplitude_plus: nonNegative('A₊ of pairs', pairRule.amplitudePlus),
      amplitude_minus: nonNegative('A₋ of pairs', pairRule.amplitudeMinus),
      soft: {
        type: 'boolean',
        title: 'Soft bounds',
        description: 'Weights slow down near their bounds instead of stopping there.',
        default: false,
      },
      tau_eligibility: positive('τ of the eligibility', 1000, 'ms'),
      reward_rate: nonNegative('Rate of rewards', 1),
    },
    inputs: {
      reward: {
        kind: 'number',
        optional: true,
        description: 'Reward less what was expected, in every step; for the rule of rewards',
      },
    },
    record({ graph, site, begin }, given, values) {
      const bounds = { low: given.low, high: given.high };
      const pairs = {
        ...pairRule,
        tauPlus: given.tau_plus,
        tauMinus: given.tau_minus,
        amplitudePlus: given.amplitude_plus,
        amplitudeMinus: given.amplitude_minus,
      };
      if (given.rule === 'reward') {
        const { tau_eligibility: tauEligibility, reward_rate: rate } = given;
        const { reward } = rewardStdp(graph, site, { rule: pairs, bounds, tauEligibility, rate });
        begin(reward, Float32Array.of(Number(values['reward'] ?? 0), 0));
        return {};
      }
      const rule = given.rule === 'triplet' ? tripletRule : pairs;
      stdp(graph, site, { rule, bounds, boundary: given.soft ? 'soft' : 'hard' });
      return {};
    },
  });

const bcmPlugin = (): BasePlugin =>
  rulePlugin({
    name: 'MetaPlasticityPlugin',
    description:
      'The rule of Bienenstock, Cooper & Munro (1982): what is potentiated depends on the past.',
    properties: {
      rate: nonNegative('η', bcmDefaults.rate),
      tau_activity: positive('τ of the activity', bcmDefaults.tauActivity, 'ms'),
      tau_threshold: positive('τ of the threshold', bcmDefaults.tauThreshold, 'ms'),
      setpoint: number('y₀', bcmDefaults.setpointHz, {
        unit: 'Hz',
        minimum: 0,
        exclusiveMinimum: 0,
      }),
    },
    outputs: { thresholds: ofTargets('θ of each target in Hz') },
    record({ graph, site }, { rate, low, high, ...given }) {
      const { threshold } = bcm(graph, site, {
        rate,
        tauActivity: given.tau_activity,
        tauThreshold: given.tau_threshold,
        setpointHz: given.setpoint,
        bounds: { low, high },
      });
      return { thresholds: { tensor: threshold, shape: [site.synapses.post] } };
    },
  });

const homeostasisPlugin = (): BasePlugin =>
  rulePlugin({
    name: 'HomeostasisPlugin',
    description: 'Brings rates back: synaptic scaling, and thresholds that rise with each spike.',
    properties: {
      target: number('Target rate', 5, { unit: 'Hz', minimum: 0, exclusiveMinimum: 0 }),
      gain: number('η of the scaling', 0.002, { unit: '1/Hz', minimum: 0, exclusiveMinimum: 0 }),
      tau_rate: positive('τ of the rates', 1000, 'ms'),
      interval: integer('Steps from scaling to scaling', 100, [1, 1_000_000]),
      increment: nonNegative('What a spike adds to a threshold', 0.05),
      tau_threshold: positive('τ of the thresholds', 1e7, 'ms'),
    },
    outputs: {
      rates: ofTargets('Running rate of each target in Hz'),
      thresholds: ofTargets('What the threshold of each target has risen by (Diehl & Cook 2015)'),
    },
    record({ graph, site, clock }, { dt, low, high, increment, ...given }) {
      const { name, synapses, spikes: stepSpikes } = site;
      const shape = [synapses.post];
      const theta = sharedTensor('theta', 'f32', shape);
      const tauThreshold = given.tau_threshold;
      adaptThreshold(graph, stepSpikes.post, theta, { increment, tauThreshold, dt });
      const rates = scaleSynapses(
        graph,
        { name, synapses, spikes: stepSpikes.post, clock },
        {
          targetHz: given.target,
          gain: given.gain,
          tauRate: given.tau_rate,
          interval: given.interval,
          bounds: { low, high },
          dt,
        },
      );
      return { rates: { tensor: rates, shape }, thresholds: { tensor: theta, shape } };
    },
  });

export const plasticityPlugins = (): BasePlugin[] => [
  stdpPlugin(),
  bcmPlugin(),
  homeostasisPlugin(),
];
