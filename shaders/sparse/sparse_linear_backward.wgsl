// sparse_linear_backward: gradient of the input of sparse_linear_forward, of all events of a token.
//
//   inputGradient[r, j] (+)= SCALE sum over k and the links from j of w gradient[k, r, i]
//
// Layout     gradient [ACTIVE][ROWS][WIDTH]; inputGradient [ROWS][WIDTH]; experts [ACTIVE][ROWS]; weight and
//            fanOut as lib/fan_in has it.
// Dispatch   one invocation per element of the input.
// Numerics   1e-6 relative to the sum of magnitudes.
// Reference  engine/backends/reference/sparse-kernels.ts

import package::lib::fan_in::{EXPERT_BYTES, postsynaptic, LIST_WORDS, signed_byte};
import package::lib::grid::element;
import constants::{WORKGROUP, ROWS, ACTIVE, EXPERTS, WIDTH, SCALE};

var<storage, read_write> gradient: array<f32>;
var<storage, read_write> weight: array<u32>;
var<storage, read_write> fan_out: array<u32>;
var<storage, read_write> experts: array<u32>;
var<storage, read_write> input_gradient: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn sparse_linear_backward(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= ROWS * WIDTH) { return; }
  var sum = 0.0;
  for (var event = i / WIDTH; event < ACTIVE * ROWS; event += ROWS) {
    let expert = experts[event];
    if (expert >= EXPERTS) { continue; }
    let list = expert * LIST_WORDS;
    let first = list + WIDTH + 1u;
    for (var n = fan_out[list + i % WIDTH]; n < fan_out[list + i % WIDTH + 1u]; n++) {
      let byte = fan_out[first + n];
      let w = signed_byte(weight[(expert * EXPERT_BYTES + byte) / 4u], byte);
      sum += f32(w) * gradient[event * WIDTH + postsynaptic(byte)];
    }
  }
  @if(ACCUMULATE) input_gradient[i] += SCALE * sum;
  @else input_gradient[i] = SCALE * sum;
}
