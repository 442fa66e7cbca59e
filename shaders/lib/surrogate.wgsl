// surrogate: the slope that stands in for the derivative of a spike, at x = membrane - threshold.
//
//   atan          1 / (1 + (pi x)^2)
//   fast_sigmoid  1 / (1 + 25 |x|)^2
//   sigmoid       25 s (1 - s), s = 1 / (1 + exp(-25 x))
//   triangle      0.3 max(0, 1 - |x|)
//
// Reference  engine/backends/reference/neuron-kernels.ts

const PI = 3.14159265358979;
const SLOPE = 25.0;
const TRIANGLE_HEIGHT = 0.3;

@if(SURROGATE_ATAN)
fn surrogate(x: f32) -> f32 {
  return 1.0 / (1.0 + PI * x * PI * x);
}

@if(SURROGATE_FAST_SIGMOID)
fn surrogate(x: f32) -> f32 {
  let root = 1.0 + SLOPE * abs(x);
  return 1.0 / (root * root);
}

@if(SURROGATE_SIGMOID)
fn surrogate(x: f32) -> f32 {
  let tail = exp(-SLOPE * abs(x));
  return SLOPE * tail / ((1.0 + tail) * (1.0 + tail));
}

@if(SURROGATE_TRIANGLE)
fn surrogate(x: f32) -> f32 {
  return TRIANGLE_HEIGHT * max(0.0, 1.0 - abs(x));
}
