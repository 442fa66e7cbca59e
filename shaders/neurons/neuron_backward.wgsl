// neuron_backward: gradient of neuron_forward with respect to the current, back through time.
// MODEL_EVO_LIF makes it evo_lif_backward, with the gradients of beta and threshold of each row.
//
//   d[t] = (d of the state from step t + 1) + (g[t] + that of the spike from step t + 1) slope(x[t])
//
// x is the excess over the threshold; resets are constants. States are computed again from the current.
//
// Layout     current and its gradient [CURRENT_STEPS][ROWS][WIDTH], the latter a sum over the steps where
//            that is 1; gradient [STEPS][ROWS][WIDTH]; gradients of beta and threshold [ROWS][WIDTH].
// Dispatch   one invocation per neuron.
// Numerics   1e-5 relative to the reference where no spike differs.
// Reference  engine/backends/reference/layer-kernels.ts

import package::lib::grid::element;
import package::lib::surrogate::surrogate;
import package::lib::neuron_models::{initial, advance, excess, vjp, BY_STATE, BY_OWN};
import constants::{WORKGROUP, STEPS, CURRENT_STEPS, ROWS, WIDTH};

@group(0) @binding(0) var<storage, read_write> current: array<f32>;
@group(0) @binding(1) var<storage, read_write> gradient: array<f32>;
@group(0) @binding(2) var<storage, read_write> current_gradient: array<f32>;
@if(MODEL_EVO_LIF) @group(0) @binding(3) var<storage, read_write> beta: array<f32>;
@if(MODEL_EVO_LIF) @group(0) @binding(4) var<storage, read_write> threshold: array<f32>;
@if(MODEL_EVO_LIF) @group(0) @binding(5) var<storage, read_write> beta_gradient: array<f32>;
@if(MODEL_EVO_LIF) @group(0) @binding(6) var<storage, read_write> threshold_gradient: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn neuron_backward(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= ROWS * WIDTH) { return; }
  var own = vec2f();
  @if(MODEL_EVO_LIF) own = vec2f(beta[i % WIDTH], threshold[i % WIDTH]);

  // The state before each step.
  var trail: array<vec2f, STEPS>;
  var state = initial();
  for (var t = 0u; t < STEPS; t++) {
    trail[t] = state;
    state = advance(state, current[t % CURRENT_STEPS * ROWS * WIDTH + i], own);
  }

  var carried = vec2f();
  var by_spike = 0.0;
  var total = 0.0;
  var by_own = vec2f();
  for (var t = u32(STEPS); t > 0u; t--) {
    let slope = surrogate(excess(state, own));
    let by_excess = (gradient[(t - 1u) * ROWS * WIDTH + i] + by_spike) * slope;
    let at = (t - 1u) % CURRENT_STEPS * ROWS * WIDTH + i;
    let d = carried + by_excess * BY_STATE;
    state = trail[t - 1u];
    let product = vjp(state, current[at], d, own);
    carried = product.state;
    by_spike = product.spike;
    by_own += product.own + by_excess * BY_OWN;
    total = select(product.current, total + product.current, CURRENT_STEPS == 1);
    current_gradient[at] = total;
  }
  @if(MODEL_EVO_LIF) beta_gradient[i] = by_own.x;
  @if(MODEL_EVO_LIF) threshold_gradient[i] = by_own.y;
}
