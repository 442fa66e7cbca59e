import {
  ExpertLoad,
  ExpertMaskBackward,
  ExpertMaskForward,
  RouteBackward,
  RouteForward,
} from './generated/arguments';
import { bytes } from './bytes';
import { loadUpTo, storeUpTo } from './rows';
import { exp4 } from './simd';

const FRESH: u32 = 0x80000000;

function expOf(x: f32): f32 {
  return f32x4.extract_lane(exp4(f32x4.splat(x)), 0);
}

/**
 * route_forward: the running mean of the scores of a sequence chooses the experts that read a token, those
 * with the highest mean; ties go to the first.
 *
 *   mean += rate (score - mean), rate = 1 / min(n, memory)      gate = sigmoid(mean), or softmax over the chosen
 *
 * A token that is masked has a rate of 0, and goes to none: to the expert behind the last.
 *
 * Items      sequences
 */
export function route_forward(args: RouteForward, first: i32, last: i32): void {
  const all = args.experts,
    sequence = args.sequence,
    mask = args.maskAt;
  for (let item = first; item < last; item++) {
    const word = load<u32>(args.slotsAt + bytes(item));
    const state = args.stateAt + bytes(all + 1) * <i32>(word & ~FRESH);
    if (word & FRESH) memory.fill(state, 0, bytes(all + 1));
    for (let row = item * sequence; row < (item + 1) * sequence; row++) {
      const isThere = !mask || load<u32>(mask + bytes(row)) != 0;
      moveMeans(args, row, state, isThere);
      choose(args, row, state, isThere);
    }
  }
}

function moveMeans(args: RouteForward, row: i32, state: usize, isThere: bool): void {
  const all = args.experts,
    tokens = <f32>args.memory;
  const to = args.meansAt + bytes(row * (all + 1)),
    count = min<f32>(tokens, load<f32>(state + bytes(all)) + 1);
  const rate = isThere ? <f32>1 / count : <f32>0;
  if (isThere) store<f32>(state + bytes(all), count);
  for (let e = 0; e < all; e++) {
    const at = state + bytes(e),
      old = load<f32>(at);
    const mean = old + rate * (load<f32>(args.scoresAt + bytes(row * all + e)) - old);
    store<f32>(at, mean);
    store<f32>(to + bytes(e), mean);
  }
  store<f32>(to + bytes(all), rate);
}

function choose(args: RouteForward, row: i32, means: usize, isThere: bool): void {
  const experts = args.expertsAt,
    gates = args.gatesAt,
    rows = args.rows,
    active = args.active,
    all = args.experts;
  for (let k = 0; k < active; k++) {
    const place = bytes(k * rows + row);
    if (!isThere) {
      store<i32>(experts + place, all);
      store<f32>(gates + place, 0);
      continue;
    }
    let best = -1;
    for (let e = 0; e < all; e++) {
      const isHigher = best < 0 || load<f32>(means + bytes(e)) > load<f32>(means + bytes(best));
      if (isHigher && !isChosen(experts, row, rows, k, e)) best = e;
    }
    store<i32>(experts + place, best);
  }
  if (isThere) writeGates(experts + bytes(row), means, gates + bytes(row), rows, active);
}

function isChosen(experts: usize, row: i32, rows: i32, count: i32, expert: i32): bool {
  for (let k = 0; k < count; k++) {
    if (load<i32>(experts + bytes(k * rows + row)) == expert) return true;
  }
  return false;
}

/** The gates of the chosen experts, `stride` words apart. */
function writeGates(experts: usize, means: usize, gates: usize, stride: i32, active: i32): void {
  const highest = load<f32>(means + bytes(load<i32>(experts)));
  if (active == 1) {
    store<f32>(gates, <f32>1 / (<f32>1 + expOf(-highest)));
    return;
  }
  let sum: f32 = 0;
  for (let k = 0; k < active; k++) {
    const mean = load<f32>(means + bytes(load<i32>(experts + bytes(k * stride))));
    const weight = expOf(mean - highest);
    store<f32>(gates + bytes(k * stride), weight);
    sum += weight;
  }
  for (let k = 0; k < active; k++) {
    const at = gates + bytes(k * stride);
    store<f32>(at, load<f32>(at) / sum);
  }
}

/**
 * expert_load: the share of all events that each expert gets.
 *
 * Items      1
 */
export function expert_load(args: ExpertLoad, first: i32, last: i32): void {
  const experts = args.expertsAt,
    to = args.loadAt,
    events = args.active * args.rows,
    all = args.experts;
  memory.fill(to, 0, bytes(all));
  for (let event = 0; event < events; event++) {
    const expert = load<i32>(experts + bytes(event));
    if (expert < all) store<i32>(to + bytes(expert), load<i32>(to + bytes(expert)) + 1);
  }
  for (let e = 0; e < all; e++) {
    store<f32>(to + bytes(e), <f32>load<i32>(to + bytes(e)) / <f32>events);
  }
}

/**
 * route_backward: gradient of the scores, from that of the gates and of the load-balance term
 * `balance experts sum_e load_e mean(softmax_e)`, whose loads are constants; from rest.
 *
 * Items      sequences
 * Scratch    four rows of numbers, one for each expert
 */
