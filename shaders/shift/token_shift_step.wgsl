// token_shift_step: token_shift_forward one token at a time; the last input is carried along.
//
//   y = m x + (1 - m) previous      previous = x      zero is in front of a sequence
//
// Layout     input, output [STEPS][ROWS][WIDTH]; blend [WIDTH]: m; sequences [ROWS] (lib/slots);
//            previous [STEPS][SLOTS][WIDTH].
// Dispatch   one invocation per element.
// Numerics   as token_shift_forward.
// Reference  engine/backends/reference/dense-kernels.ts

import package::lib::grid::element;
import package::lib::slots::{slot_of, is_fresh};
import constants::{WORKGROUP, STEPS, ROWS, WIDTH, SLOTS};

@group(0) @binding(0) var<storage, read_write> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> blend: array<f32>;
@group(0) @binding(2) var<storage, read_write> sequences: array<u32>;
@group(0) @binding(3) var<storage, read_write> previous: array<f32>;
@group(0) @binding(4) var<storage, read_write> output: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn token_shift_step(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= STEPS * ROWS * WIDTH) { return; }
  let row = i / WIDTH;
  let sequence = sequences[row % ROWS];
  let kept = (row / ROWS * SLOTS + slot_of(sequence)) * WIDTH + i % WIDTH;
  let m = blend[i % WIDTH];
  let x = input[i];
  let before = select(previous[kept], 0.0, is_fresh(sequence));
  output[i] = m * x + (1.0 - m) * before;
  previous[kept] = x;
}
