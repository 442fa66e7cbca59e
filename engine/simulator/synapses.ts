import type { Key } from '../random/philox.ts';
import type { Connection, ProjectionSpec } from './description.ts';
import { createDraws, type Draws, valueOf } from './draws.ts';

/** Synapses by source: row s holds synapses rowStart[s] to before rowStart[s + 1], their targets ascending. */
export interface Synapses {
  readonly rowStart: Uint32Array;
  readonly target: Uint32Array;
  readonly weight: Float32Array;
  /** Delay in steps of each synapse; undefined if all take `steps`. */
  readonly delay: Uint32Array | undefined;
  readonly steps: number;
  /** The longest delay in steps. */
  readonly slots: number;
}

/** The same by target: column t holds entries columnStart[t] to before columnStart[t + 1] of the other two. */
export interface Columns {
  readonly columnStart: Uint32Array;
  /** Synapses in the order of rows. */
  readonly synapseOf: Uint32Array;
  readonly source: Uint32Array;
}

export interface Ends {
  readonly sources: number;
  readonly targets: number;
  readonly isSame: boolean;
}

/** Connected pairs, and the index of each in its specification. */
interface Joined {
  readonly rowStart: Uint32Array;
  readonly target: Uint32Array;
  readonly place: (synapse: number) => number;
}

interface Drawing {
  readonly seed: Key;
  readonly stream: number;
  readonly dt: number;
}

/** Draws the synapses of a projection, the same everywhere for a seed and a stream. */
export function buildSynapses(spec: ProjectionSpec, ends: Ends, drawing: Drawing): Synapses {
  const draws = createDraws(drawing.seed, drawing.stream);
  const { rowStart, target, place } = join(spec.connect, ends, draws);
  const weightAt = valueOf(spec.weight, draws);
  const weight = new Float32Array(target.length);
  for (let i = 0; i < weight.length; i++) weight[i] = weightAt(place(i));
  const { delay = drawing.dt } = spec;
  if (typeof delay === 'number') {
    const steps = stepsOf(delay, drawing.dt);
    return { rowStart, target, weight, delay: undefined, steps, slots: steps };
  }
  const delayAt = valueOf(delay, draws);
  const delays = new Uint32Array(target.length);
  let slots = 1;
  for (let i = 0; i < delays.length; i++) {
    const steps = stepsOf(delayAt(place(i)), drawing.dt);
    delays[i] = steps;
    slots = Math.max(slots, steps);
  }
  return { rowStart, target, weight, delay: delays, steps: 1, slots };
}

/** Drawn delays may fall short of a step. */
export function stepsOf(ms: number, dt: number): number {
  return Math.max(1, Math.round(ms / dt));
}

/** How many synapses are to be expected, before any is drawn. */
export function expectedSynapses(connect: Connection, { sources, targets, isSame }: Ends): number {
  const pairs = sources * targets;
  switch (connect.kind) {
    case 'all':
      return connect.self === false && isSame ? pairs - targets : pairs;
    case 'one':
      return targets;
    case 'probability':
      return Math.round(pairs * connect.p);
    case 'inDegree':
      return targets * connect.k;
    case 'list':
      return connect.sources.length;
  }
}

function join(connect: Connection, ends: Ends, draws: Draws): Joined {
  switch (connect.kind) {
    case 'all':
      return joinAll(ends, connect.self === false && ends.isSame);
    case 'one':
      return joinPairs(ends, ends.targets, (i) => [i, i]);
    case 'probability':
      return joinByChance(ends, connect, draws);
    case 'inDegree':
      return joinByDegree(ends, connect, draws);
    case 'list': {
      const { sources, targets } = connect;
      return joinPairs(ends, sources.length, (i) => [sources[i] ?? 0, targets[i] ?? 0]);
    }
  }
}

function joinAll({ sources, targets }: Ends, isWithoutSelf: boolean): Joined {
  const width = isWithoutSelf ? targets - 1 : targets;
  const rowStart = Uint32Array.from({ length: sources + 1 }, (_, source) => source * width);
  const target = new Uint32Array(sources * width);
  for (let source = 0, i = 0; source < sources; source++) {
    for (let t = 0; t < targets; t++) if (!isWithoutSelf || t !== source) target[i++] = t;
  }
  return { rowStart, target, place: (i) => i };
}

