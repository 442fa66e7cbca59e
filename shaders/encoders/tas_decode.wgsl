// tas_decode: the mean of a signal from its temporal analog spikes, whose thresholds follow from them.
//
//   y = sum of h[t] over the spikes / STEPS      spike: h += ALPHA, else h = 1 + RHO (h - 1)
//
// Layout     spikes bits [STEPS][ROWS][WORDS]; output [ROWS][WIDTH].
// Dispatch   one invocation per neuron.
// Numerics   1e-6 relative to the reference.
// Reference  engine/backends/reference/encoder-kernels.ts

import package::lib::grid::element;
import package::lib::spikes::fires;
import constants::{WORKGROUP, STEPS, ROWS, WIDTH, ALPHA, RHO};

@group(0) @binding(1) var<storage, read_write> output: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn tas_decode(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= ROWS * WIDTH) { return; }
  var excess = 0.0;
  var sum = 0.0;
  for (var t = 0u; t < STEPS; t++) {
    if (fires(t, i / WIDTH, i % WIDTH)) {
      sum += 1.0 + excess;
      excess += ALPHA;
    } else {
      excess *= RHO;
    }
  }
  output[i] = sum / STEPS;
}
