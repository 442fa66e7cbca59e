// cached_attention: softmax attention of single tokens to what a cache holds of their sequences.
//
//   w[j] = softmax over j <= place of FACTOR query . key[j]      output = sum_j w[j] value[j]
//
// Layout     qkv [ROWS][3 HEADS HEAD_WIDTH], of which the queries are read; cells u32 [ROWS]: slot
//            SEQUENCE + place; cache [cells][2 HEADS HEAD_WIDTH], keys and values by head;
//            output [ROWS][HEADS HEAD_WIDTH].
// Dispatch   LANES invocations per row and head (lib/rows), which take LANES places at a time: a key
//            each, and then a feature each of all their values.
// Numerics   the largest score so far is taken off (Milakov & Gimelshein 2018); 1e-6 relative.
// Reference  engine/backends/reference/attention-kernels.ts

import package::lib::rows::{row_of, lane_of, row_sum, row_max};
import constants::{WORKGROUP, LANES, ROWS, HEADS, HEAD_WIDTH, SEQUENCE, FACTOR};
@if(SUBGROUPS) enable subgroups;

var<storage, read_write> qkv: array<f32>;
var<storage, read_write> cells: array<u32>;
var<storage, read_write> cache: array<f32>;
var<storage, read_write> output: array<f32>;

const MODEL_WIDTH = HEADS * HEAD_WIDTH;
// Features of one lane.
const FEATURES = (HEAD_WIDTH + LANES - 1u) / LANES;
const LOWEST = -3.4e38;

@if(!SINGLE) var<workgroup> cell: u32;
@if(!SINGLE) var<workgroup> weights: array<f32, LANES>;

// The row's cell, in a form that shows the compiler that all lanes go through as many places.
@if(SINGLE) fn cell_of(row: u32, lane: u32) -> u32 { return cells[row]; }

@if(!SINGLE)
fn cell_of(row: u32, lane: u32) -> u32 {
  if (lane == 0u) { cell = cells[row]; }
  return workgroupUniformLoad(&cell);
}

// Shows the weights of the lanes' places to each other.
@if(SINGLE) fn share(weight: f32, lane: u32) {}

@if(!SINGLE)
fn share(weight: f32, lane: u32) {
  workgroupBarrier();
  weights[lane] = weight;
  workgroupBarrier();
}

@if(SINGLE) fn weight_of(k: u32, own: f32) -> f32 { return own; }

@if(!SINGLE) fn weight_of(k: u32, own: f32) -> f32 { return weights[k]; }

fn score_of(query: u32, key: u32) -> f32 {
  var sum = 0.0;
  for (var d = 0u; d < HEAD_WIDTH; d++) { sum += qkv[query + d] * cache[key + d]; }
  return FACTOR * sum;
}

@compute @workgroup_size(WORKGROUP)
fn cached_attention(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let item = row_of(group, groups, local);
  if (item >= ROWS * HEADS) { return; }
  let lane = lane_of(local);
  let row = item / HEADS;
  let head = item % HEADS * HEAD_WIDTH;
  let last = cell_of(row, lane);
  let count = last % SEQUENCE + 1u;
  let first = (last + 1u - count) * 2u * MODEL_WIDTH + head;

  var largest = LOWEST;
  var total = 0.0;
  var sums = array<f32, FEATURES>();
  for (var start = 0u; start < count; start += LANES) {
    let place = start + lane;
    var score = LOWEST;
    if (place < count) {
      score = score_of(row * 3u * MODEL_WIDTH + head, first + place * 2u * MODEL_WIDTH);
    }
    let next = max(largest, row_max(score, lane));
    let shrink = exp(largest - next);
    let weight = select(0.0, exp(score - next), place < count);
    largest = next;
    total = total * shrink + row_sum(weight, lane);
    share(weight, lane);
    for (var f = 0u; f < FEATURES; f++) {
      let d = min(lane + f * LANES, HEAD_WIDTH - 1u);
      var sum = sums[f] * shrink;
      for (var k = 0u; k < min(LANES, count - start); k++) {
        sum += weight_of(k, weight) * cache[first + (start + k) * 2u * MODEL_WIDTH + MODEL_WIDTH + d];
      }
      sums[f] = sum;
    }
  }
  for (var f = 0u; f < FEATURES; f++) {
    let d = lane + f * LANES;
    if (d < HEAD_WIDTH) { output[row * MODEL_WIDTH + head + d] = sums[f] / total; }
  }
}
