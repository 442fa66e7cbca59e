/** The random word of a place in equations, from the operand `clock` and the attribute `stream`. */
export function randomWord(place: string): string {
  return `randomWord(${place}, stream, clock[0], clock[2], clock[3])`;
}

const ROUNDS = 10;

/** Equations of c0 to c3: four random words for each place (Philox 4x32-10; Salmon et al. 2011). */
export function randomWords(place: string): string {
  const round = `
    x0 = mulHigh(3528531795, c0)
    x2 = mulHigh(3449720151, c2)
    y0 = 3528531795 * c0
    y2 = 3449720151 * c2
    c0 = bitXor(bitXor(x2, c1), k0)
    c1 = y2
    c2 = bitXor(bitXor(x0, c3), k1)
    c3 = y0
    k0 = k0 + 2654435769
    k1 = k1 + 3144134277`;
  return `
    c0 = u32(${place})
    c1 = u32(stream)
    c2 = clock[0]
    c3 = u32(0)
    k0 = clock[2]
    k1 = clock[3]
    ${round.repeat(ROUNDS)}`;
}
