// earlier: what the gradient of a neuron's state becomes one step earlier; resets are constants to it.

struct Earlier {
  // Of the state before the step.
  state: vec2f,
  current: f32,
  // Of the spike of the step before, where the model feels it other than through the reset.
  spike: f32,
  // Of the neuron's own beta and threshold, where it has them.
  own: vec2f,
}