export function route_backward(args: RouteBackward, first: i32, last: i32, scratch: usize): void {
  const all = args.experts,
    sequence = args.sequence;
  const later = scratch,
    own = scratch + bytes(all);
  for (let item = first; item < last; item++) {
    memory.fill(later, 0, bytes(all));
    let kept: f32 = 0;
    for (let t = sequence - 1; t >= 0; t--) {
      const row = item * sequence + t;
      const rate = load<f32>(args.meansAt + bytes(row * (all + 1) + all));
      memory.fill(own, 0, bytes(all));
      if (rate > 0) meanGradient(args, row, own, scratch + bytes(2 * all));
      for (let e = 0; e < all; e++) {
        const g = load<f32>(own + bytes(e)) + kept * load<f32>(later + bytes(e));
        store<f32>(later + bytes(e), g);
        store<f32>(args.scoreGradientAt + bytes(row * all + e), rate * g);
      }
      kept = <f32>1 - rate;
    }
  }
}

/** Gradient of the means of one token by its gates and by the balance of loads. */
function meanGradient(args: RouteBackward, row: i32, own: usize, scratch: usize): void {
  const rows = args.rows,
    active = args.active,
    all = args.experts,
    balance = args.balanceFactor;
  const means = args.meansAt + bytes(row * (all + 1)),
    experts = args.expertsAt + bytes(row),
    backs = args.gateGradientAt + bytes(row);
  balanceGradient(means, args.loadAt, all, balance, own);
  const gates = scratch;
  packGates(experts, means, gates, rows, active, scratch + bytes(all));
  let inner: f32 = 0;
  for (let k = 0; k < active; k++) {
    inner += load<f32>(gates + bytes(k)) * load<f32>(backs + bytes(k * rows));
  }
  for (let k = 0; k < active; k++) {
    const gate = load<f32>(gates + bytes(k)),
      back = load<f32>(backs + bytes(k * rows));
    const slope = active == 1 ? gate * (<f32>1 - gate) * back : gate * (back - inner);
    const at = own + bytes(load<i32>(experts + bytes(k * rows)));
    store<f32>(at, load<f32>(at) + slope);
  }
}

/** The gates of one token side by side. */
function packGates(
  experts: usize,
  means: usize,
  gates: usize,
  rows: i32,
  active: i32,
  chosen: usize,
): void {
  for (let k = 0; k < active; k++) {
    store<i32>(chosen + bytes(k), load<i32>(experts + bytes(k * rows)));
  }
  writeGates(chosen, means, gates, 1, active);
}

function balanceGradient(means: usize, loads: usize, all: i32, balance: f32, own: usize): void {
  let highest = load<f32>(means);
  for (let e = 1; e < all; e++) highest = max<f32>(highest, load<f32>(means + bytes(e)));
  let sum: f32 = 0,
    mixed: f32 = 0;
  for (let e = 0; e < all; e++) {
    const weight = expOf(load<f32>(means + bytes(e)) - highest);
    store<f32>(own + bytes(e), weight);
    sum += weight;
    mixed += weight * load<f32>(loads + bytes(e));
  }
  mixed /= sum;
  for (let e = 0; e < all; e++) {
    const share = load<f32>(own + bytes(e)) / sum;
    store<f32>(own + bytes(e), balance * share * (load<f32>(loads + bytes(e)) - mixed));
  }
}

/**
 * expert_mask_forward: of a row's features for every expert, those of the expert of each event; else zero.
 *
 * Items      events
 */
export function expert_mask_forward(args: ExpertMaskForward, first: i32, last: i32): void {
  const rows = args.rows,
    rank = args.rank;
  const width = rank * args.experts;
  for (let event = first; event < last; event++) {
    const from = args.inputAt + bytes(width) * (event % rows),
      to = args.outputAt + bytes(width) * event;
    const own = bytes(rank * load<i32>(args.expertsAt + bytes(event)));
    memory.fill(to, 0, bytes(width));
    if (own < bytes(width)) memory.copy(to + own, from + own, bytes(rank));
  }
}

/**
 * expert_mask_backward: the way back, over the events of each row.
 *
 * Items      rows
 */
export function expert_mask_backward(args: ExpertMaskBackward, first: i32, last: i32): void {
  const rows = args.rows,
    active = args.active,
    rank = args.rank;
  const width = rank * args.experts;
  for (let row = first; row < last; row++) {
    const to = args.inputGradientAt + bytes(width) * row;
    if (!args.accumulate) memory.fill(to, 0, bytes(width));
    for (let event = row; event < active * rows; event += rows) {
      const own = bytes(rank * load<i32>(args.expertsAt + bytes(event)));
      const from = args.gradientAt + bytes(width) * event + own;
      if (own >= bytes(width)) continue;
      for (let r = 0; r < rank; r += 4) {
        const at = to + own + bytes(r),
          left = rank - r;
        const sum = f32x4.add(loadUpTo(at, left), loadUpTo(from + bytes(r), left));
        storeUpTo(at, sum, left);
      }
    }
  }
}
