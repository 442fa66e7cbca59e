import { Epilogue, PackPanels, Product } from './generated/arguments';
import { PRODUCT_DEPTH, SLAB, TILE_COLUMNS, TILE_ROWS } from './generated/sizes';
import { bytes } from './bytes';
import { loadSome, storeSome } from './simd';
import { multiplyTile } from './tile';

/**
 * pack_panels: lays the right side of a product out in panels [depth][8], zero beyond its columns, so
 * that the register tile reads it in one stream.
 *
 * Items      panels, ceil(columns / 8)
 */
export function pack_panels(args: PackPanels, first: i32, last: i32): void {
  const source = args.sourceAt,
    target = args.panelsAt;
  const depth = args.depth,
    columns = args.columns,
    isTransposed = args.isTransposed != 0;
  for (let panel = first; panel < last; panel++) {
    const column = panel * TILE_COLUMNS;
    const to = target + bytes(column) * depth;
    const width = min(TILE_COLUMNS, columns - column);
    if (isTransposed) packTransposed(source + bytes(column) * depth, to, depth, width);
    else packRows(source + bytes(column), to, depth, bytes(columns), width);
  }
}

function packRows(from: usize, to: usize, depth: i32, stride: usize, width: i32): void {
  for (let k = 0; k < depth; k++, from += stride, to += 32) {
    if (width == TILE_COLUMNS) {
      v128.store(to, v128.load(from));
      v128.store(to, v128.load(from, 16), 16);
    } else {
      v128.store(to, loadSome(from, min(4, width)));
      v128.store(to, loadSome(from + 16, width - 4), 16);
    }
  }
}

function packTransposed(from: usize, to: usize, depth: i32, width: i32): void {
  const row = bytes(depth);
  for (let c = 0; c < TILE_COLUMNS; c++) {
    let at = to + bytes(c),
      source = from + row * c;
    for (let k = 0; k < depth; k++, at += 32, source += 4) {
      store<f32>(at, c < width ? load<f32>(source) : 0);
    }
  }
}

/**
 * product: c[rows, columns] (+)= a b (+ bias) (+ residual), b in panels.
 *
 * Items      tiles of six rows
 */
export function product(args: Product, first: i32, last: i32, scratch: usize): void {
  const a = args.leftAt,
    panels = args.panelsAt,
    c = args.outputAt;
  const rows = args.rows,
    columns = args.columns,
    depth = args.depth;
  const strideA = args.rowBytes,
    advanceA = args.stepBytes;
  const isStarted = startRows(
    args.epilogue,
    c,
    columns,
    first * TILE_ROWS,
    min(rows, last * TILE_ROWS),
  );
  for (let k = 0; k < depth; k += PRODUCT_DEPTH) {
    const add = isStarted || k > 0;
    const block = min(PRODUCT_DEPTH, depth - k);
    for (let column = 0; column < columns; column += TILE_COLUMNS) {
      const b = panels + bytes(column) * depth + bytes(k * TILE_COLUMNS);
      for (let tile = first; tile < last; tile++) {
        const row = tile * TILE_ROWS;
        const from = a + strideA * row + advanceA * k;
        const to = c + bytes(row) * columns + bytes(column);
        const height = min(TILE_ROWS, rows - row),
          width = min(TILE_COLUMNS, columns - column);
        placeTile(
          from,
          strideA,
          advanceA,
          b,
          32,
          block,
          to,
          bytes(columns),
          height,
          width,
          add,
          scratch,
        );
      }
    }
  }
}

/** Multiplies one tile, of which `height` rows and `width` columns are there. Scratch: one tile. */
export function placeTile(
  a: usize,
  strideA: usize,
  advanceA: usize,
  b: usize,
  advanceB: usize,
  depth: i32,
  c: usize,
  strideC: usize,
  height: i32,
  width: i32,
  add: bool,
  scratch: usize,
): void {
  if (height < TILE_ROWS || width < TILE_COLUMNS) {
    edgeTile(a, strideA, advanceA, b, advanceB, depth, c, strideC, height, width, add, scratch);
    return;
  }
  const a1 = a + strideA,
    a2 = a1 + strideA,
    a3 = a2 + strideA,
    a4 = a3 + strideA;
  multiplyTile(a, a1, a2, a3, a4, a4 + strideA, advanceA, b, advanceB, depth, c, strideC, add);
}

/** A tile that hangs over the edge: rows that are not there repeat the last one, and land in scratch alone. */
function edgeTile(
  a: usize,
  strideA: usize,
  advanceA: usize,
  b: usize,
  advanceB: usize,
  depth: i32,
  c: usize,
  strideC: usize,
  height: i32,
  width: i32,
  add: bool,
  scratch: usize,
): void {
  const end = height - 1;
  multiplyTile(
    a,
    a + strideA * min(1, end),
    a + strideA * min(2, end),
    a + strideA * min(3, end),
    a + strideA * min(4, end),
    a + strideA * min(5, end),
    advanceA,
    b,
    advanceB,
    depth,
    scratch,
    32,
    false,
  );
  for (let r = 0; r < height; r++) {
    const to = c + strideC * r,
      from = scratch + 32 * r;
    addSome(to, from, min(4, width), add);
    if (width > 4) addSome(to + 16, from + 16, width - 4, add);
  }
}

function addSome(to: usize, from: usize, count: i32, add: bool): void {
  const sum = v128.load(from);
  storeSome(to, add ? f32x4.add(sum, loadSome(to, count)) : sum, count);
}

/**
 * Puts bias and residual into rows of c, or adds them; whether the product then has to be added.
 */
export function startRows(epilogue: Epilogue, c: usize, columns: i32, first: i32, last: i32): bool {
  return startPart(epilogue, c, columns, 0, columns, first, last);
}

/** The same for the columns of one slab. */
export function startColumns(
  epilogue: Epilogue,
  c: usize,
  columns: i32,
  column: i32,
  first: i32,
  last: i32,
): bool {
  return startPart(epilogue, c, columns, column, min(SLAB, columns - column), first, last);
}

function startPart(
  epilogue: Epilogue,
  target: usize,
  columns: i32,
  column: i32,
  count: i32,
  first: i32,
  last: i32,
): bool {
  const at = bytes(column),
    c = target + at;
  const biases = epilogue.biasAt,
    residuals = epilogue.residualAt,
    residualRows = epilogue.residualRows;
  const bias = biases ? biases + at : 0,
    residual = residuals ? residuals + at : 0;
  const isKept = epilogue.accumulate != 0;
  if (!bias && !residual) return isKept;
  const stride = bytes(columns),
    width = bytes(count);
  for (let row = first; row < last; row++) {
    const to = c + stride * row;
    if (!isKept) memory.fill(to, 0, width);
    if (bias) addRow(to, bias, count);
    if (residual) addRow(to, residual + stride * (row % residualRows), count);
  }
  return true;
}

function addRow(to: usize, from: usize, count: i32): void {
  let i: usize = 0;
  for (const end = bytes(count & ~3); i < end; i += 16) {
    v128.store(to + i, f32x4.add(v128.load(to + i), v128.load(from + i)));
  }
  for (const end = bytes(count); i < end; i += 4) {
    store<f32>(to + i, load<f32>(to + i) + load<f32>(from + i));
  }
}
