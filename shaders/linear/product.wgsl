// product: output = left x right; each invocation adds up a tile of it in registers. For software
// adapters. What lies beyond the last row or column is read, within WebGPU's bounds, but never stored.
//
//   output[r, c] (+)= sum_k left[r, k] right[k, c]  (+ bias[c])  (+ residual[r % RESIDUAL_ROWS, c])
//
// Layout     left [ROWS][DEPTH], or [DEPTH][ROWS] when TRANSPOSE_LEFT; right [DEPTH][COLUMNS], or
//            [COLUMNS][DEPTH] when TRANSPOSE_RIGHT. QUADS: all lines are whole vec4.
// Dispatch   x over columns, y over rows; 8 x 8 outputs per invocation, 16 x 16 when WIDE.
// Numerics   four terms at a time, k in order; 1e-6 relative to the sum of magnitudes.
// Reference  engine/backends/reference/linear-kernels.ts

import constants::{ROWS, COLUMNS, DEPTH, RESIDUAL_ROWS};

@if(QUADS) alias Columns = vec4f;
@else alias Columns = f32;

var<storage, read_write> left: array<Columns>;
var<storage, read_write> right: array<Columns>;
var<storage, read_write> output: array<Columns>;
@if(BIAS) var<storage, read_write> bias: array<Columns>;
@if(RESIDUAL) var<storage, read_write> residual: array<Columns>;

// Four numbers of a line of `length`, from number `first` on; beyond the depth they are zero.
fn left_quad(line: u32, first: u32, length: u32) -> vec4f {
  let i = line * length + first;
  @if(QUADS) return left[i / 4u];
  @if(!QUADS) {
    @if(TRANSPOSE_LEFT) let inside = vec4(line < DEPTH);
    @else let inside = vec4u(first) + vec4u(0, 1, 2, 3) < vec4u(DEPTH);
    return select(vec4f(), vec4f(left[i], left[i + 1u], left[i + 2u], left[i + 3u]), inside);
  }
}

fn right_quad(line: u32, first: u32, length: u32) -> vec4f {
  let i = line * length + first;
  @if(QUADS) return right[i / 4u];
  @if(!QUADS) {
    @if(TRANSPOSE_RIGHT) let inside = vec4u(first) + vec4u(0, 1, 2, 3) < vec4u(DEPTH);
    @else let inside = vec4(line < DEPTH);
    return select(vec4f(), vec4f(right[i], right[i + 1u], right[i + 2u], right[i + 3u]), inside);
  }
}

// Column r holds left[row + r, k .. k + 3].
fn left_block(row: u32, k: u32) -> mat4x4f {
  @if(TRANSPOSE_LEFT) return transpose(mat4x4f(left_quad(k, row, ROWS),
    left_quad(k + 1u, row, ROWS), left_quad(k + 2u, row, ROWS), left_quad(k + 3u, row, ROWS)));
  @else return mat4x4f(left_quad(row, k, DEPTH),
    left_quad(row + 1u, k, DEPTH), left_quad(row + 2u, k, DEPTH), left_quad(row + 3u, k, DEPTH));
}

// Column q holds right[k + q, column .. column + 3].
fn right_block(k: u32, c: u32) -> mat4x4f {
  @if(TRANSPOSE_RIGHT) return transpose(mat4x4f(right_quad(c, k, DEPTH),
    right_quad(c + 1u, k, DEPTH), right_quad(c + 2u, k, DEPTH), right_quad(c + 3u, k, DEPTH)));
  @else return mat4x4f(right_quad(k, c, COLUMNS),
    right_quad(k + 1u, c, COLUMNS), right_quad(k + 2u, c, COLUMNS), right_quad(k + 3u, c, COLUMNS));
}

fn store(row: u32, column: u32, tile: mat4x4f) {
  for (var i = 0u; i < 4u; i++) {
    if (row + i >= ROWS) { return; }
    @if(QUADS) finish(row + i, column, tile[i]);
    @if(!QUADS) {
      for (var j = 0u; j < 4u; j++) { finish(row + i, column + j, tile[i][j]); }
    }
  }
}

fn finish(row: u32, column: u32, sum: Columns) {
  if (column >= COLUMNS) { return; }
  @if(QUADS) let lanes = 4u;
  @else let lanes = 1u;
  let at = (row * COLUMNS + column) / lanes;
  var value = sum;
  @if(BIAS) value += bias[column / lanes];
  @if(RESIDUAL) value += residual[(row % RESIDUAL_ROWS * COLUMNS + column) / lanes];
  @if(ACCUMULATE) value += output[at];
  output[at] = value;
}

@compute @workgroup_size(4, 4)
fn product(@builtin(global_invocation_id) id: vec3u) {
  @if(WIDE) let side = 16u;
  @else let side = 8u;
  let row = id.y * side;
  let column = id.x * side;
  if (row >= ROWS || column >= COLUMNS) { return; }
  var t00 = mat4x4f(); var t01 = mat4x4f(); var t10 = mat4x4f(); var t11 = mat4x4f();
  @if(WIDE) var t02 = mat4x4f(); @if(WIDE) var t03 = mat4x4f(); @if(WIDE) var t12 = mat4x4f();
  @if(WIDE) var t13 = mat4x4f(); @if(WIDE) var t20 = mat4x4f(); @if(WIDE) var t21 = mat4x4f();
  @if(WIDE) var t22 = mat4x4f(); @if(WIDE) var t23 = mat4x4f(); @if(WIDE) var t30 = mat4x4f();
  @if(WIDE) var t31 = mat4x4f(); @if(WIDE) var t32 = mat4x4f(); @if(WIDE) var t33 = mat4x4f();
  for (var k = 0u; k < DEPTH; k += 4u) {
    let b0 = right_block(k, column);
    let b1 = right_block(k, column + 4u);
    let a0 = left_block(row, k);
    let a1 = left_block(row + 4u, k);
    t00 += b0 * a0; t01 += b1 * a0;
    t10 += b0 * a1; t11 += b1 * a1;
    @if(WIDE) {
      let b2 = right_block(k, column + 8u);
      let b3 = right_block(k, column + 12u);
      t02 += b2 * a0; t03 += b3 * a0;
      t12 += b2 * a1; t13 += b3 * a1;
      let a2 = left_block(row + 8u, k);
      t20 += b0 * a2; t21 += b1 * a2; t22 += b2 * a2; t23 += b3 * a2;
      let a3 = left_block(row + 12u, k);
      t30 += b0 * a3; t31 += b1 * a3; t32 += b2 * a3; t33 += b3 * a3;
    }
  }
  store(row, column, t00); store(row, column + 4u, t01);
  store(row + 4u, column, t10); store(row + 4u, column + 4u, t11);
  @if(WIDE) {
    store(row, column + 8u, t02); store(row, column + 12u, t03);
    store(row + 4u, column + 8u, t12); store(row + 4u, column + 12u, t13);
    store(row + 8u, column, t20); store(row + 8u, column + 4u, t21);
    store(row + 8u, column + 8u, t22); store(row + 8u, column + 12u, t23);
    store(row + 12u, column, t30); store(row + 12u, column + 4u, t31);
    store(row + 12u, column + 8u, t32); store(row + 12u, column + 12u, t33);
  }
}
