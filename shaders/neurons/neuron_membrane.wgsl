// neuron_membrane: the membranes that neuron_forward passes through, before each reset.
// MODEL_EVO_LIF makes it evo_lif_membrane, whose neurons have a beta and a threshold of their own.
//
// Layout     current [CURRENT_STEPS][ROWS][WIDTH], read again and again where it has one step; membrane
//            [STEPS][ROWS][WIDTH]; beta and threshold [WIDTH].
// Dispatch   one invocation per neuron.
// Numerics   as neuron_forward.
// Reference  engine/backends/reference/layer-kernels.ts

import package::lib::grid::element;
import package::lib::neuron_models::{initial, advance};
import constants::{WORKGROUP, STEPS, CURRENT_STEPS, ROWS, WIDTH};

@group(0) @binding(0) var<storage, read_write> current: array<f32>;
@group(0) @binding(1) var<storage, read_write> membrane: array<f32>;
@if(MODEL_EVO_LIF) @group(0) @binding(2) var<storage, read_write> beta: array<f32>;
@if(MODEL_EVO_LIF) @group(0) @binding(3) var<storage, read_write> threshold: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn neuron_membrane(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= ROWS * WIDTH) { return; }
  var own = vec2f();
  @if(MODEL_EVO_LIF) own = vec2f(beta[i % WIDTH], threshold[i % WIDTH]);
  var state = initial();
  for (var t = 0u; t < STEPS; t++) {
    state = advance(state, current[t % CURRENT_STEPS * ROWS * WIDTH + i], own);
    membrane[t * ROWS * WIDTH + i] = state.x;
  }
}
