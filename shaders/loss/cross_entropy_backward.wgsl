// cross_entropy_backward: gradient of the mean loss with respect to the logits.
//
//   d logits[r, c] = weights[r] (exp(logits[r, c] - scale[r]) - [c = targets[r]]) / ROWS
//
// Layout     logits, logits_gradient [ROWS][WIDTH]; targets u32 [ROWS]; scale, weights [ROWS]
//            (WEIGHTS; else 1).
// Dispatch   one invocation per element.
// Numerics   1e-6 absolute times 1 / ROWS.
// Reference  engine/backends/reference/training-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, ROWS, WIDTH};

@group(0) @binding(0) var<storage, read_write> logits: array<f32>;
@group(0) @binding(1) var<storage, read_write> targets: array<u32>;
@group(0) @binding(2) var<storage, read_write> scale: array<f32>;
@group(0) @binding(3) var<storage, read_write> logits_gradient: array<f32>;
@if(WEIGHTS) @group(0) @binding(4) var<storage, read_write> weights: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn cross_entropy_backward(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= ROWS * WIDTH) { return; }
  let row = i / WIDTH;
  let hit = i % WIDTH == min(targets[row], WIDTH - 1u);
  var slope = (exp(logits[i] - scale[row]) - select(0.0, 1.0, hit)) / ROWS;
  @if(WEIGHTS) slope *= weights[row];
  logits_gradient[i] = slope;
}
