// lif_forward_lanes: lif_forward with one neuron per invocation, for GPUs.
//
//   u[t] = beta u[t-1] + I[t] - s[t-1] THRESHOLD      s[t] = 1 if u[t] > THRESHOLD else 0
//
// Layout     as lif_forward. Rows are padded to whole words, so 32 neighbours fill one word.
// Dispatch   one invocation per neuron of the padded row; 64 of them fill two words in workgroup memory.
// Numerics   as lif_forward.
// Reference  engine/backends/reference/neuron-kernels.ts

import constants::{STEPS, ROWS, WIDTH, WORDS, BETA, THRESHOLD};

const LANES = 64u;

@group(0) @binding(0) var<storage, read_write> current: array<f32>;
@group(0) @binding(1) var<storage, read_write> spikes: array<u32>;
@if(DECAY) @group(0) @binding(2) var<storage, read_write> own_decay: array<f32>;

var<workgroup> packed: array<atomic<u32>, 2u * STEPS>;

@compute @workgroup_size(LANES)
fn lif_forward_lanes(
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

  var beta = f32(BETA);
  @if(DECAY) beta = own_decay[0];
  var u = 0.0;
  var reset = 0.0;
  for (var t = 0u; t < STEPS; t++) {
    var drive = 0.0;
    if (exists) {
      @if(HELD) drive = current[base];
      @else drive = current[t * ROWS * WIDTH + base];
    }
    u = beta * u + drive - reset;
    let fires = exists && u > THRESHOLD;
    reset = select(0.0, THRESHOLD, fires);
    atomicOr(&packed[2u * t + half], u32(fires) << (lane % 32u));
  }
  workgroupBarrier();
  for (var k = lane; k < 2u * STEPS; k += LANES) {
    let written = first_word + k % 2u;
    if (written < ROWS * WORDS) {
      spikes[k / 2u * ROWS * WORDS + written] = atomicLoad(&packed[k]);
    }
  }
}
