// lif_integer: leaky integrate-and-fire in 16-bit integers.
//
//   V = clamp_int16((230 V >> 8) + I)      s = 1 if V > threshold, and V = 0 then
//
// Constants  threshold.
// State      V, a whole number.
// Numerics   exact: 32-bit integers; the input is a whole number before it is clamped.
// Reference  engine/neurons/steps.ts

fn step(state: ptr<function, array<f32, 1>>, own: array<f32, 1>, input: f32, dt: f32) -> bool {
  let current = i32(clamp(floor(input), -65536.0, 65536.0));
  let v = clamp(((i32((*state)[0]) * 230) >> 8u) + current, -32768, 32767);
  let fires = v > i32(own[0]);
  (*state)[0] = select(f32(v), 0.0, fires);
  return fires;
}
