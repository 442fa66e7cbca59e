// spike_linear_int8: add up the 8-bit weight rows of the neurons that fired, as whole numbers.
//
//   output[r, c] = scale[c] * sum of weight[k, c] over set bits k of spikes[r]  (+ bias[c])
//                  (+ residual[r % RESIDUAL_ROWS, c])
//
// Layout     spikes bits [ROWS][WORDS]; weight [DEPTH][BYTE_WORDS], four signed bytes a word, the first
//            column lowest; scale [COLUMNS]; output [ROWS][COLUMNS].
// Dispatch   one invocation per row and word of weights.
// Numerics   sums are exact; one rounding for the scale and one for each term that is added.
// Reference  engine/backends/reference/linear-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, ROWS, COLUMNS, WORDS, BYTE_WORDS, RESIDUAL_ROWS};

var<storage, read_write> spikes: array<u32>;
var<storage, read_write> weight: array<u32>;
var<storage, read_write> scale: array<f32>;
var<storage, read_write> output: array<f32>;
@if(BIAS) var<storage, read_write> bias: array<f32>;
@if(RESIDUAL) var<storage, read_write> residual: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn spike_linear_int8(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  let row = i / BYTE_WORDS;
  let word = i % BYTE_WORDS;
  if (row >= ROWS) { return; }
  var sums = vec4i();
  for (var w = 0u; w < WORDS; w++) {
    var events = spikes[row * WORDS + w];
    while (events != 0u) {
      let neuron = w * 32u + countTrailingZeros(events);
      sums += unpack4xI8(weight[neuron * BYTE_WORDS + word]);
      events &= events - 1u;
    }
  }
  for (var lane = 0u; lane < min(4u, COLUMNS - word * 4u); lane++) {
    let column = word * 4u + lane;
    var value = f32(sums[lane]) * scale[column];
    @if(BIAS) value += bias[column];
    @if(RESIDUAL) value += residual[row % RESIDUAL_ROWS * COLUMNS + column];
    output[row * COLUMNS + column] = value;
  }
}
