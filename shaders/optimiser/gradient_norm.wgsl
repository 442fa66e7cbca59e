// gradient_norm: the global norm of the gradient and the factor that clips it.
//
//   norm = sqrt(sum_k partial[k])      scale = min(1, limit / (norm + 1e-6)); -1 when norm is not finite
//
// Layout     partial [ROWS]; clock u32 [4]; rates [5], limit is rates[2]; norms [SLOTS]; scale [1].
// Dispatch   one workgroup; LANES invocations share the row (lib/rows).
// Numerics   1e-6 relative to the reference.
// Reference  engine/backends/reference/training-kernels.ts

import package::lib::rows::{lane_of, row_sum};
import constants::{WORKGROUP, LANES, ROWS, SLOTS};
@if(SUBGROUPS) enable subgroups;

@group(0) @binding(0) var<storage, read_write> partial: array<f32>;
@group(0) @binding(1) var<storage, read_write> clock: array<u32>;
@group(0) @binding(2) var<storage, read_write> rates: array<f32>;
@group(0) @binding(3) var<storage, read_write> norms: array<f32>;
@group(0) @binding(4) var<storage, read_write> scale: array<f32>;

const EXPONENT = 0x7F800000u;

@compute @workgroup_size(WORKGROUP)
fn gradient_norm(@builtin(local_invocation_index) local: u32) {
  let lane = lane_of(local);
  var sum = 0.0;
  for (var k = lane; k < ROWS; k += LANES) { sum += partial[k]; }
  let squares = row_sum(sum, lane);
  if (lane > 0u) { return; }
  // A shader may assume that numbers are finite, so the exponent's bits are tested instead.
  let finite = (bitcast<u32>(squares) & EXPONENT) != EXPONENT;
  let norm = sqrt(squares);
  norms[clock[1] % SLOTS] = norm;
  scale[0] = select(-1.0, min(1.0, rates[2] / (norm + 1e-6)), finite);
}
