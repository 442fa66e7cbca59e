// lif: leaky integrate-and-fire, reset by subtraction.
//
//   u[t] = beta u[t-1] + I[t] - s[t-1] threshold      s[t] = 1 if u[t] > threshold else 0
//
// Constants  beta, threshold, reset, refractory steps.
// State      u; rest: refractory steps + 1 after a spike, counted down; until 1 it is held and takes no input.
// Reference  engine/neurons/steps.ts

fn step(state: ptr<function, array<f32, 2>>, own: array<f32, 4>, input: f32, dt: f32) -> bool {
  let is_reset = (*state)[1] > own[3];
  let left = max((*state)[1] - 1.0, 0.0);
  let u = select(own[0] * (*state)[0] + input, (*state)[0], left > 0.0) - select(0.0, own[1], is_reset);
  let fires = left == 0.0 && u > own[1];
  (*state)[0] = u;
  (*state)[1] = select(left, own[3] + 1.0, fires);
  return fires;
}
