// advance_clock: counts a step on the device.
//
// Dispatch   one invocation.
// Numerics   exact.
// Reference  engine/backends/reference/simulator-kernels.ts

@group(0) @binding(0) var<storage, read_write> clock: array<u32>;

@compute @workgroup_size(1)
fn advance_clock() {
  clock[0] += 1u;
}
