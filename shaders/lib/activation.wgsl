// activation: functions element by element, and their derivatives; ACTIVATION_* chooses one.
//
//   sigmoid   1 / (1 + e^-x)           softplus  log(1 + e^x)
//   log       log(max(x, 1e-10))       relu      max(x, 0)
//   gelu      x gate(x), gate(x) = (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2
//                                = sigmoid(SLOPE (x + CUBIC x^3))        (Hendrycks & Gimpel 2016)

// One number, or four at a time when QUADS.
@if(QUADS) alias Numbers = vec4f;
@else alias Numbers = f32;

const ZERO = Numbers();
const MIN_LOG_INPUT = 1e-10;
const SLOPE = 1.5957691216057308;
const CUBIC = 0.044715;
// Beyond this the gate is shut, and e^-z would leave float32.
const SHUT = -80.0;

@if(ACTIVATION_SIGMOID)
fn value(x: Numbers) -> Numbers { return 1.0 / (1.0 + exp(-x)); }
@if(ACTIVATION_SIGMOID)
fn slope(x: Numbers) -> Numbers { let s = value(x); return s * (1.0 - s); }

@if(ACTIVATION_SOFTPLUS)
fn value(x: Numbers) -> Numbers { return max(x, ZERO) + log(1.0 + exp(-abs(x))); }
@if(ACTIVATION_SOFTPLUS)
fn slope(x: Numbers) -> Numbers { return 1.0 / (1.0 + exp(-x)); }

@if(ACTIVATION_LOG)
fn value(x: Numbers) -> Numbers { return log(max(x, Numbers(MIN_LOG_INPUT))); }
@if(ACTIVATION_LOG)
fn slope(x: Numbers) -> Numbers { return select(ZERO, 1.0 / x, x > Numbers(MIN_LOG_INPUT)); }

@if(ACTIVATION_RELU)
fn value(x: Numbers) -> Numbers { return max(x, ZERO); }
@if(ACTIVATION_RELU)
fn slope(x: Numbers) -> Numbers { return select(ZERO, Numbers(1.0), x > ZERO); }

@if(ACTIVATION_GELU)
fn value(x: Numbers) -> Numbers { return x * gate(x); }
@if(ACTIVATION_GELU)
fn slope(x: Numbers) -> Numbers {
  let s = gate(x);
  return s + x * s * (1.0 - s) * SLOPE * (1.0 + 3.0 * CUBIC * x * x);
}
@if(ACTIVATION_GELU)
fn gate(x: Numbers) -> Numbers {
  return 1.0 / (1.0 + exp(-max(Numbers(SHUT), SLOPE * (x + CUBIC * x * x * x))));
}
