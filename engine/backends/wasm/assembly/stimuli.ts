import { InjectPoisson } from './generated/arguments';
import { BLOCK } from './generated/sizes';
import { bytes } from './bytes';
import { philox, word0, word1, word2, word3 } from './philox';

/**
 * inject_poisson: drive += weight k, k being how many thresholds a random word reaches.
 *
 * Items      blocks of 256 neurons of the range
 */
export function inject_poisson(args: InjectPoisson, first: i32, last: i32): void {
  const clock = args.clockAt,
    table = args.tableAt,
    drive = args.driveAt + bytes(args.first),
    count = args.count;
  const stream = args.stream,
    weight = args.weight,
    entries = args.entries;
  const end = min(count, last * BLOCK);
  for (let i = first * BLOCK; i < end; i += 4) {
    philox(i >> 2, stream, clock);
    addEvents(drive + bytes(i), table, entries, word0, weight);
    if (i + 1 < end) addEvents(drive + bytes(i + 1), table, entries, word1, weight);
    if (i + 2 < end) addEvents(drive + bytes(i + 2), table, entries, word2, weight);
    if (i + 3 < end) addEvents(drive + bytes(i + 3), table, entries, word3, weight);
  }
}

function addEvents(drive: usize, table: usize, entries: i32, word: u32, weight: f32): void {
  let events = 0;
  while (events < entries && word >= load<u32>(table + bytes(events))) events++;
  if (events > 0) add(drive, weight * <f32>events);
}

function add(at: usize, value: f32): void {
  store<f32>(at, load<f32>(at) + value);
}
