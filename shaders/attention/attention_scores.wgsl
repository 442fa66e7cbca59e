// attention_scores: products of every query with the keys that are not after it.
//
//   scores[i, j] = FACTOR sum_d query[i, d] key[j, d]   for j <= i, else 0
//
// Layout     queries [BATCH SEQUENCE][QUERY_STRIDE], a head's features from QUERY_OFFSET +
//            head HEAD_WIDTH on; keys alike, in the rows of the queries unless KEYS; scores
//            [BATCH][HEADS][SEQUENCE][SEQUENCE]. QUADS: all of these are multiples of 4.
// Dispatch   one invocation per 4 x 4 scores.
// Numerics   features in order, four at a time; 1e-6 relative to the sum of magnitudes.
// Reference  engine/backends/reference/attention-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, BATCH, SEQUENCE, HEADS, HEAD_WIDTH, FACTOR};
import constants::{QUERY_STRIDE, QUERY_OFFSET, KEY_STRIDE, KEY_OFFSET};

@if(QUADS) alias Features = vec4f;
@else alias Features = f32;

var<storage, read_write> queries: array<Features>;
@if(KEYS) var<storage, read_write> keys: array<Features>;
var<storage, read_write> scores: array<f32>;

const TILES = (SEQUENCE + 3u) / 4u;

@if(QUADS) fn query_quad(at: u32, count: u32) -> vec4f { return queries[at / 4u]; }
@if(QUADS && KEYS) fn key_quad(at: u32, count: u32) -> vec4f { return keys[at / 4u]; }
@if(QUADS && !KEYS) fn key_quad(at: u32, count: u32) -> vec4f { return queries[at / 4u]; }

@if(!QUADS)
fn query_quad(at: u32, count: u32) -> vec4f {
  var quad = vec4f();
  for (var c = 0u; c < count; c++) { quad[c] = queries[at + c]; }
  return quad;
}

@if(!QUADS)
fn key_quad(at: u32, count: u32) -> vec4f {
  var quad = vec4f();
  @if(KEYS) { for (var c = 0u; c < count; c++) { quad[c] = keys[at + c]; } }
  @else { for (var c = 0u; c < count; c++) { quad[c] = queries[at + c]; } }
  return quad;
}

fn tile(first_query: vec4u, first_key: vec4u) -> mat4x4f {
  var sums = mat4x4f();
  for (var d = 0u; d < HEAD_WIDTH; d += 4u) {
    let n = min(4u, HEAD_WIDTH - d);
    let q = first_query + d;
    let k = first_key + d;
    let keys = mat4x4f(key_quad(k.x, n), key_quad(k.y, n), key_quad(k.z, n), key_quad(k.w, n));
    sums += mat4x4f(query_quad(q.x, n) * keys, query_quad(q.y, n) * keys,
      query_quad(q.z, n) * keys, query_quad(q.w, n) * keys);
  }
  return sums;
}

@compute @workgroup_size(WORKGROUP)
fn attention_scores(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let index = element(id, groups);
  let matrix = index / (TILES * TILES);
  if (matrix >= BATCH * HEADS) { return; }
  let i = index / TILES % TILES * 4u;
  let j = index % TILES * 4u;
  let start = matrix / HEADS * SEQUENCE;
  let first = matrix % HEADS * HEAD_WIDTH;

  var sums = mat4x4f();
  if (j <= i) {
    // Rows beyond the end repeat the last one.
    let query = start + min(vec4u(i) + vec4u(0, 1, 2, 3), vec4u(SEQUENCE - 1));
    let key = start + min(vec4u(j) + vec4u(0, 1, 2, 3), vec4u(SEQUENCE - 1));
    sums = tile(query * QUERY_STRIDE + QUERY_OFFSET + first, key * KEY_STRIDE + KEY_OFFSET + first);
  }
  for (var r = 0u; r < min(4u, SEQUENCE - i); r++) {
    let at = (matrix * SEQUENCE + i + r) * SEQUENCE + j;
    for (var c = 0u; c < min(4u, SEQUENCE - j); c++) {
      scores[at + c] = select(0.0, FACTOR * sums[r][c], j + c <= i + r);
    }
  }
}
