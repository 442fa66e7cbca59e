// product: output = left x right, 16 rows and 8 columns per invocation in registers.
//
//   output[r, c] (+)= sum_k left[r, k] right[k, c]  (+ bias[c])  (+ residual[r % RESIDUAL_ROWS, c])
//
// Layout     left [ROWS][DEPTH], or [DEPTH][ROWS] when TRANSPOSE_LEFT; right [DEPTH][COLUMNS], or
//            [COLUMNS][DEPTH] when TRANSPOSE_RIGHT; QUADS: COLUMNS is a multiple of 4, columns are vec4.
// Dispatch   x over columns, y over rows; for software adapters, whose lanes gain nothing from
//            workgroup memory.
// Numerics   k in order; 1e-6 relative to the sum of magnitudes. Loads beyond the edge repeat the edge.
// Reference  engine/backends/reference/linear-kernels.ts

import constants::{ROWS, COLUMNS, DEPTH, RESIDUAL_ROWS};

@if(QUADS) alias Columns = vec4f;
@else alias Columns = f32;

@group(0) @binding(0) var<storage, read_write> left: array<f32>;
@if(QUADS && !TRANSPOSE_RIGHT) @group(0) @binding(1) var<storage, read_write> right: array<vec4f>;
@if(!QUADS || TRANSPOSE_RIGHT) @group(0) @binding(1) var<storage, read_write> right: array<f32>;
@group(0) @binding(2) var<storage, read_write> output: array<Columns>;
@if(BIAS) @group(0) @binding(3) var<storage, read_write> bias: array<Columns>;
@if(RESIDUAL) @group(0) @binding(4) var<storage, read_write> residual: array<Columns>;

fn left_at(row: u32, k: u32) -> vec4f {
  let r = min(vec4u(row) + vec4u(0, 1, 2, 3), vec4u(ROWS - 1));
  @if(TRANSPOSE_LEFT) let i = k * ROWS + r;
  @else let i = r * DEPTH + k;
  return vec4f(left[i.x], left[i.y], left[i.z], left[i.w]);
}

@if(QUADS && !TRANSPOSE_RIGHT)
fn right_at(k: u32, column: u32) -> vec4f {
  return right[(k * COLUMNS + min(column, COLUMNS - 4u)) / 4u];
}

@if(!QUADS || TRANSPOSE_RIGHT)
fn right_at(k: u32, column: u32) -> vec4f {
  let c = min(vec4u(column) + vec4u(0, 1, 2, 3), vec4u(COLUMNS - 1));
  @if(TRANSPOSE_RIGHT) let i = c * DEPTH + k;
  @else let i = k * COLUMNS + c;
  return vec4f(right[i.x], right[i.y], right[i.z], right[i.w]);
}

fn outer(a: vec4f, b: vec4f) -> mat4x4f {
  return mat4x4f(b * a.x, b * a.y, b * a.z, b * a.w);
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
  let row = id.y * 16u;
  let column = id.x * 8u;
  if (row >= ROWS || column >= COLUMNS) { return; }
  var t00 = mat4x4f(); var t01 = mat4x4f();
  var t10 = mat4x4f(); var t11 = mat4x4f();
  var t20 = mat4x4f(); var t21 = mat4x4f();
  var t30 = mat4x4f(); var t31 = mat4x4f();
  for (var k = 0u; k < DEPTH; k++) {
    let b0 = right_at(k, column);
    let b1 = right_at(k, column + 4u);
    let a0 = left_at(row, k);
    let a1 = left_at(row + 4u, k);
    let a2 = left_at(row + 8u, k);
    let a3 = left_at(row + 12u, k);
    t00 += outer(a0, b0); t01 += outer(a0, b1);
    t10 += outer(a1, b0); t11 += outer(a1, b1);
    t20 += outer(a2, b0); t21 += outer(a2, b1);
    t30 += outer(a3, b0); t31 += outer(a3, b1);
  }
  store(row, column, t00); store(row, column + 4u, t01);
  store(row + 4u, column, t10); store(row + 4u, column + 4u, t11);
  store(row + 8u, column, t20); store(row + 8u, column + 4u, t21);
  store(row + 12u, column, t30); store(row + 12u, column + 4u, t31);
}
