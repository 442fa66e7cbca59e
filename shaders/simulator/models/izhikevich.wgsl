// izhikevich: the published numerics of Izhikevich 2003, two half-steps for v and then u from the new v.
//
//   v' = 0.04 v^2 + 5 v + 140 - u + I      u' = a (b v - u)
//   at v >= 30, when the next step begins: v = c, u = u + d
//
// Constants  a, b, c, d.
// State      v, u.
// Reference  engine/neurons/steps.ts

fn step(state: ptr<function, array<f32, 2>>, own: array<f32, 4>, input: f32, dt: f32) -> bool {
  let is_reset = (*state)[0] >= 30.0;
  var v = select((*state)[0], own[2], is_reset);
  let u = (*state)[1] + select(0.0, own[3], is_reset);
  v += 0.5 * dt * model_slope(v, u, input);
  v += 0.5 * dt * model_slope(v, u, input);
  (*state)[0] = v;
  (*state)[1] = u + dt * own[0] * (own[1] * v - u);
  return v >= 30.0;
}

fn model_slope(v: f32, u: f32, input: f32) -> f32 {
  return 0.04 * v * v + 5.0 * v + 140.0 - u + input;
}
