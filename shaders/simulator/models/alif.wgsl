// alif: leaky integrate-and-fire with an adaptive threshold (Bellec et al. 2018, 2020).
//
//   v[t] = alpha v[t-1] + I[t] - s[t-1] theta_0      a[t] = rho a[t-1] + s[t-1]
//   s[t] = 1 if v[t] > theta_0 + beta_a a[t] else 0
//
// Constants  alpha, rho, theta_0, beta_a.
// State      v, a, s.
// Reference  engine/neurons/steps.ts

fn step(state: ptr<function, array<f32, 3>>, own: array<f32, 4>, input: f32, dt: f32) -> bool {
  let v = own[0] * (*state)[0] + input - (*state)[2] * own[2];
  let a = own[1] * (*state)[1] + (*state)[2];
  let fires = v > own[2] + own[3] * a;
  (*state)[0] = v;
  (*state)[1] = a;
  (*state)[2] = select(0.0, 1.0, fires);
  return fires;
}
