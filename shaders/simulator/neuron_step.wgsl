// neuron_step: one time step of a population, of whichever model is linked behind it.
//
//   input = SCALE ring[clock % SLOTS] + drive      arrived weights in fixed point, stimuli
//   state, fires = step(state, constants, input, DT)
//
// Layout     ring i32 [SLOTS][COUNT]; drive [COUNT]; what was read of both becomes 0. states [STATES][COUNT];
//            constants [CONSTANTS][COUNT], or [CONSTANTS] where a population shares them; spikes bits [COUNT].
// Dispatch   one invocation per neuron, 64 of which fill two words in workgroup memory; on processors
//            (WORDWISE) one per word of spikes, as a barrier costs them more than a neuron.
// Numerics   the driver may fuse multiplications with additions, so float models agree with the reference
//            to 1e-5 and a neuron that close to threshold may fire a step apart; lif_integer is exact.
// Reference  engine/backends/reference/simulator-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, COUNT, WORDS, SLOTS, SCALE, STATES, CONSTANTS, DT};

const LANES = 64u;

var<storage, read_write> clock: array<u32>;
var<storage, read_write> ring: array<i32>;
var<storage, read_write> drive: array<f32>;
var<storage, read_write> numbers: array<f32>;
var<storage, read_write> states: array<f32>;
var<storage, read_write> spikes: array<u32>;

@if(!WORDWISE) var<workgroup> packed: array<atomic<u32>, 2>;

@if(WORDWISE) @compute @workgroup_size(WORKGROUP)
fn neuron_step(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let word = element(id, groups);
  if (word >= WORDS) { return; }
  var fired = 0u;
  for (var bit = 0u; bit < min(32u, COUNT - word * 32u); bit++) {
    fired |= u32(advance(word * 32u + bit)) << bit;
  }
  spikes[word] = fired;
}

@if(!WORDWISE) @compute @workgroup_size(LANES)
fn neuron_step(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let index = group.y * groups.x + group.x;
  let neuron = index * LANES + lane;
  if (neuron < COUNT && advance(neuron)) {
    atomicOr(&packed[lane / 32u], 1u << (lane % 32u));
  }
  workgroupBarrier();
  let word = index * 2u + lane;
  if (lane < 2u && word < WORDS) { spikes[word] = atomicLoad(&packed[lane]); }
}

fn advance(neuron: u32) -> bool {
  let arrived = clock[0] % SLOTS * COUNT + neuron;
  let input = SCALE * f32(ring[arrived]) + drive[neuron];
  ring[arrived] = 0;
  drive[neuron] = 0.0;
  var state: array<f32, STATES>;
  for (var s = 0u; s < STATES; s++) { state[s] = states[s * COUNT + neuron]; }
  var own: array<f32, CONSTANTS>;
  for (var c = 0u; c < CONSTANTS; c++) {
    @if(PER_NEURON) own[c] = numbers[c * COUNT + neuron];
    @else own[c] = numbers[c];
  }
  let fires = step(&state, own, input, DT);
  for (var s = 0u; s < STATES; s++) { states[s * COUNT + neuron] = state[s]; }
  return fires;
}
