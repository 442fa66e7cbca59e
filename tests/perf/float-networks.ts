import { kernels } from '../../engine/kernels/kernels.ts';
import type { AudioData } from '../../engine/datasets/audio-data.ts';
import { imageExamples } from '../../engine/data/images/image-examples.ts';
import { extractAudioFeatures } from '../../engine/functional/audio-features.ts';
import { audioExamples } from '../../engine/data/audio/audio-examples.ts';
import type { Graph } from '../../engine/graph/graph.ts';
import { layOutParameters } from '../../engine/graph/parameters.ts';
import type { Tensor } from '../../engine/graph/tensor.ts';
import type { Classifier } from '../../engine/models/classification/classifier.ts';
import { startExampleRun } from '../../engine/models/classification/example-run.ts';
import {
  audioFieldsOf,
  audioSpecOf,
  audioStructure,
  frontOf,
  melOf,
} from '../../engine/models/spiking-audio/family.ts';
import {
  spikingAudioParameters,
  type SpikingAudioStructure,
} from '../../engine/models/spiking-audio/structure.ts';
import {
  placeBlocks,
  spikingConvParameters,
  type SpikingConvStructure,
  windowOf,
} from '../../engine/models/spiking-conv/structure.ts';
import {
  structureFor,
  visionFieldsOf,
  visionSpecOf,
} from '../../engine/models/spiking-vision/family.ts';
import type { VisionData } from '../../engine/models/spiking-vision/training.ts';
import { conv2d } from '../../engine/ops/conv2d.ts';
import { activation } from '../../engine/ops/activation.ts';
import { keep } from '../../engine/ops/keep.ts';
import { linear } from '../../engine/ops/linear.ts';
import { layerNorm } from '../../engine/ops/norm.ts';
import type { RunOptions, TrainingRun } from '../../engine/train/run.ts';

/** A run on pictures as spiking_vision has it, with ReLU in place of neurons. */
export function floatVisionRun(
  options: RunOptions,
  { name, digest, length, pictures }: VisionData,
): Promise<TrainingRun> {
  const { image, learned, validation, classNames } = pictures;
  const fields = visionFieldsOf(options.settings);
  const structure = structureFor(options.settings, image);
  if (structure.variant !== 'conv') throw new Error('only convolutions have a float network');
  return startExampleRun(options, {
    classifier: floatConv(structure.network),
    spec: visionSpecOf(structure, { image, classNames, fields }),
    data: { name, sha256: digest, examples: length },
    learned: imageExamples(learned, image),
    validation: imageExamples(validation, image),
    form: fields,
    privacyLevel: 'none',
  });
}

/** A run on sounds as spiking_audio has it, with ReLU in place of neurons. */
export async function floatAudioRun(
  options: RunOptions,
  { name, digest, length, classNames, learned, validation }: AudioData,
): Promise<TrainingRun> {
  const { backend, settings } = options;
  const fields = audioFieldsOf(settings);
  const [mel, front, structure] = [melOf(fields), frontOf(fields), audioStructure(fields)];
  const heard = await extractAudioFeatures(backend, learned, mel);
  const unseen = await extractAudioFeatures(backend, validation, mel);
  return startExampleRun(options, {
    classifier: floatRecurrent(structure),
    spec: audioSpecOf(structure, { mel, front, classNames, fields }),
    data: { name, sha256: digest, examples: length },
    learned: audioExamples(heard, learned, front),
    validation: audioExamples(unseen, validation, front),
    form: fields,
    privacyLevel: 'none',
  });
}

/** The spiking convolutional classifier with ReLU in place of neurons, in one time step. */
function floatConv(structure: SpikingConvStructure): Classifier<SpikingConvStructure> {
  const { channels, height, width } = structure.image;
  return {
    structure,
    layout: layOutParameters(spikingConvParameters(structure)),
    inputs: channels * height * width,
    classes: structure.classes,
    logits(graph, images) {
      const features = placeBlocks(structure).reduce((signal, { name, block, input }) => {
        const part = (which: string) => graph.parameter(`${name}.${which}`);
        const options = { image: input, ...windowOf(block), bias: part('bias') };
        const filtered = conv2d(graph, signal, part('weight'), options);
        return activation(graph, layerNorm(graph, filtered, part('gain'), part('offset')), 'relu');
      }, images);
      return dense(graph, activation(graph, dense(graph, features, 'hidden'), 'relu'), 'output');
    },
    scores: (graph, logits) => keep(graph, 'logits', logits),
  };
}

/** The recurrent layer with ReLU in place of neurons: `h[t] = relu(W x[t] + U h[t-1] + b)`. */
function floatRecurrent(structure: SpikingAudioStructure): Classifier<SpikingAudioStructure> {
  const { frames, features, classes } = structure;
  return {
    structure,
    layout: layOutParameters(spikingAudioParameters(structure)),
    frames,
    inputs: features,
    classes,
    logits(graph, sounds) {
      const recurrent = graph.parameter('recurrent.weight');
      let hidden: Tensor | undefined;
      let heard: Tensor | undefined;
      for (let frame = 0; frame < frames; frame++) {
        const current = dense(graph, frameOf(graph, sounds, frame), 'hidden');
        const driven = hidden ? linear(graph, hidden, recurrent, { residual: current }) : current;
        hidden = activation(graph, driven, 'relu');
        // The sum over frames stands in for the mean: its softmax is sharper, which training makes up for.
        heard = linear(graph, hidden, graph.parameter('output.weight'), {
          bias: graph.parameter('output.bias'),
          ...(heard && { residual: heard }),
        });
      }
      if (!heard) throw new Error('a sound has at least one frame');
      return heard;
    },
    scores: (graph, logits) => keep(graph, 'logits', logits),
  };
}

/** One frame of sounds, `[1, rows, features]`. */
function frameOf(graph: Graph, sounds: Tensor, frame: number): Tensor {
  const [steps = 1, rows = 1, features = 1] = sounds.shape;
  const clock = graph.constant(`clock ${frame}`, [4], Uint32Array.of(frame, 0, 0, 0));
  const target = graph.scratch('frame', 'f32', [1, rows, features]);
  graph.call(
    kernels.select_step,
    { source: sounds, clock, target },
    { count: rows * features, steps },
  );
  return target;
}

function dense(graph: Graph, input: Tensor, name: string): Tensor {
  return linear(graph, input, graph.parameter(`${name}.weight`), {
    bias: graph.parameter(`${name}.bias`),
  });
}
