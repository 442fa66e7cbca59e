// izhikevich: Izhikevich's neuron (2003), state = (v, u) with v in mV, as neuron_forward wants it.
//
//   v' = 0.04 v^2 + 5 v + 140 - u + DRIVE I      u' = A (B v - u)      at v >= 30: v = C, u = u + D
//
// One Euler step of DT ms; with SUBSTEPS 2 as published: v in two half-steps, then u from the new v.
//
// Reference  engine/backends/reference/neuron-models.ts

import package::lib::neurons::earlier::Earlier;
import constants::{A, B, C, D, START, DT, SUBSTEPS, SPAN, DRIVE};

const PEAK = 30.0;
// Milliseconds of an Euler step of the membrane.
const PART = f32(DT) / f32(SUBSTEPS);
const BY_STATE = vec2f(1.0 / SPAN, 0.0);
const BY_OWN = vec2f();

fn rest() -> vec2f { return vec2f(START, B * START); }

fn excess(state: vec2f, own: vec2f) -> f32 { return (state.x - PEAK) / SPAN; }

fn fires(state: vec2f, own: vec2f) -> bool { return state.x >= PEAK; }

fn after_reset(state: vec2f) -> vec2f {
  return select(state, vec2f(C, state.y + D), state.x >= PEAK);
}

fn rise(v: f32, u: f32, current: f32) -> f32 {
  return v + PART * (0.04 * v * v + 5.0 * v + 140.0 - u + DRIVE * current);
}

fn rise_by_v(v: f32) -> f32 { return 1.0 + PART * (0.08 * v + 5.0); }

fn advance(before: vec2f, current: f32, own: vec2f) -> vec2f {
  let begin = after_reset(before);
  var v = rise(begin.x, begin.y, current);
  if (SUBSTEPS == 2) { v = rise(v, begin.y, current); }
  return vec2f(v, begin.y + DT * A * (B * select(begin.x, v, SUBSTEPS == 2) - begin.y));
}

fn retreat(before: vec2f, current: f32, gradient: vec2f, own: vec2f) -> Earlier {
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
  return Earlier(vec2f(select(by_v, 0.0, before.x >= PEAK), by_u), DRIVE * by_drive, 0.0, vec2f());
}
