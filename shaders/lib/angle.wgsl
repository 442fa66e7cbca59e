// angle: cosine and sine to 1e-7, which WGSL's own need not reach (it allows 2^-11), and angles brought
// back to one turn.
//
// Numerics   the polynomials of Cephes' sinf and cosf, after a reduction by quarter turns in three parts.
// Reference  engine/neurons/steps.ts

const TURN = 6.28318530717958648;

// The same angle, in [-pi, pi].
fn wrap(angle: f32) -> f32 {
  return angle - TURN * round(angle / TURN);
}

// e^{i angle} as (cosine, sine).
fn unit(angle: f32) -> vec2f {
  let quarter = round(angle * 0.63661977236758134);
  let x = ((angle - quarter * 1.5703125) - quarter * 4.837512969970703e-4)
    - quarter * 7.549789948768648e-8;
  let z = x * x;
  let sine = x + x * z * (-1.6666654611e-1 + z * (8.3321608736e-3 - z * 1.9515295891e-4));
  let cosine = 1.0 - 0.5 * z
    + z * z * (4.166664568298827e-2 + z * (-1.388731625493765e-3 + z * 2.443315711809948e-5));
  let q = i32(quarter) & 3;
  let turned = select(vec2f(cosine, sine), vec2f(-sine, cosine), (q & 1) == 1);
  return select(turned, -turned, (q & 2) == 2);
}
