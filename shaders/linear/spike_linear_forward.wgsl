// spike_linear_forward: add up the weight rows of the neurons that fired.
//
//   output[r, c] (+)= sum of weight[k, c] over set bits k of spikes[r]  (+ bias[c])
//                     (+ residual[r % RESIDUAL_ROWS, c])
//
// Layout     spikes bits [ROWS][WORDS], DEPTH neurons; weight [DEPTH][COLUMNS]; output [ROWS][COLUMNS];
//            QUADS: COLUMNS is a multiple of 4, columns are vec4.
// Dispatch   one invocation per row and column (or four columns); neighbours share the row's bits.
// Numerics   neurons in order; 1e-6 relative to the sum of magnitudes.
// Reference  engine/backends/reference/linear-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, ROWS, COLUMNS, WORDS, RESIDUAL_ROWS};

@if(QUADS) alias Columns = vec4f;
@else alias Columns = f32;
@if(QUADS) const STRIDE = COLUMNS / 4u;
@else const STRIDE = COLUMNS;

var<storage, read_write> spikes: array<u32>;
var<storage, read_write> weight: array<Columns>;
var<storage, read_write> output: array<Columns>;
@if(BIAS) var<storage, read_write> bias: array<Columns>;
@if(RESIDUAL) var<storage, read_write> residual: array<Columns>;

@compute @workgroup_size(WORKGROUP)
fn spike_linear_forward(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  let row = i / STRIDE;
  let column = i % STRIDE;
  if (row >= ROWS) { return; }
  var sum = Columns();
  for (var w = 0u; w < WORDS; w++) {
    var events = spikes[row * WORDS + w];
    while (events != 0u) {
      let neuron = w * 32u + countTrailingZeros(events);
      sum += weight[neuron * STRIDE + column];
      events &= events - 1u;
    }
  }
  @if(BIAS) sum += bias[column];
  @if(RESIDUAL) sum += residual[row % RESIDUAL_ROWS * STRIDE + column];
  @if(ACCUMULATE) sum += output[i];
  output[i] = sum;
}
