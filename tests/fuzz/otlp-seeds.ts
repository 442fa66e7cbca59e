import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

type Parts = readonly (readonly [number, string | number | bigint | Parts])[];

/** A message of protobuf: texts and messages by their length, numbers in 8 bytes. */
function message(parts: Parts): Uint8Array {
  const writer = new BinaryWriter();
  for (const [number, value] of parts) {
    if (typeof value === 'string') writer.tag(number, WireType.LengthDelimited).string(value);
    else if (typeof value === 'number') writer.tag(number, WireType.Bit64).double(value);
    else if (typeof value === 'bigint') writer.tag(number, WireType.Bit64).fixed64(value);
    else writer.tag(number, WireType.LengthDelimited).bytes(message(value));
  }
  return writer.finish();
}

const attributes = [
  9,
  [
    [1, 'service.name'],
    [2, [[1, 'fuzz']]],
  ],
] as const;
const resource: Parts[number] = [1, [[1, attributes[1]]]];
const NOW = 1_700_000_000_000_000_000n;

/** An export of each signal, behind a byte that says which it is. */
export function otlpSeeds(): Uint8Array[] {
  const sum: Parts = [
    [
      1,
      [
        [3, NOW],
        [4, 1.5],
        [7, attributes[1]],
      ],
    ],
  ];
  const histogram: Parts = [
    [
      1,
      [
        [3, NOW],
        [4, 3n],
        [5, 2.5],
      ],
    ],
  ];
  const metrics: Parts = [
    [
      2,
      [
        [1, 'requests'],
        [2, 'help'],
        [3, '1'],
        [7, sum],
      ],
    ],
    [
      2,
      [
        [1, 'temperature'],
        [5, sum],
      ],
    ],
    [
      2,
      [
        [1, 'seconds'],
        [9, histogram],
      ],
    ],
  ];
  const logs: Parts = [
    [
      2,
      [
        [1, NOW],
        [3, 'WARN'],
        [5, [[1, 'it broke']]],
        [6, attributes[1]],
      ],
    ],
  ];
  const spans: Parts = [
    [
      2,
      [
        [1, 'abcdefghijklmnop'],
        [2, 'abcdefgh'],
        [5, 'GET /'],
        [7, NOW],
        [8, NOW + 5n],
        [9, attributes[1]],
      ],
    ],
  ];
  return [metrics, logs, spans].map((records, signal) => {
    const body = message([[1, [resource, [2, records]]]]);
    return Uint8Array.of(signal, ...body);
  });
}
