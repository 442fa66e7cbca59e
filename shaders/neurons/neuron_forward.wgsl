// neuron_forward: a layer of neurons over all time steps, from rest; MODEL_* says which (lib/neuron_models).
// MODEL_EVO_LIF makes it evo_lif_forward, whose neurons have a beta and a threshold of their own.
//
// Layout     current [CURRENT_STEPS][ROWS][WIDTH], read again and again where it has one step; beta and
//            threshold [WIDTH]; spikes bits [STEPS][ROWS][WORDS]. Rows are padded to whole words, so 32
//            neighbours fill one word.
// Dispatch   one invocation per neuron of the padded row; 64 of them fill two words in workgroup memory,
//            CHUNK steps at a time.
// Numerics   the driver may fuse products and sums, so a neuron within 1e-6 of its threshold may differ.
// Reference  engine/backends/reference/layer-kernels.ts

import package::lib::neuron_models::{initial, advance, fires};
import constants::{STEPS, CURRENT_STEPS, ROWS, WIDTH, WORDS};

const LANES = 64u;
const CHUNK = 32u;

@group(0) @binding(0) var<storage, read_write> current: array<f32>;
@group(0) @binding(1) var<storage, read_write> spikes: array<u32>;
@if(MODEL_EVO_LIF) @group(0) @binding(2) var<storage, read_write> beta: array<f32>;
@if(MODEL_EVO_LIF) @group(0) @binding(3) var<storage, read_write> threshold: array<f32>;

var<workgroup> packed: array<atomic<u32>, 2u * CHUNK>;

@compute @workgroup_size(LANES)
fn neuron_forward(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let first_word = (group.y * groups.x + group.x) * 2u;
  let half = lane / 32u;
  let word = first_word + half;
  let neuron = word % WORDS * 32u + lane % 32u;
  let exists = word < ROWS * WORDS && neuron < WIDTH;
  let base = word / WORDS * WIDTH + neuron;

  var own = vec2f();
  @if(MODEL_EVO_LIF) if (exists) { own = vec2f(beta[neuron], threshold[neuron]); }
  var state = initial();
  for (var first = 0u; first < STEPS; first += CHUNK) {
    let steps = min(CHUNK, STEPS - first);
    atomicStore(&packed[lane], 0u);
    workgroupBarrier();
    for (var k = 0u; exists && k < steps; k++) {
      state = advance(state, current[(first + k) % CURRENT_STEPS * ROWS * WIDTH + base], own);
      if (fires(state, own)) { atomicOr(&packed[2u * k + half], 1u << (lane % 32u)); }
    }
    workgroupBarrier();
    // The lane that reads a word is the one that clears it for the next steps.
    let written = first_word + lane % 2u;
    if (lane / 2u < steps && written < ROWS * WORDS) {
      spikes[(first + lane / 2u) * ROWS * WORDS + written] = atomicLoad(&packed[lane]);
    }
  }
}
