import { wordsPerRow } from '../../graph/tensor.ts';
import type { Attributes } from '../../kernels/kernels.ts';
import { valuesOf } from './arguments.ts';
import { type Binder, grainOf, oneByOne, over, sharedCommand } from './commands.ts';
import { packPanels, packSlabs } from './packing.ts';
import { EVENT_DEPTH, INT8_SLAB, SLAB, TILE_BYTES, TILE_COLUMNS, TILE_ROWS } from './sizes.ts';

/** Rows of spikes that share the weights in the first cache; a multiple of the tile's. */
const GROUP_ROWS = 48;
/** Groups that a product is split into where it has the rows for it. */
const MIN_GROUPS = 16;
/** Six rows of spikes as floats, and a tile, where a group is dense. */
const DENSE_BYTES = 4 * TILE_ROWS * (EVENT_DEPTH + TILE_COLUMNS);
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

/** The operands of a product of matrices, and which side is read transposed. */
interface Sides {
  readonly left: string;
  readonly right: string;
  readonly output: string;
  readonly transposed?: 'left' | 'right';
}

/** The words of an epilogue of which a row has none. */
const PLAIN = { biasAt: 0, residualAt: 0, residualRows: 1, accumulate: 0 };

/** A dense product: the right side into panels, then tiles of rows. */
function dense({ left, right, output, transposed }: Sides): Binder<Product> {
  return (call, site) => {
    const { rows, depth } = call.attributes;
    const tiles = Math.ceil(rows / TILE_ROWS);
    const at = (operand: string) => site.at(call.operands[operand]);
    const isLeftTransposed = transposed === 'left';
    const { commands, sharedBytes } = packPanels(
      call.attributes,
      { sourceAt: at(right), isTransposed: Number(transposed === 'right') },
      site,
    );
    const work = { items: tiles, grain: tileGrain(tiles, site.threads), scratchBytes: TILE_BYTES };
    const multiply = sharedCommand('product', work, {
      ...PLAIN,
      ...valuesOf(call, site),
      leftAt: at(left),
      panelsAt: site.shared,
      outputAt: at(output),
      rowBytes: isLeftTransposed ? 4 : 4 * depth,
      stepBytes: isLeftTransposed ? 4 * rows : 4,
    });
    return { commands: [...commands, multiply], sharedBytes };
  };
}

/** Every turn reads the whole right side: as few turns as keep the threads busy to the end. */
function tileGrain(tiles: number, threads: number): number {
  const TURNS = 3;
  return Math.min(MAX_GRAIN, Math.ceil(tiles / (threads * TURNS)));
}

/** Spikes times weights for many rows: weights into slabs, then groups of rows. */
const events: Binder<Product> = (call, site) => {
  const { rows, depth } = call.attributes;
  const values = { ...valuesOf(call, site), slabsAt: site.shared };
  // By the rows alone: each group chooses between events and a dense product.
  const share = Math.ceil(rows / MIN_GROUPS / TILE_ROWS) * TILE_ROWS;
  const groupRows = Math.min(GROUP_ROWS, share);
  const add = {
    items: Math.ceil(rows / groupRows),
    grain: 1,
    scratchBytes: Math.max(
      DENSE_BYTES,
      groupRows * (4 * Math.ceil(depth / EVENT_DEPTH) + 64 * wordsPerRow(depth)),
    ),
  };
  const { commands, sharedBytes } = packSlabs(
    call.attributes,
    site.at(call.operands['weight']),
    site,
  );
  const product = sharedCommand('spike_product', add, { ...values, groupRows });
  return { commands: [...commands, product], sharedBytes };
};

/** Spikes times weights for few rows, or a great depth: events are listed once, then slab by slab. */
const eventsBySlab: Binder<Product> = (call, site) => {
  const { rows, columns, depth } = call.attributes;
  const slabs = Math.ceil(columns / SLAB);
  const listBytes = rows * 64 * wordsPerRow(depth);
  const groups = Math.max(1, Math.ceil((2 * site.threads) / slabs));
  const groupRows = Math.ceil(rows / groups);
  const countsAt = site.shared + listBytes;
  const isCopied = Number(rows >= MIN_COPIED_ROWS);
  const values = { ...valuesOf(call, site), listsAt: site.shared, countsAt, groupRows, isCopied };
  const add = {
    items: slabs * Math.ceil(rows / groupRows),
    grain: 1,
    scratchBytes: 4 * SLAB * EVENT_DEPTH,
  };
  return {
    commands: [
      sharedCommand('decode_events', { items: rows, grain: grainOf(rows, site.threads) }, values),
      sharedCommand('spike_product_columns', add, values),
    ],
    sharedBytes: listBytes + 4 * rows * Math.ceil(depth / EVENT_DEPTH),
  };
};

/** The gradient of spikes, only for neurons with a slope. */
const backwardSpikes = over<Attributes<'linear_backward_spikes'>>(spikeGroups, {
  kernel: 'masked_product',
  grain: ({ threads }, items) => tileGrain(items, threads),
  added: (_, { shared }) => ({ panelsAt: shared }),
  scratch({ columns, steps }) {
    const lists = TILE_ROWS * steps * (8 + 8 * Math.ceil(columns / 4));
    return Math.max(TILE_BYTES, 16 * Math.ceil(columns / 4) + lists);
  },
  before: ({ operands, attributes }, site) =>
    packPanels(attributes, { sourceAt: site.at(operands['weight']), isTransposed: 1 }, site),
});

function spikeGroups({ rows, steps }: { readonly rows: number; readonly steps: number }): number {
  return Math.ceil(rows / steps / TILE_ROWS);
}

const spikeForward: Binder<Attributes<'spike_linear_forward'>> = (call, site) => {
  const { bias, residual } = call.operands;
  const { rows, depth } = call.attributes;
  const isDeep = depth >= DEEP && rows < depth && !bias && !residual;
  const choose = isDeep || rows < MIN_PACKED_ROWS ? eventsBySlab : events;
  return choose(call, site);
};

export const linearBinders = {
  linear_forward: dense({ left: 'input', right: 'weight', output: 'output' }),
  linear_backward_input: dense({
    ...{ left: 'gradient', right: 'weight', output: 'inputGradient' },
    transposed: 'right',
  }),
  linear_backward_spikes: backwardSpikes,
  linear_backward_weight: dense({
    ...{ left: 'input', right: 'gradient', output: 'weightGradient' },
    transposed: 'left',
  }),
  spike_linear_forward: spikeForward,
  spike_linear_int8: over<Product>(({ rows, columns }) => rows * Math.ceil(columns / INT8_SLAB), {
    scratch: ({ depth }) => 4 * INT8_SLAB + 64 * wordsPerRow(depth),
  }),
  transpose_bits: over<Attributes<'transpose_bits'>>(({ width }) => wordsPerRow(width), {
    grain: oneByOne,
    scratch: () => 128,
  }),
};
