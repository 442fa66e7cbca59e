// gammatone_envelope: how loud each band of a cochlea is, HOP samples at a time. A band is an all-pole
// gammatone filter, four complex resonators in a row (Hohmann 2002).
//
//   z1 = a z1 + (1 - |a|) x;  z2 = a z2 + (1 - |a|) z1;  z3 and z4 likewise
//   y[frame] = GAIN (mean over the frame of 2 |z4|)^EXPONENT
//
// Layout     waveform [ROWS][SAMPLES]; poles [CHANNELS][3]: a (real, imaginary), 1 - |a|;
//            envelope [SAMPLES / HOP][ROWS][CHANNELS].
// Dispatch   one invocation per row and channel, through all samples.
// Numerics   1e-5 relative to the loudest frame.
// Reference  engine/backends/reference/encoder-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, ROWS, SAMPLES, CHANNELS, HOP, GAIN, EXPONENT};

var<storage, read_write> waveform: array<f32>;
var<storage, read_write> poles: array<f32>;
var<storage, read_write> envelope: array<f32>;

const STAGES = 4u;

@compute @workgroup_size(WORKGROUP)
fn gammatone_envelope(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= ROWS * CHANNELS) { return; }
  let pole = i % CHANNELS * 3u;
  let a = vec2f(poles[pole], poles[pole + 1u]);
  let feed = poles[pole + 2u];
  var z: array<vec2f, STAGES>;
  for (var frame = 0u; frame < SAMPLES / HOP; frame++) {
    var sum = 0.0;
    for (var s = 0u; s < HOP; s++) {
      var x = vec2f(waveform[i / CHANNELS * SAMPLES + frame * HOP + s], 0.0);
      for (var k = 0u; k < STAGES; k++) {
        let y = z[k];
        x = vec2f(a.x * y.x - a.y * y.y, a.x * y.y + a.y * y.x) + feed * x;
        z[k] = x;
      }
      sum += length(x);
    }
    let loudness = 2.0 * sum / HOP;
    envelope[frame * ROWS * CHANNELS + i] = GAIN * select(0.0, pow(loudness, EXPONENT), loudness > 0.0);
  }
}
