import type { Player } from '../graph/backend.ts';
import { Graph } from '../graph/graph.ts';
import type { Program } from '../graph/program.ts';
import { type Segment, Segments } from '../graph/segments.ts';
import { sharedTensor, type Tensor, wordCount } from '../graph/tensor.ts';
import { segmentKernels } from '../kernels/segments.ts';
import type { InputForm } from './example-inputs.ts';
import { featuresOf } from './layer.ts';
import type { Network } from './network.ts';
import { planSegments } from './segment-plan.ts';

/** A network whose time steps are run in segments: its programs, and how a segment of a batch is played. */
interface SegmentRun {
  /** Segments. */
  readonly count: number;
  /** The form of a batch, of all steps; no program holds it. */
  readonly input: Tensor;
  /** Records a phase on the network of a segment: `turn` on that of the last one. */
  trace(phase: Segment['phase'], record: RecordPhase): Program;
  /** Sets all that was carried by programs traced until now to its first values. */
  traceBegin(): Program;
  /** Plays programs on the segments of a batch `[T or 1][rows][features]`. */
  playerOf(player: Player, batch: Float32Array | Uint32Array): PlaySegment;
}

/** Records the network of a segment on its input. */
type RecordPhase = (graph: Graph, network: Network, input: Tensor) => void;
/** Plays a program on a segment, by its number. */
type PlaySegment = (program: Program, index: number) => void;

interface Asked {
  readonly name: string;
  readonly rows: number;
  readonly segments: number;
}

/** Throws EngineError `invalid-setting` for too many segments. */
export function openSegments(
  network: Network,
  { frames, dtype }: InputForm,
  { name, rows, segments: asked }: Asked,
): SegmentRun {
  const { count, length, last } = planSegments(network.steps, asked);
  const segments = new Segments({ count, steps: network.steps });
  const isHeld = frames === 1;
  const inputOf = (steps: number) =>
    sharedTensor('inputs', dtype, [isHeld ? 1 : steps, rows, featuresOf(network.input)]);
  const input = inputOf(length);
  const lastInput = isHeld || last === length ? input : inputOf(last);
  const places = Array.from({ length: count }, (_, index) => Uint32Array.of(index, index * length));
  const stepWords = wordCount(inputOf(1));
  // A network without neurons has nothing that depends on where a segment is.
  let hasPlace = false;
  return {
    count,
    input: inputOf(network.steps),
    trace(phase, record) {
      const graph = new Graph(`${name}, ${phase}`, network.layout, segments.phase(phase));
      const isLast = phase === 'turn';
      record(graph, network.withSteps(isLast ? last : length), isLast ? lastInput : input);
      const program = graph.build();
      hasPlace ||= program.shared.includes(segments.place);
      return program;
    },
    traceBegin: () => traceBegin(`${name}, begin`, network, segments),
    playerOf(player, batch) {
      if (isHeld) player.write(input, batch);
      return (program, index) => {
        const first = index * length;
        const isLast = index === count - 1;
        if (!isHeld) {
          const end = first + (isLast ? last : length);
          const own = batch.subarray(first * stepWords, end * stepWords);
          player.write(isLast ? lastInput : input, own);
        }
        if (hasPlace) player.write(segments.place, places[index] as Uint32Array);
        player.play(program);
      };
    },
  };
}

function traceBegin(name: string, { layout }: Network, { carried }: Segments): Program {
  const graph = new Graph(name, layout);
  for (const { tensor, first } of carried) {
    // Of bits none has been written where the first segment begins; of places none is read before it is written.
    if (tensor.dtype !== 'f32') continue;
    let at = 0;
    for (const { words: count, value } of first) {
      const attributes = { first: at, count, all: wordCount(tensor), value };
      graph.call(segmentKernels.fill_part, { target: tensor }, attributes);
      at += count;
    }
  }
  return graph.build();
}
