import type { Backend } from '../../graph/backend.ts';
import { EngineError } from '../../errors.ts';
import { differentiate } from '../../ops/gradients.ts';
import { Graph } from '../../graph/graph.ts';
import { layOutParameters } from '../../graph/parameters.ts';
import { distillationLoss } from '../../ops/distillation.ts';
import { clockInput } from '../../ops/step-inputs.ts';
import { type EpropRun, openEprop } from '../../plasticity/eprop/run.ts';
import { BasePlugin } from '../base-plugin.ts';
import { settings } from '../configuration.ts';
import { metadata } from '../metadata.ts';
import type { PluginArray, PluginValues } from '../ports.ts';
import { packSpikes } from '../spike-arrays.ts';
import { DevicePlugin } from './device-plugin.ts';

const version = '1.0.0';
const positive = (title: string, initial: number, unit = '') =>
  ({ type: 'number', title, unit, default: initial, exclusiveMinimum: 0 }) as const;

const epropSettings = settings({
  neurons: { type: 'integer', title: 'Neurons', default: 100, minimum: 1, maximum: 4096 },
  tau_membrane: positive('τ of the membrane', 20, 'ms'),
  tau_readout: positive('τ of the readout', 20, 'ms'),
  threshold: positive('θ', 0.6),
  tau_adaptation: positive('τ of the adaptation', 200, 'ms'),
  adaptation: {
    type: 'number',
    title: 'β of the adaptation',
    description: '0 is plain leaky integrate-and-fire.',
    default: 0,
    minimum: 0,
    maximum: 100,
  },
  feedback: {
    type: 'string',
    title: 'Errors come back by',
    default: 'symmetric',
    enum: ['symmetric', 'random'],
  },
  learning_rate: positive('Learning rate', 0.005),
  clip: positive('Largest norm of a gradient', 10),
  seed: { type: 'integer', title: 'Seed', default: 1, minimum: 0, maximum: 2 ** 32 - 1 },
});

/** A recurrent network that learns online while it runs (Bellec et al. 2020). */
export class EPropPlugin extends DevicePlugin<EpropRun> {
  getMetadata() {
    return metadata({
      name: 'EPropPlugin',
      type: 'LEARNING',
      version,
      description:
        'A recurrent network of spiking neurons that learns by e-prop; each execution is one sequence.',
      configuration: epropSettings,
      inputs: {
        spikes: { kind: 'array', axes: ['T', 'I'], values: 'spikes', description: 'The input' },
        targets: { kind: 'array', axes: ['T', 'O'], description: 'What the readout should say' },
        learn: { kind: 'boolean', optional: true, description: 'False to look at the loss alone' },
      },
      outputs: { loss: { kind: 'number', description: 'Mean of half the squared error' } },
    });
  }

  async execute(values: PluginValues): Promise<PluginValues> {
    // The ports say that both have two axes.
    const spikes = values['spikes'] as PluginArray;
    const targets = values['targets'] as PluginArray;
    const [steps = 0, inputs = 0] = spikes.shape;
    const outputs = targets.shape[1] ?? 0;
    const network = await this.opened(`${steps} of ${inputs} to ${outputs}`, () => {
      this.context.log('info', `a new network of ${inputs} inputs and ${outputs} outputs`);
      return this.#open(steps, inputs, outputs);
    });
    const batch = { inputs: packSpikes(spikes), targets: targets.data };
    const loss = values['learn'] === false ? network.loss(batch) : network.learn(batch);
    return { loss: await loss };
  }

  async #open(steps: number, inputs: number, outputs: number): Promise<EpropRun> {
    const given = this.settings(epropSettings);
    const { neurons, threshold, feedback, seed, adaptation: gain } = given;
    return openEprop(
      await this.context.openBackend(),
      {
        inputs,
        neurons,
        outputs,
        steps,
        batch: 1,
        dt: 1,
        tauMembrane: given.tau_membrane,
        tauReadout: given.tau_readout,
        threshold,
        surrogate: 'triangle',
        ...(gain > 0 && { adaptation: { tau: given.tau_adaptation, gain } }),
        feedback: feedback === 'random' ? 'random' : 'symmetric',
      },
      { seed, learningRate: given.learning_rate, clipNorm: given.clip },
    );
  }
}

