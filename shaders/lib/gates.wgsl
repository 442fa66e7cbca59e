// gates: how much the experts that were chosen for a token count: one by the sigmoid of its score, several by
// softmax over them.

import constants::{ACTIVE};

fn gates_of(scores: array<f32, ACTIVE>) -> array<f32, ACTIVE> {
  var gates = scores;
  if (ACTIVE == 1u) {
    gates[0] = 1.0 / (1.0 + exp(-scores[0]));
    return gates;
  }
  // The first is the highest.
  var sum = 0.0;
  for (var k = 0u; k < ACTIVE; k++) {
    gates[k] = exp(scores[k] - scores[0]);
    sum += gates[k];
  }
  for (var k = 0u; k < ACTIVE; k++) { gates[k] /= sum; }
  return gates;
}
