// lif_membrane: the membranes that lif_forward passes through, before each reset.
//
//   u[t] = beta u[t-1] + I[t] - s[t-1] THRESHOLD
//
// Layout     current [STEPS or 1][ROWS][WIDTH]; membrane [STEPS][ROWS][WIDTH].
//            own_decay [1] with DECAY: beta, else BETA.
// Dispatch   one invocation per neuron.
// Numerics   as lif_forward.
// Reference  engine/backends/reference/neuron-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, STEPS, ROWS, WIDTH, BETA, THRESHOLD};

@group(0) @binding(0) var<storage, read_write> current: array<f32>;
@group(0) @binding(1) var<storage, read_write> membrane: array<f32>;
@if(DECAY) @group(0) @binding(2) var<storage, read_write> own_decay: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn lif_membrane(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= ROWS * WIDTH) { return; }
  var beta = f32(BETA);
  @if(DECAY) beta = own_decay[0];
  var u = 0.0;
  for (var t = 0u; t < STEPS; t++) {
    let reset = select(0.0, THRESHOLD, u > THRESHOLD);
    @if(HELD) let drive = current[i];
    @else let drive = current[t * ROWS * WIDTH + i];
    u = beta * u + drive - reset;
    membrane[t * ROWS * WIDTH + i] = u;
  }
}
