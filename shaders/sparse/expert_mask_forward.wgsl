// expert_mask_forward: of a row's features for every expert, those of the expert of each event; else zero.
//
// Layout     input [ROWS][EXPERTS * RANK]; output [ACTIVE][ROWS][EXPERTS * RANK]; experts [ACTIVE][ROWS].
// Dispatch   one invocation per element of the output.
// Numerics   exact.
// Reference  engine/backends/reference/routing-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, ROWS, ACTIVE, EXPERTS, RANK};

const COLUMNS = u32(EXPERTS) * u32(RANK);

var<storage, read_write> input: array<f32>;
var<storage, read_write> experts: array<u32>;
var<storage, read_write> output: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn expert_mask_forward(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= ACTIVE * ROWS * COLUMNS) { return; }
  let event = i / COLUMNS;
  let is_own = i % COLUMNS / RANK == experts[event];
  output[i] = select(0.0, input[event % ROWS * COLUMNS + i % COLUMNS], is_own);
}
