// neuron_models: the neurons of neuron_forward, neuron_membrane and neuron_backward; MODEL_* chooses one.
//
//   lif_zero    u = DECAY (1 - s[t-1]) u[t-1] + I                     s = 1 if u > THRESHOLD
//   evo_lif     u = own.x u[t-1] + I - s[t-1] own.y                   s = 1 if u > own.y
//   alif        v = DECAY v + I - s[t-1] THRESHOLD                    state = (v, a)
//               a = ADAPTATION_DECAY a + s[t-1]                       s = 1 if v > THRESHOLD + ADAPTATION_GAIN a
//   izhikevich  v' = 0.04 v^2 + 5 v + 140 - u + DRIVE I               state = (v, u), v in mV (2003)
//               u' = A (B v - u)                                      at v >= 30: v = C, u = u + D
//               One Euler step of DT ms; with SUBSTEPS 2 as published: v in two half-steps, then u from the new v.
//
// own = (beta, threshold) of each neuron. Resets are constants to the gradient.
//
// Reference  engine/backends/reference/neuron-models.ts

import constants::{DECAY, THRESHOLD, ADAPTATION_DECAY, ADAPTATION_GAIN};
import constants::{A, B, C, D, START, DT, SUBSTEPS, SPAN, DRIVE};

// The vector-Jacobian product of a step: gradients of what it started from.
struct StepGradients {
  state: vec2f,
  current: f32,
  // Of the spike of the step before, where it has an effect other than the reset.
  spike: f32,
  // Of the neuron's own beta and threshold, where it has them.
  own: vec2f,
}

@if(MODEL_LIF_ZERO) const BY_STATE = vec2f(1.0, 0.0);
@if(MODEL_LIF_ZERO) const BY_OWN = vec2f();
@if(MODEL_LIF_ZERO) fn initial() -> vec2f { return vec2f(); }
@if(MODEL_LIF_ZERO) fn excess(state: vec2f, own: vec2f) -> f32 { return state.x - THRESHOLD; }
@if(MODEL_LIF_ZERO) fn fires(state: vec2f, own: vec2f) -> bool { return state.x > THRESHOLD; }
@if(MODEL_LIF_ZERO) fn advance(before: vec2f, current: f32, own: vec2f) -> vec2f {
  return vec2f(select(DECAY * before.x, 0.0, before.x > THRESHOLD) + current, 0.0);
}
@if(MODEL_LIF_ZERO) fn vjp(before: vec2f, current: f32, gradient: vec2f, own: vec2f) -> StepGradients {
  let kept = select(DECAY * gradient.x, 0.0, before.x > THRESHOLD);
  return StepGradients(vec2f(kept, 0.0), gradient.x, 0.0, vec2f());
}

@if(MODEL_EVO_LIF) const BY_STATE = vec2f(1.0, 0.0);
@if(MODEL_EVO_LIF) const BY_OWN = vec2f(0.0, -1.0);
@if(MODEL_EVO_LIF) fn initial() -> vec2f { return vec2f(); }
@if(MODEL_EVO_LIF) fn excess(state: vec2f, own: vec2f) -> f32 { return state.x - own.y; }
@if(MODEL_EVO_LIF) fn fires(state: vec2f, own: vec2f) -> bool { return state.x > own.y; }
@if(MODEL_EVO_LIF) fn advance(before: vec2f, current: f32, own: vec2f) -> vec2f {
  return vec2f(own.x * before.x + current - select(0.0, own.y, before.x > own.y), 0.0);
}
@if(MODEL_EVO_LIF) fn vjp(before: vec2f, current: f32, gradient: vec2f, own: vec2f) -> StepGradients {
  let by_own = vec2f(gradient.x * before.x, select(0.0, -gradient.x, before.x > own.y));
  return StepGradients(vec2f(own.x * gradient.x, 0.0), gradient.x, 0.0, by_own);
}

