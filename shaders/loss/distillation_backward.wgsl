// distillation_backward: gradient of the mean of distillation_forward with respect to the logits.
//
//   d z[r, c] = ((1 - BLEND) (exp(z - scale) - [c = target]) + BLEND T (exp(z / T - scale_T) - q)) / ROWS
//
// Layout     as distillation_forward; logits_gradient [ROWS][WIDTH].
// Dispatch   one invocation per element.
// Numerics   1e-6 absolute times T / ROWS.
// Reference  engine/backends/reference/training-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, ROWS, WIDTH, TEMPERATURE, BLEND};

@group(0) @binding(0) var<storage, read_write> logits: array<f32>;
@group(0) @binding(1) var<storage, read_write> teacher: array<f32>;
@group(0) @binding(2) var<storage, read_write> targets: array<u32>;
@group(0) @binding(3) var<storage, read_write> scale: array<f32>;
@group(0) @binding(4) var<storage, read_write> logits_gradient: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn distillation_backward(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= ROWS * WIDTH) { return; }
  let row = i / WIDTH;
  let z = logits[i];
  let is_hit = i % WIDTH == min(targets[row], WIDTH - 1u);
  let hard = exp(z - scale[2u * row]) - select(0.0, 1.0, is_hit);
  let soft = exp(z / TEMPERATURE - scale[2u * row + 1u]) - teacher[i];
  logits_gradient[i] = ((1.0 - BLEND) * hard + BLEND * TEMPERATURE * soft) / ROWS;
}
