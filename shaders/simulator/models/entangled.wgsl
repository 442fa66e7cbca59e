// entangled: leaky integrate-and-fire neurons whose phases pull at each other (Kuramoto mean field).
//
//   phi += dt omega + K R sin(psi - phi)      R e^(i psi) = mean of e^(i phi) over the population
//   u[t] = beta u[t-1] + I (1 + kappa cos(phi - psi)) - s[t-1] threshold      s[t] = 1 if u[t] > threshold
//
// Constants  beta, threshold, K, kappa, mean cosine, mean sine; K of a step.
// State      u, phi, omega; omega stays what it was.
// Reference  engine/neurons/steps.ts

import package::lib::angle::{unit, wrap};

fn step(state: ptr<function, array<f32, 3>>, own: array<f32, 6>, input: f32, dt: f32) -> bool {
  let phase = (*state)[1];
  let field = vec2f(own[4], own[5]);
  let own_way = unit(phase);
  let along = dot(field, own_way) / sqrt(dot(field, field) + 1e-12);
  let before = (*state)[0];
  let kept = own[0] * before - select(0.0, own[1], before > own[1]);
  let u = kept + input * (1.0 + own[3] * along);
  let turned = phase + dt * (*state)[2] + own[2] * (field.y * own_way.x - field.x * own_way.y);
  (*state)[0] = u;
  (*state)[1] = wrap(turned);
  return u > own[1];
}
