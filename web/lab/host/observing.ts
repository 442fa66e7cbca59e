import {
  type Corpus,
  type LayerObservation,
  type Observer,
  splitCorpus,
  type TrainingRun,
} from '../../../engine/index.ts';
import type { ObservationFacts, Watch } from '../protocol.ts';
import type { Turns } from './turns.ts';

/** Four looks a second are as many as one can take in. */
const OBSERVE_EVERY_MS = 250;

/** The text that the observed neurons read, always the same in a run. */
interface Probe {
  /** `u32[sequence]` */
  readonly ids: Uint32Array;
  readonly characters: readonly string[];
}

/** A window of the validation text, from the beginning of a word where there is one. */
export async function chooseProbe(corpus: Corpus, sequence: number): Promise<Probe> {
  const { validation } = splitCorpus(corpus, sequence);
  const end = Math.min(validation.start + 2 * sequence, validation.end);
  const ids = await corpus.read(validation.start, end);
  const characters = Array.from(ids, (id) => corpus.tokenizer.decode([id]));
  const gap = characters.findIndex((character) => /\s/.test(character));
  const start = Math.min(gap + 1, ids.length - sequence);
  const window = <A extends { slice(from: number, to: number): A }>(all: A) =>
    all.slice(start, start + sequence);
  return { ids: window(ids), characters: window(characters) };
}

interface ObserverOptions {
  readonly run: Pick<TrainingRun, 'step'>;
  readonly observer: Observer;
  readonly probe: Probe;
  readonly turns: Turns;
  readonly now: () => number;
  readonly observed: (observation: ObservationFacts) => void;
}

/** Looks at one layer of a run while somebody watches, and no more often than is of use. */
export function createObserving({ run, observer, probe, turns, now, observed }: ObserverOptions) {
  let watch: Watch | undefined;
  let last:
    | { readonly at: number; readonly step: number; readonly seen: LayerObservation }
    | undefined;
  let looking: Promise<void> = Promise.resolve();

  async function look(layer: string) {
    const step = run.step();
    const seen = await turns.take(() => observer.observe(probe.ids, layer));
    last = { at: now(), step, seen };
    show();
  }

  function show() {
    if (last && watch && last.seen.name === watch.layer) {
      observed(factsOf(last.seen, last.step, watch.neurons));
    }
  }

  async function lookOnce(isDue: () => boolean) {
    await looking;
    if (!watch || watch.page === 'hidden' || !isDue()) return;
    const mine = look(watch.layer);
    // Whoever asked for this look hears of its failure; the next one starts afresh.
    looking = mine.catch(() => undefined);
    await mine;
  }

  const isOtherLayer = () => last?.seen.name !== watch?.layer;
  const isOtherStep = () => isOtherLayer() || last?.step !== run.step();

  return {
    /** Looks again when it is time to; settles when it has. */
    lookIfDue: () =>
      lookOnce(() => isOtherStep() && now() - (last?.at ?? -Infinity) >= OBSERVE_EVERY_MS),
    /** Looks at what the run is now, however short ago the last look was. */
    lookNow: () => lookOnce(isOtherStep),
    /** Watches something else: what was seen of this layer already is shown at once. */
    watch(next: Watch) {
      watch = next;
      show();
    },
    idle: () => looking,
  };
}

export type Observing = ReturnType<typeof createObserving>;

function factsOf(
  { name, neurons, times, threshold, spikes, membranes }: LayerObservation,
  step: number,
  chosen: readonly number[],
): ObservationFacts {
  const column = (neuron: number) =>
    Float32Array.from({ length: times }, (_, time) => membranes[time * neurons + neuron] ?? 0);
  return {
    step,
    layer: name,
    neurons,
    times,
    threshold,
    // A copy: what is sent to the page is gone from here.
    spikes: spikes.slice(),
    membranes: chosen
      .filter((neuron) => neuron < neurons)
      .map((neuron) => ({ neuron, values: column(neuron) })),
  };
}
