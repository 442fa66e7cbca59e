// gelu: the gate of GELU in its tanh form: gelu(x) = x gate(x).
//
//   gate(x) = (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2 = sigmoid(SLOPE (x + CUBIC x^3))

const SLOPE = 1.5957691216057308;
const CUBIC = 0.044715;
// Beyond this the gate is shut, and e^-z would leave float32.
const SHUT = -80.0;

// One number, or four at a time when QUADS.
@if(QUADS) alias Numbers = vec4f;
@else alias Numbers = f32;

fn gate(x: Numbers) -> Numbers {
  return 1.0 / (1.0 + exp(-max(Numbers(SHUT), SLOPE * (x + CUBIC * x * x * x))));
}
