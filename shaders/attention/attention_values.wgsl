// attention_values: values added up with the weights of causal attention, along keys or queries.
//
//   output[i, d] = FACTOR sum_{j <= i} weights[i, j] value[j, d]
//   output[j, d] = FACTOR sum_{i >= j} weights[i, j] value[i, d]                  when TRANSPOSE
//
// Layout     weights [BATCH][HEADS][SEQUENCE][SEQUENCE], zero where j > i; values
//            [BATCH SEQUENCE][VALUE_STRIDE], a head's features from VALUE_OFFSET + head HEAD_WIDTH
//            on; output alike, the rest of its rows stays. QUADS: all of these are multiples of 4.
// Dispatch   one invocation per sequence, four rows, head and four features.
// Numerics   four terms at a time in order; 1e-6 relative to the sum of magnitudes.
// Reference  engine/backends/reference/attention-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, BATCH, SEQUENCE, HEADS, HEAD_WIDTH, FACTOR};
import constants::{VALUE_STRIDE, VALUE_OFFSET, OUTPUT_STRIDE, OUTPUT_OFFSET};

@if(QUADS) alias Features = vec4f;
@else alias Features = f32;

var<storage, read_write> weights: array<Features>;
var<storage, read_write> values: array<Features>;
var<storage, read_write> output: array<f32>;

const TILES = (SEQUENCE + 3u) / 4u;
const QUADS_OF_HEAD = (HEAD_WIDTH + 3u) / 4u;

@if(QUADS) fn weight_quad(at: u32, count: u32) -> vec4f { return weights[at / 4u]; }
@if(QUADS) fn value_quad(at: u32, count: u32) -> vec4f { return values[at / 4u]; }

@if(!QUADS)
fn weight_quad(at: u32, count: u32) -> vec4f {
  var quad = vec4f();
  for (var c = 0u; c < count; c++) { quad[c] = weights[at + c]; }
  return quad;
}

@if(!QUADS)
fn value_quad(at: u32, count: u32) -> vec4f {
  var quad = vec4f();
  for (var c = 0u; c < count; c++) { quad[c] = values[at + c]; }
  return quad;
}

// Four features of four rows of `values`; rows beyond the end repeat the last one.
fn value_tile(row: u32, at: u32, count: u32) -> mat4x4f {
  let rows = min(vec4u(row) + vec4u(0, 1, 2, 3), vec4u(SEQUENCE - 1)) * VALUE_STRIDE + at;
  return mat4x4f(value_quad(rows.x, count), value_quad(rows.y, count),
    value_quad(rows.z, count), value_quad(rows.w, count));
}

@compute @workgroup_size(WORKGROUP)
fn attention_values(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let index = element(id, groups);
  let matrix = index / (TILES * QUADS_OF_HEAD);
  if (matrix >= BATCH * HEADS) { return; }
  let row = index / QUADS_OF_HEAD % TILES * 4u;
  let within = index % QUADS_OF_HEAD * 4u;
  let count = min(4u, HEAD_WIDTH - within);
  let feature = matrix % HEADS * HEAD_WIDTH + within;
  let start = matrix / HEADS * SEQUENCE;
  let base = start * VALUE_STRIDE + VALUE_OFFSET + feature;
  let lines = matrix * SEQUENCE * SEQUENCE;
  let height = min(4u, SEQUENCE - row);

  var sums = mat4x4f();
  @if(TRANSPOSE) {
    for (var i = row; i < SEQUENCE; i++) {
      let weight = weight_quad(lines + i * SEQUENCE + row, height);
      let value = value_quad(base + i * VALUE_STRIDE, count);
      sums += mat4x4f(value * weight.x, value * weight.y, value * weight.z, value * weight.w);
    }
  }
  @else {
    let w = lines + min(vec4u(row) + vec4u(0, 1, 2, 3), vec4u(SEQUENCE - 1)) * SEQUENCE;
    for (var j = 0u; j <= row; j += 4u) {
      let value = value_tile(j, base, count);
      let n = min(4u, SEQUENCE - j);
      sums += mat4x4f(value * weight_quad(w.x + j, n), value * weight_quad(w.y + j, n),
        value * weight_quad(w.z + j, n), value * weight_quad(w.w + j, n));
    }
  }
  for (var r = 0u; r < height; r++) {
    let to = (start + row + r) * OUTPUT_STRIDE + OUTPUT_OFFSET + feature;
    for (var c = 0u; c < count; c++) { output[to + c] = FACTOR * sums[r][c]; }
  }
}
