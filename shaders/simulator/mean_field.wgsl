// mean_field: where the phases of a population point together (Kuramoto's order parameter).
//
//   constants[AT] = mean of cos phi      constants[AT + 1] = mean of sin phi      phi = states[ROW]
//
// Layout     states [rows][COUNT].
// Dispatch   one workgroup; each lane sums every 64th phase, the first adds the lanes up.
// Numerics   1e-6: sums in another order than the reference.
// Reference  engine/backends/reference/simulator-kernels.ts

import package::lib::angle::unit;
import constants::{COUNT, ROW, AT};

const LANES = 64u;

@group(0) @binding(0) var<storage, read_write> states: array<f32>;
@group(0) @binding(1) var<storage, read_write> numbers: array<f32>;

var<workgroup> partial: array<vec2f, LANES>;

@compute @workgroup_size(LANES)
fn mean_field(@builtin(local_invocation_index) lane: u32) {
  var own = vec2f();
  for (var i = lane; i < COUNT; i += LANES) {
    own += unit(states[ROW * COUNT + i]);
  }
  partial[lane] = own;
  workgroupBarrier();
  if (lane > 0u) { return; }
  var total = vec2f();
  for (var k = 0u; k < LANES; k++) { total += partial[k]; }
  numbers[AT] = total.x / f32(COUNT);
  numbers[AT + 1u] = total.y / f32(COUNT);
}
