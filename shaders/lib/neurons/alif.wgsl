// alif: leaky integrate-and-fire with an adaptive threshold, state = (v, a), as neuron_forward wants it.
//
//   v = DECAY v + I - s[t-1] THRESHOLD               a = ADAPTATION_DECAY a + s[t-1]
//   s = 1 if v > THRESHOLD + ADAPTATION_GAIN a
//
// Reference  engine/backends/reference/neuron-models.ts

import package::lib::neurons::earlier::Earlier;
import constants::{DECAY, THRESHOLD, ADAPTATION_DECAY, ADAPTATION_GAIN};

const BY_STATE = vec2f(1.0, -ADAPTATION_GAIN);
const BY_OWN = vec2f();

fn rest() -> vec2f { return vec2f(); }

fn excess(state: vec2f, own: vec2f) -> f32 {
  return state.x - THRESHOLD - ADAPTATION_GAIN * state.y;
}

fn fires(state: vec2f, own: vec2f) -> bool { return excess(state, own) > 0.0; }

fn advance(before: vec2f, current: f32, own: vec2f) -> vec2f {
  let fired = fires(before, own);
  let v = DECAY * before.x + current - select(0.0, THRESHOLD, fired);
  return vec2f(v, ADAPTATION_DECAY * before.y + select(0.0, 1.0, fired));
}

fn retreat(before: vec2f, current: f32, gradient: vec2f, own: vec2f) -> Earlier {
  let state = vec2f(DECAY * gradient.x, ADAPTATION_DECAY * gradient.y);
  return Earlier(state, gradient.x, gradient.y, vec2f());
}
