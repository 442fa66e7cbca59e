// relaxed: a spike between 0 and 1, at x = membrane - threshold.
//
// Reference  engine/backends/reference/chronospike-kernels.ts

const RELAXED_SLOPE = 4.0;

fn soft_spike(x: f32) -> f32 { return 1.0 / (1.0 + exp(-RELAXED_SLOPE * x)); }

// Its derivative.
fn soft_slope(x: f32) -> f32 {
  let tail = exp(-RELAXED_SLOPE * abs(x));
  return RELAXED_SLOPE * tail / ((1.0 + tail) * (1.0 + tail));
}
