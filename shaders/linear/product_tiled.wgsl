// product_tiled: product through tiles in workgroup memory, for GPUs.
//
//   output[r, c] (+)= sum_k left[r, k] right[k, c]  (+ bias[c])  (+ residual[r % RESIDUAL_ROWS, c])
//
// Layout     as product; SPIKES: left is bits [ROWS][WORDS], 1 where neuron k fired.
//            F16: tiles are held in half precision, sums in single.
//            PATCHES, RETURNED: conv2d_forward and conv2d_backward_input of one group: left is gathered
//            (lib/patches), right is the weight of the convolution, output is [image][COLUMNS][PLANE].
// Dispatch   one workgroup of 64 per 64 x 64 outputs, x over columns, y over rows; 8 x 8 per invocation.
// Numerics   k in order; 1e-6 relative to the sum of magnitudes, 3e-3 with F16.
// Reference  engine/backends/reference/linear-kernels.ts

import package::lib::patches::{patch_at, returned_at, returning_weight};
import constants::{ROWS, COLUMNS, DEPTH, RESIDUAL_ROWS, WORDS, TILE_DEPTH, PLANE};
@if(F16) enable f16;

@if(F16) alias Value = f16;
@else alias Value = f32;

const TILE = 64u;
const THREADS = 64u;

@if(SPIKES && !PATCHES) var<storage, read_write> left: array<u32>;
@if(!SPIKES && !PATCHES && !RETURNED) var<storage, read_write> left: array<f32>;
var<storage, read_write> right: array<f32>;
var<storage, read_write> output: array<f32>;
@if(BIAS) var<storage, read_write> bias: array<f32>;
@if(RESIDUAL) var<storage, read_write> residual: array<f32>;

var<workgroup> left_tile: array<Value, TILE * TILE_DEPTH>;
var<workgroup> right_tile: array<Value, TILE * TILE_DEPTH>;

fn left_at(row: u32, k: u32) -> f32 {
  if (row >= ROWS || k >= DEPTH) { return 0.0; }
  @if(PATCHES) return patch_at(row, k);
  @if(RETURNED) return returned_at(row, k);
  @if(SPIKES && !PATCHES) return f32((left[row * WORDS + k / 32u] >> (k % 32u)) & 1u);
  @if(TRANSPOSE_LEFT) return left[k * ROWS + row];
  @if(!SPIKES && !TRANSPOSE_LEFT && !PATCHES && !RETURNED) return left[row * DEPTH + k];
}

fn right_at(k: u32, column: u32) -> f32 {
  if (column >= COLUMNS || k >= DEPTH) { return 0.0; }
  @if(RETURNED) return right[returning_weight(k, column, COLUMNS)];
  @if(TRANSPOSE_RIGHT) return right[column * DEPTH + k];
  @if(!RETURNED && !TRANSPOSE_RIGHT) return right[k * COLUMNS + column];
}

// Neighbouring threads load along the axis that is contiguous in memory.
fn load_tiles(row: u32, column: u32, k: u32, thread: u32) {
  for (var i = thread; i < TILE * TILE_DEPTH; i += THREADS) {
    @if(TRANSPOSE_LEFT || PATCHES || RETURNED) let at = vec2u(i % TILE, i / TILE);
    @else let at = vec2u(i / TILE_DEPTH, i % TILE_DEPTH);
    left_tile[at.y * TILE + at.x] = Value(left_at(row + at.x, k + at.y));
    @if(TRANSPOSE_RIGHT) let to = vec2u(i / TILE_DEPTH, i % TILE_DEPTH);
    @else let to = vec2u(i % TILE, i / TILE);
    right_tile[to.y * TILE + to.x] = Value(right_at(k + to.y, column + to.x));
  }
}

fn left_quad(at: u32) -> vec4f {
  return vec4f(f32(left_tile[at]), f32(left_tile[at + 1u]), f32(left_tile[at + 2u]), f32(left_tile[at + 3u]));
}

fn right_quad(at: u32) -> vec4f {
  return vec4f(f32(right_tile[at]), f32(right_tile[at + 1u]), f32(right_tile[at + 2u]), f32(right_tile[at + 3u]));
}

fn outer(a: vec4f, b: vec4f) -> mat4x4f {
  return mat4x4f(b * a.x, b * a.y, b * a.z, b * a.w);
}

fn finish(row: u32, column: u32, sum: f32) {
  if (row >= ROWS || column >= COLUMNS) { return; }
  var value = sum;
  @if(BIAS) value += bias[column];
  @if(RESIDUAL) value += residual[row % RESIDUAL_ROWS * COLUMNS + column];
  @if(PATCHES || RETURNED) let at = (row / PLANE * COLUMNS + column) * PLANE + row % PLANE;
  @else let at = row * COLUMNS + column;
  @if(ACCUMULATE) value += output[at];
  output[at] = value;
}

@compute @workgroup_size(THREADS)
fn product_tiled(
  @builtin(workgroup_id) group: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let row = group.y * TILE;
  let column = group.x * TILE;
  let y = thread / 8u * 8u;
  let x = thread % 8u * 8u;
  var t00 = mat4x4f(); var t01 = mat4x4f();
  var t10 = mat4x4f(); var t11 = mat4x4f();
  for (var k = 0u; k < DEPTH; k += TILE_DEPTH) {
    load_tiles(row, column, k, thread);
    workgroupBarrier();
    for (var q = 0u; q < TILE_DEPTH; q++) {
      let a0 = left_quad(q * TILE + y);
      let a1 = left_quad(q * TILE + y + 4u);
      let b0 = right_quad(q * TILE + x);
      let b1 = right_quad(q * TILE + x + 4u);
      t00 += outer(a0, b0); t01 += outer(a0, b1);
      t10 += outer(a1, b0); t11 += outer(a1, b1);
    }
    workgroupBarrier();
  }
  var tiles = array(t00, t01, t10, t11);
  for (var i = 0u; i < 64u; i++) {
    let at = vec2u(i / 8u, i % 8u);
    finish(row + y + at.x, column + x + at.y, tiles[at.x / 4u * 2u + at.y / 4u][at.x % 4u][at.y % 4u]);
  }
}
