// sparse_linear_forward: each neuron adds its links, weights in signed bytes times the input; event by event,
// with the synapses of the event's expert.
//
//   output[k, r, i] = SCALE sum_p w[i, p] input[r, (o + s p) mod WIDTH] (+ residual[k, r, i])
//
// Layout     input [ROWS][WIDTH]; output, residual [ACTIVE][ROWS][WIDTH]; experts [ACTIVE][ROWS];
//            weight and topology as lib/fan_in has it. A token of no expert has no sum.
// Dispatch   one invocation per output.
// Numerics   1e-6 relative to the sum of magnitudes.
// Reference  engine/backends/reference/sparse-kernels.ts

import package::lib::fan_in::{first_byte, links_of, signed_byte};
import package::lib::grid::element;
import constants::{WORKGROUP, ROWS, ACTIVE, EXPERTS, WIDTH, FAN_IN, SCALE};

var<storage, read_write> input: array<f32>;
var<storage, read_write> weight: array<u32>;
var<storage, read_write> topology: array<u32>;
var<storage, read_write> experts: array<u32>;
var<storage, read_write> output: array<f32>;
@if(RESIDUAL) var<storage, read_write> residual: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn sparse_linear_forward(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= ACTIVE * ROWS * WIDTH) { return; }
  let event = i / WIDTH;
  let neuron = i % WIDTH;
  let expert = experts[event];
  let row = event % ROWS * WIDTH;
  let links = links_of(expert, neuron);
  var source = (topology[links] + neuron % 16u) % WIDTH;
  var byte = first_byte(expert, neuron);
  var sum = 0.0;
  for (var p = 0u; p < FAN_IN && expert < EXPERTS; p++) {
    sum += f32(signed_byte(weight[byte / 4u], byte)) * input[row + source];
    source = (source + topology[links + 1u]) % WIDTH;
    byte += 16u;
  }
  @if(RESIDUAL) output[i] = SCALE * sum + residual[i];
  @else output[i] = SCALE * sum;
}
