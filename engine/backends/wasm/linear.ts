import { wordsPerRow } from '../../graph/tensor.ts';
import type { Attributes } from '../../kernels/kernels.ts';
import {
  type Binder,
  type Bound,
  type Command,
  grainOf,
  over,
  real,
  type Site,
} from './commands.ts';
import { DEPTH_BLOCK, SLAB, strideOf, TILE_BYTES, TILE_COLUMNS, TILE_ROWS } from './sizes.ts';

/** Rows of spikes that share the weights in the first cache; a multiple of the tile's. */
const GROUP_ROWS = 48;
/** Groups that a product is split into where it has the rows for it. */
const MIN_GROUPS = 16;
const INT8_SLAB = 64;
/** Six rows of spikes as floats, and a tile, where a group is dense. */
const DENSE_BYTES = 4 * TILE_ROWS * (DEPTH_BLOCK + TILE_COLUMNS);
/** Tiles of the left side that a thread takes at a time stay in the second cache. */
const MAX_GRAIN = 24;
/** Fewer rows of spikes go slab by slab through weights as they lie: packing would copy all of them first. */
const MIN_PACKED_ROWS = 128;
/** Fewer rows than these do not even pay for a copy of a slab. */
const MIN_COPIED_ROWS = 16;
/** From this depth on, and with fewer rows than that, slabs are packed by those who use them. */
const DEEP = 1024;

interface Product {
  readonly rows: number;
  readonly columns: number;
  readonly depth: number;
}

interface Left {
  readonly left: number;
  /** Words from row to row, and along the depth. */
  readonly stride: number;
  readonly advance: number;
}

interface Right {
  readonly right: number;
  readonly isTransposed: boolean;
}

interface Output {
  readonly output: number;
  readonly bias?: number;
  readonly residual?: number;
  readonly residualRows?: number;
  readonly accumulate: boolean;
}

/** A dense product: the right side into panels, then tiles of rows. */
function dense(
  { rows, columns, depth }: Product,
  { left, stride, advance, right, isTransposed }: Left & Right,
  site: Site,
  output: Output,
): Bound {
  const tiles = Math.ceil(rows / TILE_ROWS);
  const multiply: Command = {
    kernel: 'product',
    items: tiles,
    grain: tileGrain(tiles, site.threads),
    args: [
      ...[left, site.shared, output.output, rows, columns, depth, 4 * stride, 4 * advance],
      ...epilogue(output),
    ],
    scratchBytes: TILE_BYTES,
  };
  const product = { rows, columns, depth };
  const pack = packPanels(product, { right, isTransposed }, site);
  return { commands: [pack, multiply], sharedBytes: panelBytes(product) };
}

/** Every turn reads the whole right side: as few turns as keep the threads busy to the end. */
function tileGrain(tiles: number, threads: number): number {
  const TURNS = 3;
  return Math.min(MAX_GRAIN, Math.ceil(tiles / (threads * TURNS)));
}

/** The right side of a product into panels at `site.shared`. */
function packPanels(
  { columns, depth }: Product,
  { right, isTransposed }: Right,
  site: Site,
): Command {
  const panels = Math.ceil(columns / TILE_COLUMNS);
  return {
    kernel: 'pack_panels',
    items: panels,
    grain: grainOf(panels, site.threads),
    args: [right, site.shared, depth, columns, Number(isTransposed)],
  };
}

function panelBytes({ columns, depth }: Product): number {
  return 4 * Math.ceil(columns / TILE_COLUMNS) * TILE_COLUMNS * depth;
}

function epilogue({ bias = 0, residual = 0, residualRows = 1, accumulate }: Output): number[] {
  return [bias, residual, residualRows, Number(accumulate)];
}

/** Spikes times weights for many rows: weights into slabs, then groups of rows. */
function events(
  { rows, columns, depth }: Product,
  { left, right }: { left: number; right: number },
  site: Site,
  output: Output,
): Bound {
  const slabs = Math.ceil(columns / SLAB);
  // By the rows alone: each group chooses between events and a dense product.
  const share = Math.ceil(rows / MIN_GROUPS / TILE_ROWS) * TILE_ROWS;
  const groupRows = Math.min(GROUP_ROWS, share);
  const groups = Math.ceil(rows / groupRows);
  const pack: Command = {
    kernel: 'pack_slabs',
    items: slabs,
    grain: 1,
    args: [right, site.shared, depth, columns],
  };
  const add: Command = {
    kernel: 'spike_product',
    items: groups,
    grain: 1,
    args: [
      ...[left, site.shared, output.output, rows, columns, depth, groupRows, 0],
      ...epilogue(output),
    ],
    scratchBytes: Math.max(
      DENSE_BYTES,
      groupRows * (4 * Math.ceil(depth / DEPTH_BLOCK) + 64 * wordsPerRow(depth)),
    ),
  };
  return { commands: [pack, add], sharedBytes: 4 * slabs * SLAB * depth };
}