/** Goes through all pairs by the distances between those that are joined, which are geometrically distributed. */
function joinByChance(
  { sources, targets, isSame }: Ends,
  { p, self = true }: Extract<Connection, { kind: 'probability' }>,
  draws: Draws,
): Joined {
  const pairs = sources * targets;
  const rowStart = new Uint32Array(sources + 1);
  // Six standard deviations above the expected number; trimmed below.
  const max = Math.min(pairs, Math.ceil(pairs * p + 6 * Math.sqrt(pairs * p * (1 - p)) + 8));
  const target = new Uint32Array(max);
  const logOfMiss = Math.log1p(-p);
  const skip = () => (p === 1 ? 0 : Math.floor(Math.log(draws.uniform()) / logOfMiss));
  let count = 0;
  for (let pair = p > 0 ? skip() : pairs; pair < pairs && count < max; pair += 1 + skip()) {
    const source = Math.floor(pair / targets);
    const to = pair % targets;
    if (isSame && !self && source === to) continue;
    target[count++] = to;
    rowStart[source + 1] = (rowStart[source + 1] ?? 0) + 1;
  }
  accumulate(rowStart);
  return { rowStart, target: target.slice(0, count), place: (i) => i };
}

function joinByDegree(
  ends: Ends,
  { k, self = true }: Extract<Connection, { kind: 'inDegree' }>,
  draws: Draws,
): Joined {
  const { sources, targets, isSame } = ends;
  const drawn = drawSources(targets * k, draws, isSame && !self ? sources - 1 : sources);
  if (isSame && !self) {
    // Indices from the neuron itself on stand for the next neuron.
    for (const [i, source] of drawn.entries())
      if (source >= Math.floor(i / k)) drawn[i] = source + 1;
  }
  return sortBySource(drawn, sources, (i) => Math.floor(i / k));
}

/** Rows from the sources of synapses whose targets ascend. */
function sortBySource(
  drawn: Uint32Array,
  sources: number,
  targetOf: (index: number) => number,
): Joined {
  const rowStart = new Uint32Array(sources + 1);
  for (const source of drawn) rowStart[source + 1] = (rowStart[source + 1] ?? 0) + 1;
  accumulate(rowStart);
  const next = rowStart.slice();
  const target = new Uint32Array(drawn.length);
  // Iterators over millions of entries take seconds.
  for (let i = 0; i < drawn.length; i++) {
    const source = drawn[i] ?? 0;
    const at = next[source] ?? 0;
    next[source] = at + 1;
    target[at] = targetOf(i);
  }
  return { rowStart, target, place: (i) => i };
}

function drawSources(count: number, draws: Draws, sources: number): Uint32Array {
  const drawn = new Uint32Array(count);
  for (let i = 0; i < count; i++) drawn[i] = draws.below(sources);
  return drawn;
}

/** Pairs in any order, sorted by source and then by target. */
function joinPairs(
  { sources }: Ends,
  count: number,
  pair: (index: number) => readonly [source: number, target: number],
): Joined {
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  order.sort((a, b) => pair(a)[0] - pair(b)[0] || pair(a)[1] - pair(b)[1] || a - b);
  const rowStart = new Uint32Array(sources + 1);
  const target = new Uint32Array(count);
  for (const [i, from] of order.entries()) {
    const [source, to] = pair(from);
    target[i] = to;
    rowStart[source + 1] = (rowStart[source + 1] ?? 0) + 1;
  }
  accumulate(rowStart);
  return { rowStart, target, place: (i) => order[i] ?? 0 };
}

/** Turns counts, stored at the next index, into starts. */
function accumulate(rowStart: Uint32Array): void {
  for (let i = 1; i < rowStart.length; i++) {
    rowStart[i] = (rowStart[i] ?? 0) + (rowStart[i - 1] ?? 0);
  }
}

/** The index by target, for rules that go by the neurons that are reached. */
export function columnsOf(
  { rowStart, target }: Pick<Synapses, 'rowStart' | 'target'>,
  targets: number,
): Columns {
  const columnStart = new Uint32Array(targets + 1);
  for (const to of target) columnStart[to + 1] = (columnStart[to + 1] ?? 0) + 1;
  accumulate(columnStart);
  const next = columnStart.slice();
  const synapseOf = new Uint32Array(target.length);
  const source = new Uint32Array(target.length);
  for (let row = 0; row + 1 < rowStart.length; row++) {
    for (let i = rowStart[row] ?? 0; i < (rowStart[row + 1] ?? 0); i++) {
      const to = target[i] ?? 0;
      const at = next[to] ?? 0;
      next[to] = at + 1;
      synapseOf[at] = i;
      source[at] = row;
    }
  }
  return { columnStart, synapseOf, source };
}
