import type { AverageState } from '../checkpoint/checkpoint.ts';
import type { Backend, Player } from '../graph/backend.ts';
import { Graph } from '../graph/graph.ts';
import type { ParameterLayout } from '../graph/parameters.ts';
import type { Program } from '../graph/program.ts';
import type { Tensor } from '../graph/tensor.ts';
import { trailingAverage } from '../optimizers/weight-average.ts';

/** Programs and tensors of the average of a run's weights. */
interface AveragePrograms {
  readonly values: Tensor;
  readonly taken: Tensor;
  readonly take: Program;
  readonly exchange: Program;
}

/** Traces the average of a run's weights over the fraction `span` of its steps; undefined where that is 0. */
export function traceAverage(layout: ParameterLayout, span: number): AveragePrograms | undefined {
  if (span === 0) return undefined;
  const { values, taken, ...average } = trailingAverage(layout, { span });
  const programOf = (name: string, trace: (graph: Graph) => void) => {
    const graph = new Graph(name, layout);
    trace(graph);
    return graph.build();
  };
  return {
    values,
    taken,
    take: programOf('take into the average', average.take),
    exchange: programOf('exchange with the average', average.exchange),
  };
}

/** The weights of a run, one form of which is the model. */
export interface RunWeights {
  /** The player on which the parameters are the model: for validation, text and images of neurons. */
  readonly shown: Player;
  /** Has the weights that learn in the parameter block, to be played on, read or written. */
  learn(): void;
  /** Takes the weights into their average, after a step. */
  take(): void;
  /** Goes on from an average, or begins one anew: until the next step the weights as they are then are the model. */
  begin(stored?: AverageState): void;
  /** The average; undefined where there is none and the weights are the model. */
  read(): Promise<AverageState | undefined>;
}

/** Loads the programs of a run, with those that average its weights over the fraction `span` of its steps. */
export async function loadWeights(
  backend: Backend,
  layout: ParameterLayout,
  { programs, span }: { readonly programs: readonly Program[]; readonly span: number },
) {
  const average = traceAverage(layout, span);
  const played = average ? [...programs, average.take, average.exchange] : programs;
  const player = await backend.load(layout, played);
  const weights: RunWeights = average ? new AveragedWeights(player, average) : plain(player);
  return { player, programs: played, weights };
}

const plain = (player: Player): RunWeights => ({
  shown: player,
  learn() {},
  take() {},
  begin() {},
  read: () => Promise.resolve(undefined),
});

/**
 * The weights of a run and their average. Every program reads the parameter block, so the two take turns in it:
 * training has the weights there, and what is played on `shown` the average. They change places only when the other
 * one is asked for, in the order of what is queued.
 */
export class AveragedWeights implements RunWeights {
  readonly shown: Player;
  readonly #player: Player;
  readonly #programs: AveragePrograms;
  #isShown = false;

  constructor(player: Player, programs: AveragePrograms) {
    this.#player = player;
    this.#programs = programs;
    const show = () => this.#turn(true);
    const showFor = ({ block }: Tensor) => block === 'parameters' && show();
    this.shown = {
      play(program, times) {
        show();
        player.play(program, times);
      },
      time(program) {
        show();
        return player.time(program);
      },
      write(tensor, data) {
        showFor(tensor);
        player.write(tensor, data);
      },
      read(tensor) {
        showFor(tensor);
        return player.read(tensor);
      },
      settled: () => player.settled(),
      close: () => player.close(),
    };
  }

  learn(): void {
    this.#turn(false);
  }

  take(): void {
    this.learn();
    this.#player.play(this.#programs.take);
  }

  begin(stored?: AverageState): void {
    const { values, taken, take } = this.#programs;
    this.learn();
    this.#player.write(taken, Float32Array.of(0));
    if (stored) this.#player.write(values, stored.values);
    else this.#player.play(take);
    this.#player.write(taken, Float32Array.of(stored?.taken ?? 0));
  }

  async read(): Promise<AverageState> {
    const { values, taken } = this.#programs;
    this.learn();
    const [average, count] = await Promise.all([
      this.#player.read(values),
      this.#player.read(taken),
    ]);
    // Both are f32.
    return { values: average as Float32Array, taken: count[0] ?? 0 };
  }

  #turn(isShown: boolean): void {
    if (this.#isShown === isShown) return;
    this.#player.play(this.#programs.exchange);
    this.#isShown = isShown;
  }
}
