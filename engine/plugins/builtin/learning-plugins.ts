import type { Backend } from '../../graph/backend.ts';
import { EngineError } from '../../errors.ts';
import { differentiate } from '../../ops/gradients.ts';
import { Graph } from '../../graph/graph.ts';
import { layOutParameters } from '../../graph/parameters.ts';
import { parseNeuron } from '../../neurons/equations.ts';
import { NEURON_LIMITS } from '../../neurons/limits.ts';
import { softmax } from '../../numbers.ts';
import { distillationLoss } from '../../ops/distillation.ts';
import { clockInput } from '../../ops/step-inputs.ts';
import { openEprop } from '../../plasticity/eprop/run.ts';
import type { BasePlugin } from '../base-plugin.ts';
import { settings } from '../configuration.ts';
import type { PluginArray, PluginValues } from '../ports.ts';
import { packSpikes } from '../spike-arrays.ts';
import {
  array,
  arrayAt,
  choice,
  definePlugin,
  integer,
  number,
  positive,
  seed,
  spikes,
} from './define-plugin.ts';

const epropSettings = settings({
  neurons: integer('Neurons', 100, [1, 4096]),
  tau_membrane: positive('τ of the membrane', 20, 'ms'),
  tau_readout: positive('τ of the readout', 20, 'ms'),
  threshold: positive('θ', 0.6, ''),
  tau_adaptation: positive('τ of the adaptation', 200, 'ms'),
  adaptation: number('β of the adaptation', 0, {
    description: '0 is plain leaky integrate-and-fire.',
    minimum: 0,
    maximum: 100,
  }),
  equations: {
    type: 'string',
    title: 'Equations of the neurons',
    description: 'In place of leaky integrate-and-fire and its constants.',
    default: '',
    maxLength: NEURON_LIMITS.characters,
  },
  feedback: choice('Errors come back by', ['symmetric', 'random']),
  learning_rate: positive('Learning rate', 0.005, ''),
  clip: positive('Largest norm of a gradient', 10, ''),
  seed: seed(),
});

/** A recurrent network that learns online while it runs (Bellec et al. 2020). */
const epropPlugin = (): BasePlugin =>
  definePlugin({
    name: 'EPropPlugin',
    type: 'LEARNING',
    description:
      'A recurrent network of spiking neurons that learns by e-prop; each execution is one sequence.',
    configuration: epropSettings,
    inputs: {
      spikes: spikes(['T', 'I'], 'The input'),
      targets: array(['T', 'O'], 'What the readout should say'),
      learn: { kind: 'boolean', optional: true, description: 'False to look at the loss alone' },
    },
    outputs: { loss: { kind: 'number', description: 'Mean of half the squared error' } },
    async open(context, given, [steps = 0, inputs = 0, outputs = 0]) {
      context.log('info', `a new network of ${inputs} inputs and ${outputs} outputs`);
      const { neurons, threshold, feedback, adaptation: gain } = given;
      const equations = given.equations.trim() === '' ? undefined : parseNeuron(given.equations);
      return openEprop(
        await context.openBackend(),
        {
          inputs,
          neurons,
          outputs,
          steps,
          batch: 1,
          dt: equations?.dt ?? 1,
          ...(equations && { equations }),
          tauMembrane: given.tau_membrane,
          tauReadout: given.tau_readout,
          threshold,
          surrogate: 'triangle',
          ...(gain > 0 && { adaptation: { tau: given.tau_adaptation, gain } }),
          feedback: feedback === 'random' ? 'random' : 'symmetric',
        },
        { seed: given.seed, learningRate: given.learning_rate, clipNorm: given.clip },
      );
    },
    async execute({ values, opened }) {
      const raster = arrayAt(values, 'spikes');
      const targets = arrayAt(values, 'targets');
      const [steps = 0, inputs = 0] = raster.shape;
      const network = await opened(steps, inputs, targets.shape[1] ?? 0);
      const batch = { inputs: packSpikes(raster), targets: targets.data };
      const isLearning = values['learn'] !== false;
      return { loss: await (isLearning ? network.learn(batch) : network.loss(batch)) };
    },
  });

const rows = (description: string) => array(['B', 'C'], description);

/** Loss and gradient of a student that learns from a teacher (Hinton et al. 2015). */
const distillationPlugin = (): BasePlugin =>
  definePlugin({
    name: 'DistillationPlugin',
    type: 'LEARNING',
    description: "A student's loss and gradient from a teacher's logits and from labels.",
    configuration: settings({
      temperature: positive('Temperature', 4, ''),
      blend: number('Share of the teacher', 0.7, { minimum: 0, maximum: 1 }),
    }),
    inputs: {
      student: rows('Logits of the student'),
      teacher: rows('Logits of the teacher'),
      labels: array(['B'], 'The right class of each row'),
    },
    outputs: {
      loss: { kind: 'number', description: 'Mean in nats' },
      gradient: rows('Of the loss, to the logits of the student'),
    },
    async execute({ values, settings: given, context }) {
      const student = arrayAt(values, 'student');
      const { data: labels } = arrayAt(values, 'labels');
      const [count = 0, classes = 0] = student.shape;
      const wrong = labels.findIndex((l) => !Number.isInteger(l) || l < 0 || l >= classes);
      if (count === 0 || wrong >= 0) {
        const found = count === 0 ? 'there are no rows' : `labels[${wrong}] is ${labels[wrong]}`;
        throw new EngineError(
          'invalid-setting',
          `${found}, expected classes from 0 to ${classes - 1}`,
        );
      }
      const teacher = probabilities(arrayAt(values, 'teacher'), given.temperature);
      const targets = Uint32Array.from(labels);
      return distil(await context.openBackend(), { student, teacher, targets }, given);
    },
  });

interface Distilled {
  readonly student: PluginArray;
  /** Probabilities at the temperature. */
  readonly teacher: Float32Array;
  readonly targets: Uint32Array;
}

async function distil(
  backend: Backend,
  { student, teacher, targets }: Distilled,
  given: { readonly temperature: number; readonly blend: number },
): Promise<PluginValues> {
  const [count = 0, classes = 0] = student.shape;
  const shape = [1, count, classes];
  const initial = { kind: 'constant', value: 0 } as const;
  const layout = layOutParameters([{ name: 'logits', shape, initial, decayed: false }]);
  const graph = new Graph('distillation', layout);
  const history = graph.local('history', 'f32', [1]);
  const constants = {
    teacher: graph.constant('teacher', shape, teacher),
    targets: graph.constant('targets', [count], targets),
  };
  const options = { history, clock: clockInput(graph), ...given };
  differentiate(graph, distillationLoss(graph, graph.parameter('logits'), constants, options));
  const program = graph.build();
  const player = await backend.load(layout, [program]);
  try {
    const { value, gradient } = layout.get('logits');
    player.write(value, student.data);
    player.play(program);
    const [loss = 0] = await player.read(history);
    const data = Float32Array.from(await player.read(gradient));
    return { loss, gradient: { shape: student.shape, data } };
  } finally {
    player.close();
  }
}

/** Softmax of each row at a temperature. */
function probabilities({ shape, data }: PluginArray, temperature: number): Float32Array {
  const [count = 0, classes = 0] = shape;
  const result = new Float32Array(data.length);
  for (let row = 0; row < count; row++) {
    const first = row * classes;
    result.set(softmax(data.subarray(first, first + classes), temperature), first);
  }
  return result;
}

export const learningPlugins = (): BasePlugin[] => [epropPlugin(), distillationPlugin()];
