// deliver_spikes: adds the weights of all synapses of the neurons that fired to what arrives later.
//
//   ring[(clock + delay) % SLOTS][target] += round(SCALE weight)      for synapses of rows that fired
//
// Layout     spikes bits [SOURCES]; synapses by source: rowStart [SOURCES + 1], target, weight, delay [synapses];
//            ring i32 [SLOTS][TARGETS]. A delay is 1 to SLOTS steps.
// Dispatch   workgroups share the words of spikes; their lanes share the synapses of a row. On processors
//            (WORDWISE) one invocation per word.
// Numerics   exact: integer atomics, whose order does not matter; the weight is rounded to even.
// Reference  engine/backends/reference/simulator-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, SOURCES, TARGETS, SLOTS, SCALE, STEPS};

const LANES = 64u;
const WORDS = (SOURCES + 31u) / 32u;

var<storage, read_write> clock: array<u32>;
var<storage, read_write> spikes: array<u32>;
var<storage, read_write> row_start: array<u32>;
var<storage, read_write> targets: array<u32>;
var<storage, read_write> weight: array<f32>;
var<storage, read_write> ring: array<atomic<i32>>;
@if(DELAY) var<storage, read_write> delay: array<u32>;

@if(WORDWISE) @compute @workgroup_size(WORKGROUP)
fn deliver_spikes(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let word = element(id, groups);
  if (word < WORDS) { deliver_word(word, 0u, 1u); }
}

@if(!WORDWISE) @compute @workgroup_size(LANES)
fn deliver_spikes(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  for (var word = group.y * groups.x + group.x; word < WORDS; word += groups.x * groups.y) {
    deliver_word(word, lane, LANES);
  }
}

fn deliver_word(word: u32, first: u32, stride: u32) {
  for (var left = spikes[word]; left != 0u; left &= left - 1u) {
    deliver_row(word * 32u + countTrailingZeros(left), first, stride);
  }
}

fn deliver_row(source: u32, first: u32, stride: u32) {
  for (var i = row_start[source] + first; i < row_start[source + 1u]; i += stride) {
    var steps = u32(STEPS);
    @if(DELAY) steps = delay[i];
    let slot = (clock[0] % SLOTS + steps) % SLOTS;
    atomicAdd(&ring[slot * TARGETS + targets[i]], i32(round(SCALE * weight[i])));
  }
}