/** Spikes times weights for few rows, or a great depth: events are listed once, then slab by slab. */
function eventsBySlab(
  { rows, columns, depth }: Product,
  { left, right }: { left: number; right: number },
  site: Site,
  output: Output,
): Bound {
  const slabs = Math.ceil(columns / SLAB);
  const listBytes = rows * 64 * wordsPerRow(depth);
  const groups = Math.max(1, Math.ceil((2 * site.threads) / slabs));
  const groupRows = Math.ceil(rows / groups);
  const counts = site.shared + listBytes;
  const list: Command = {
    kernel: 'decode_events',
    items: rows,
    grain: grainOf(rows, site.threads),
    args: [left, site.shared, counts, depth],
  };
  const add: Command = {
    kernel: 'spike_product_columns',
    items: slabs * Math.ceil(rows / groupRows),
    grain: 1,
    args: [
      ...[site.shared, counts, right, output.output, rows, columns, depth],
      ...[groupRows, Number(rows >= MIN_COPIED_ROWS), ...epilogue(output)],
    ],
    scratchBytes: 4 * SLAB * DEPTH_BLOCK,
  };
  return {
    commands: [list, add],
    sharedBytes: listBytes + 4 * rows * Math.ceil(depth / DEPTH_BLOCK),
  };
}

type Dense = Attributes<'linear_backward_input'>;
type Forward = Attributes<'linear_forward'>;

const forward: Binder<Forward> = ({ operands, attributes }, site) => {
  const { depth, residualRows } = attributes;
  const { input, weight, output, bias, residual } = operands;
  const sides = { left: site.at(input), stride: depth, advance: 1, right: site.at(weight) };
  return dense(attributes, { ...sides, isTransposed: false }, site, {
    ...{ output: site.at(output), accumulate: false, residualRows },
    ...{ bias: site.at(bias), residual: site.at(residual) },
  });
};

const backwardInput: Binder<Dense> = ({ operands, attributes }, site) => {
  const { gradient, weight, inputGradient } = operands;
  const { depth, accumulate } = attributes;
  const sides = { left: site.at(gradient), stride: depth, advance: 1, right: site.at(weight) };
  const output = { output: site.at(inputGradient), accumulate };
  return dense(attributes, { ...sides, isTransposed: true }, site, output);
};

const backwardWeight: Binder<Dense> = ({ operands, attributes }, site) => {
  const { input, gradient, weightGradient } = operands;
  const { rows, accumulate } = attributes;
  const sides = { left: site.at(input), stride: 1, advance: rows, right: site.at(gradient) };
  const output = { output: site.at(weightGradient), accumulate };
  return dense(attributes, { ...sides, isTransposed: false }, site, output);
};

/** The gradient of spikes, only for neurons with a slope. */
const backwardSpikes: Binder<Attributes<'linear_backward_spikes'>> = (
  { operands, attributes },
  site,
) => {
  const { gradient, weight, inputGradient, current } = operands;
  const { columns, depth, steps, currentSteps, beta, threshold, reach, accumulate } = attributes;
  const rows = attributes.rows / steps;
  const groups = Math.ceil(rows / TILE_ROWS);
  const listed = TILE_ROWS * steps * (8 + 8 * Math.ceil(columns / 4));
  const pack = packPanels(attributes, { right: site.at(weight), isTransposed: true }, site);
  const multiply: Command = {
    kernel: 'masked_product',
    items: groups,
    grain: tileGrain(groups, site.threads),
    args: [
      ...[gradient, weight, inputGradient].map(site.at),
      ...[rows, columns, depth, Number(accumulate), site.at(current), steps],
      strideOf(currentSteps, steps, rows * columns),
      ...[real(beta), real(threshold), real(reach), site.shared],
    ],
    scratchBytes: Math.max(TILE_BYTES, 16 * Math.ceil(columns / 4) + listed),
  };
  return { commands: [pack, multiply], sharedBytes: panelBytes(attributes) };
};

const spikeForward: Binder<Attributes<'spike_linear_forward'>> = (
  { operands: { spikes, weight, output, bias, residual }, attributes },
  site,
) => {
  const { rows, depth, residualRows, accumulate } = attributes;
  const isDeep = depth >= DEEP && rows < depth && !bias && !residual;
  const choose = isDeep || rows < MIN_PACKED_ROWS ? eventsBySlab : events;
  return choose(attributes, { left: site.at(spikes), right: site.at(weight) }, site, {
    ...{ output: site.at(output), accumulate, residualRows },
    ...{ bias: site.at(bias), residual: site.at(residual) },
  });
};

export const linearBinders = {
  linear_forward: forward,
  linear_backward_input: backwardInput,
  linear_backward_spikes: backwardSpikes,
  linear_backward_weight: backwardWeight,
  spike_linear_forward: spikeForward,
  spike_linear_int8: over<Forward>(({ rows, columns }) => rows * Math.ceil(columns / INT8_SLAB), {
    scratch: ({ depth }) => 4 * INT8_SLAB + 64 * wordsPerRow(depth),
  }),
  transpose_bits: over<Attributes<'transpose_bits'>>(({ width }) => wordsPerRow(width), {
    grain: 'all',
    scratch: () => 128,
  }),
};
