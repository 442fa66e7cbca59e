// evo_lif: leaky integrate-and-fire with reset by subtraction, where own = (beta, threshold) are each
// neuron's, as neuron_forward wants it.
//
//   u = own.x u[t-1] + I - s[t-1] own.y      s = 1 if u > own.y
//
// Reference  engine/backends/reference/neuron-models.ts

import package::lib::neurons::earlier::Earlier;

const BY_STATE = vec2f(1.0, 0.0);
const BY_OWN = vec2f(0.0, -1.0);

fn rest() -> vec2f { return vec2f(); }

fn excess(state: vec2f, own: vec2f) -> f32 { return state.x - own.y; }

fn fires(state: vec2f, own: vec2f) -> bool { return state.x > own.y; }

fn advance(before: vec2f, current: f32, own: vec2f) -> vec2f {
  return vec2f(own.x * before.x + current - select(0.0, own.y, before.x > own.y), 0.0);
}

fn retreat(before: vec2f, current: f32, gradient: vec2f, own: vec2f) -> Earlier {
  let by_own = vec2f(gradient.x * before.x, select(0.0, -gradient.x, before.x > own.y));
  return Earlier(vec2f(own.x * gradient.x, 0.0), gradient.x, 0.0, by_own);
}