const distillationSettings = settings({
  temperature: positive('Temperature', 4),
  blend: {
    type: 'number',
    title: 'Share of the teacher',
    default: 0.7,
    minimum: 0,
    maximum: 1,
  },
});

const rows = (description: string) => ({ kind: 'array', axes: ['B', 'C'], description }) as const;

/** Loss and gradient of a student that learns from a teacher (Hinton et al. 2015). */
export class DistillationPlugin extends BasePlugin {
  getMetadata() {
    return metadata({
      name: 'DistillationPlugin',
      type: 'LEARNING',
      version,
      description: "A student's loss and gradient from a teacher's logits and from labels.",
      configuration: distillationSettings,
      inputs: {
        student: rows('Logits of the student'),
        teacher: rows('Logits of the teacher'),
        labels: { kind: 'array', axes: ['B'], description: 'The right class of each row' },
      },
      outputs: {
        loss: { kind: 'number', description: 'Mean in nats' },
        gradient: rows('Of the loss, to the logits of the student'),
      },
    });
  }

  async execute(values: PluginValues): Promise<PluginValues> {
    const { temperature } = this.settings(distillationSettings);
    // The ports say that all are arrays, whose rows agree.
    const student = values['student'] as PluginArray;
    const teacher = values['teacher'] as PluginArray;
    const { data: labels } = values['labels'] as PluginArray;
    const [count = 0, classes = 0] = student.shape;
    const wrong = labels.findIndex((l) => !Number.isInteger(l) || l < 0 || l >= classes);
    if (count === 0 || wrong >= 0) {
      const found = count === 0 ? 'there are no rows' : `labels[${wrong}] is ${labels[wrong]}`;
      throw new EngineError(
        'invalid-setting',
        `${found}, expected classes from 0 to ${classes - 1}`,
      );
    }
    return this.#play(await this.context.openBackend(), {
      student,
      taught: probabilities(teacher, temperature),
      labels: Uint32Array.from(labels),
    });
  }

  async #play(backend: Backend, { student, taught, labels }: Distilled): Promise<PluginValues> {
    const [count = 0, classes = 0] = student.shape;
    const shape = [1, count, classes];
    const initial = { kind: 'constant', value: 0 } as const;
    const layout = layOutParameters([{ name: 'logits', shape, initial, decayed: false }]);
    const graph = new Graph('distillation', layout);
    const history = graph.local('history', 'f32', [1]);
    const lesson = {
      teacher: graph.constant('teacher', shape, taught),
      targets: graph.constant('targets', [count], labels),
    };
    const options = { history, clock: clockInput(graph), ...this.settings(distillationSettings) };
    differentiate(graph, distillationLoss(graph, graph.parameter('logits'), lesson, options));
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
}

interface Distilled {
  readonly student: PluginArray;
  /** Probabilities of the teacher at the temperature. */
  readonly taught: Float32Array;
  readonly labels: Uint32Array;
}

/** Softmax of each row at a temperature. */
function probabilities({ shape, data }: PluginArray, temperature: number): Float32Array {
  const [count = 0, classes = 0] = shape;
  const answer = new Float32Array(data.length);
  for (let row = 0; row < count; row++) {
    const logits = data.subarray(row * classes, (row + 1) * classes);
    const most = logits.reduce((a, b) => Math.max(a, b), -Infinity);
    const powers = Array.from(logits, (logit) => Math.exp((logit - most) / temperature));
    const sum = powers.reduce((a, b) => a + b, 0);
    answer.set(
      powers.map((power) => power / sum),
      row * classes,
    );
  }
  return answer;
}
