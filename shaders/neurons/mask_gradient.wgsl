// mask_gradient: no gradient where a mask is 0.
//
//   gradient = mask gradient
//
// Layout     mask bits [STEPS][ROWS][WORDS]; gradient [STEPS][ROWS][WIDTH].
// Dispatch   one invocation per element.
// Numerics   exact.
// Reference  engine/backends/reference/rule-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, STEPS, ROWS, WIDTH, WORDS};

@group(0) @binding(0) var<storage, read_write> mask: array<u32>;
@group(0) @binding(1) var<storage, read_write> gradient: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn mask_gradient(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= STEPS * ROWS * WIDTH) { return; }
  let neuron = i % WIDTH;
  let word = mask[i / WIDTH * WORDS + neuron / 32u];
  if (((word >> (neuron % 32u)) & 1u) == 0u) { gradient[i] = 0.0; }
}