@if(MODEL_ALIF) const BY_STATE = vec2f(1.0, -ADAPTATION_GAIN);
@if(MODEL_ALIF) const BY_OWN = vec2f();
@if(MODEL_ALIF) fn initial() -> vec2f { return vec2f(); }
@if(MODEL_ALIF) fn excess(state: vec2f, own: vec2f) -> f32 {
  return state.x - THRESHOLD - ADAPTATION_GAIN * state.y;
}
@if(MODEL_ALIF) fn fires(state: vec2f, own: vec2f) -> bool { return excess(state, own) > 0.0; }
@if(MODEL_ALIF) fn advance(before: vec2f, current: f32, own: vec2f) -> vec2f {
  let fired = fires(before, own);
  let v = DECAY * before.x + current - select(0.0, THRESHOLD, fired);
  return vec2f(v, ADAPTATION_DECAY * before.y + select(0.0, 1.0, fired));
}
@if(MODEL_ALIF) fn vjp(before: vec2f, current: f32, gradient: vec2f, own: vec2f) -> StepGradients {
  let state = vec2f(DECAY * gradient.x, ADAPTATION_DECAY * gradient.y);
  return StepGradients(state, gradient.x, gradient.y, vec2f());
}

@if(MODEL_IZHIKEVICH) const PEAK = 30.0;
// Milliseconds of an Euler step of the membrane.
@if(MODEL_IZHIKEVICH) const PART = f32(DT) / f32(SUBSTEPS);
@if(MODEL_IZHIKEVICH) const BY_STATE = vec2f(1.0 / SPAN, 0.0);
@if(MODEL_IZHIKEVICH) const BY_OWN = vec2f();
@if(MODEL_IZHIKEVICH) fn initial() -> vec2f { return vec2f(START, B * START); }
@if(MODEL_IZHIKEVICH) fn excess(state: vec2f, own: vec2f) -> f32 { return (state.x - PEAK) / SPAN; }
@if(MODEL_IZHIKEVICH) fn fires(state: vec2f, own: vec2f) -> bool { return state.x >= PEAK; }
@if(MODEL_IZHIKEVICH) fn after_reset(state: vec2f) -> vec2f {
  return select(state, vec2f(C, state.y + D), state.x >= PEAK);
}
@if(MODEL_IZHIKEVICH) fn rise(v: f32, u: f32, current: f32) -> f32 {
  return v + PART * (0.04 * v * v + 5.0 * v + 140.0 - u + DRIVE * current);
}
@if(MODEL_IZHIKEVICH) fn rise_by_v(v: f32) -> f32 { return 1.0 + PART * (0.08 * v + 5.0); }
@if(MODEL_IZHIKEVICH) fn advance(before: vec2f, current: f32, own: vec2f) -> vec2f {
  let begin = after_reset(before);
  var v = rise(begin.x, begin.y, current);
  if (SUBSTEPS == 2) { v = rise(v, begin.y, current); }
  return vec2f(v, begin.y + DT * A * (B * select(begin.x, v, SUBSTEPS == 2) - begin.y));
}
@if(MODEL_IZHIKEVICH) fn vjp(before: vec2f, current: f32, gradient: vec2f, own: vec2f) -> StepGradients {
  let begin = after_reset(before);
  let by_recovery = DT * A * B * gradient.y;
  var by_half = gradient.x;
  var by_next = 0.0;
  if (SUBSTEPS == 2) {
    by_next = gradient.x + by_recovery;
    by_half = by_next * rise_by_v(rise(begin.x, begin.y, current));
  }
  let by_drive = PART * (by_half + by_next);
  let by_v = by_half * rise_by_v(begin.x) + select(by_recovery, 0.0, SUBSTEPS == 2);
  let by_u = (1.0 - DT * A) * gradient.y - by_drive;
  return StepGradients(vec2f(select(by_v, 0.0, before.x >= PEAK), by_u), DRIVE * by_drive, 0.0, vec2f());
}
