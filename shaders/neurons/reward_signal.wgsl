// reward_signal: what the loss of a step is worth, MODE_* says how, and what follows from it.
//
//   gain      EMA_DELTA: by how much the running mean of the loss fell; else minus the loss
//   reward    gain, but in MODE_RAW clipped to [-CLIP, CLIP]
//   advantage reward - its own running mean before this step
//   move      sign(advantage) STEP / (1 + step / HORIZON)
//   supply    clamp(1 + advantage / CLIP, MIN_SUPPLY, 2)
//
// Layout     history [SLOTS]; clock u32 [4]: step, slot, seed low, seed high; state [3]: running means of
//            loss and reward, and 1 where there are any; reward, move, supply [1].
// Dispatch   one invocation.
// Numerics   1e-6 relative to the reference; move may differ where the advantage is that close to 0.
// Reference  engine/backends/reference/rule-kernels.ts

import constants::{SLOTS, LOSS_DECAY, BASELINE_DECAY, CLIP, STEP, HORIZON, MIN_SUPPLY};

@group(0) @binding(0) var<storage, read_write> history: array<f32>;
@group(0) @binding(1) var<storage, read_write> clock: array<u32>;
@group(0) @binding(2) var<storage, read_write> state: array<f32>;
@group(0) @binding(3) var<storage, read_write> reward: array<f32>;
@group(0) @binding(4) var<storage, read_write> shift: array<f32>;
@group(0) @binding(5) var<storage, read_write> supply: array<f32>;

@compute @workgroup_size(1)
fn reward_signal() {
  let loss = history[clock[1] % SLOTS];
  let is_first = state[2] == 0.0;
  let before = select(state[0], loss, is_first);
  let mean = LOSS_DECAY * before + (1.0 - LOSS_DECAY) * loss;
  @if(MODE_EMA_DELTA) var gain = before - mean;
  @else var gain = -loss;
  @if(!MODE_RAW) gain = clamp(gain, -CLIP, CLIP);
  let baseline = select(state[1], gain, is_first);
  let advantage = gain - baseline;
  reward[0] = gain;
  shift[0] = sign(advantage) * STEP / (1.0 + f32(clock[0]) / HORIZON);
  supply[0] = clamp(1.0 + advantage / CLIP, MIN_SUPPLY, 2.0);
  state[0] = mean;
  state[1] = BASELINE_DECAY * baseline + (1.0 - BASELINE_DECAY) * gain;
  state[2] = 1.0;
}
