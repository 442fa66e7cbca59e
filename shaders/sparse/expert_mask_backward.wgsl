// expert_mask_backward: gradient of the input of expert_mask_forward, over the events of each row.
//
// Layout     gradient [ACTIVE][ROWS][EXPERTS * RANK]; inputGradient [ROWS][EXPERTS * RANK]; experts
//            [ACTIVE][ROWS].
// Dispatch   one invocation per element of the input.
// Numerics   1e-6 relative to the sum of magnitudes.
// Reference  engine/backends/reference/routing-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, ROWS, ACTIVE, EXPERTS, RANK};

const COLUMNS = u32(EXPERTS) * u32(RANK);

var<storage, read_write> gradient: array<f32>;
var<storage, read_write> experts: array<u32>;
var<storage, read_write> input_gradient: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn expert_mask_backward(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= ROWS * COLUMNS) { return; }
  @if(ACCUMULATE) var sum = input_gradient[i];
  @else var sum = 0.0;
  for (var event = i / COLUMNS; event < ACTIVE * ROWS; event += ROWS) {
    if (i % COLUMNS / RANK == experts[event]) { sum += gradient[event * COLUMNS + i % COLUMNS]; }
  }
  input_gradient[i] = sum;
}
