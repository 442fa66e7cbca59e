// slots: which sequence a row goes on from, as the host wrote it (engine/kernels/slots.ts).

// The place of the sequence's state.
fn slot_of(word: u32) -> u32 { return word & 0x7fffffffu; }

// True where a sequence begins: the content of its slot counts as zero.
fn is_fresh(word: u32) -> bool { return word >> 31u != 0u; }
