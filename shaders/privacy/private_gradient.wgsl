// private_gradient: the gradient of a step of differentially private SGD, from the clipped sum over its sample.
//
//   gradient[i] = FACTOR (sum[OFFSET + i] + DEVIATION z[OFFSET + i])      sum[OFFSET + i] = 0
//   z[4 k], z[4 k + 1] = r cos a, r sin a      r = sqrt(-2 log((w + 1/2) / 2^32))      a = 2 pi (w' >> 8) / 2^24
//
// with words w, w' = 0, 1 of philox((k, STREAM, step, 0), key); z[4 k + 2], z[4 k + 3] from words 2, 3
// (Box & Muller 1958). Whole words reach to 6.7 deviations.
//
// Layout     clock u32 [4]: step, slot, key low, key high; sum of a block; gradient [COUNT]. OFFSET is a
//            multiple of 4.
// Dispatch   one invocation per four elements.
// Numerics   z to 1e-5: a logarithm near 1 has few digits.
// Reference  engine/backends/reference/training-kernels.ts

import package::lib::angle::unit;
import package::lib::grid::element;
import package::lib::philox::philox;
import constants::{WORKGROUP, COUNT, OFFSET, STREAM, DEVIATION, FACTOR};

var<storage, read_write> clock: array<u32>;
var<storage, read_write> sum: array<f32>;
var<storage, read_write> gradient: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn private_gradient(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let first = element(id, groups) * 4u;
  if (first >= COUNT) { return; }
  let words = philox(vec4u((OFFSET + first) / 4u, STREAM, clock[0], 0u), vec2u(clock[2], clock[3]));
  let pairs = vec4f(normal_pair(words.xy), normal_pair(words.zw));
  for (var j = 0u; j < min(4u, COUNT - first); j++) {
    let at = OFFSET + first + j;
    gradient[first + j] = FACTOR * (sum[at] + DEVIATION * pairs[j]);
    sum[at] = 0.0;
  }
}

fn normal_pair(words: vec2u) -> vec2f {
  let radius = sqrt(-2.0 * log(f32(words.x) * 2.3283064365386963e-10 + 1.1641532182693481e-10));
  let angle = f32(words.y >> 8u) * 3.7450702829238413e-7;
  return radius * unit(angle);
}
