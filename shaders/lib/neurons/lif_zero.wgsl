// lif_zero: leaky integrate-and-fire whose membrane a spike sets to zero, as neuron_forward wants it.
//
//   u = DECAY (1 - s[t-1]) u[t-1] + I      s = 1 if u > THRESHOLD
//
// Reference  engine/backends/reference/neuron-models.ts

import package::lib::neurons::earlier::Earlier;
import constants::{DECAY, THRESHOLD};

const BY_STATE = vec2f(1.0, 0.0);
const BY_OWN = vec2f();

fn rest() -> vec2f { return vec2f(); }

fn excess(state: vec2f, own: vec2f) -> f32 { return state.x - THRESHOLD; }

fn fires(state: vec2f, own: vec2f) -> bool { return state.x > THRESHOLD; }

fn advance(before: vec2f, current: f32, own: vec2f) -> vec2f {
  return vec2f(select(DECAY * before.x, 0.0, before.x > THRESHOLD) + current, 0.0);
}

fn retreat(before: vec2f, current: f32, gradient: vec2f, own: vec2f) -> Earlier {
  let kept = select(DECAY * gradient.x, 0.0, before.x > THRESHOLD);
  return Earlier(vec2f(kept, 0.0), gradient.x, 0.0, vec2f());
}
