// recurrent_lif_forward: leaky integrate-and-fire neurons that also receive their own layer's spikes of
// the step before, over all time steps, from rest.
//
//   u[t] = BETA u[t-1] + I[t] + sum_k s_k[t-1] weight[k] + bias - s[t-1] THRESHOLD
//   s[t] = 1 if u[t] > THRESHOLD else 0
//
// Layout     current [STEPS or 1][ROWS][WIDTH] (HELD: one step, held for all); weight [WIDTH][WIDTH],
//            from and to; spikes bits [STEPS][ROWS][WORDS]; membrane [STEPS][ROWS][WIDTH], before resets.
// Dispatch   one workgroup per row: LANES invocations share its neurons and meet after every step.
// Numerics   a neuron within 1e-6 of the threshold may differ, and what follows from its spike.
// Reference  engine/backends/reference/neuron-kernels.ts

import constants::{LANES, STEPS, ROWS, WIDTH, WORDS, BETA, THRESHOLD};

var<storage, read_write> current: array<f32>;
var<storage, read_write> weight: array<f32>;
var<storage, read_write> spikes: array<u32>;
var<storage, read_write> membrane: array<f32>;
@if(BIAS) var<storage, read_write> bias: array<f32>;

// Spikes of the step before and of this one.
var<workgroup> before: array<u32, WORDS>;
var<workgroup> fired: array<atomic<u32>, WORDS>;

// Recurrent current of a neuron from the spikes of the step before.
fn heard(neuron: u32) -> f32 {
  var sum = 0.0;
  for (var w = 0u; w < WORDS; w++) {
    for (var bits = before[w]; bits != 0u; bits &= bits - 1u) {
      sum += weight[(w * 32u + firstTrailingBit(bits)) * WIDTH + neuron];
    }
  }
  return sum;
}

@compute @workgroup_size(LANES)
fn recurrent_lif_forward(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let row = group.y * groups.x + group.x;
  if (row >= ROWS) { return; }
  for (var t = 0u; t < STEPS; t++) {
    for (var n = lane; n < WIDTH; n += LANES) {
      @if(HELD) var drive = current[row * WIDTH + n];
      @else var drive = current[(t * ROWS + row) * WIDTH + n];
      @if(BIAS) drive += bias[n];
      var u = drive;
      if (t > 0u) {
        let last = membrane[((t - 1u) * ROWS + row) * WIDTH + n];
        u = BETA * last + drive + heard(n) - select(0.0, THRESHOLD, last > THRESHOLD);
      }
      membrane[(t * ROWS + row) * WIDTH + n] = u;
      if (u > THRESHOLD) { atomicOr(&fired[n / 32u], 1u << (n % 32u)); }
    }
    workgroupBarrier();
    for (var w = lane; w < WORDS; w += LANES) {
      let word = atomicExchange(&fired[w], 0u);
      before[w] = word;
      spikes[(t * ROWS + row) * WORDS + w] = word;
    }
    workgroupBarrier();
  }
}
