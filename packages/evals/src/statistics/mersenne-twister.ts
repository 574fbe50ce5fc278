const size = 624;
const shift = 397;

/**
 * Numbers from 0 below 2^32 that are the same for the same seed, on every machine: MT19937 (Matsumoto and Nishimura 1998,
 * ACM Trans. Model. Comput. Simul. 8:3-30), seeded as `std::mt19937` of C++ is. For drawing samples, not for secrets.
 */
export class MersenneTwister {
  readonly #state = new Uint32Array(size);
  #at = size;

  constructor(seed: number) {
    this.#state[0] = seed;
    for (let index = 1; index < size; index += 1) {
      const last = this.#word(index - 1);
      this.#state[index] = Math.imul(last ^ (last >>> 30), 1_812_433_253) + index;
    }
  }

  next(): number {
    if (this.#at === size) this.#twist();
    let word = this.#word(this.#at);
    this.#at += 1;
    word ^= word >>> 11;
    word ^= (word << 7) & 0x9d2c_5680;
    word ^= (word << 15) & 0xefc6_0000;
    return (word ^ (word >>> 18)) >>> 0;
  }

  /** A whole number from 0 below `bound`, each as likely as the others. */
  below(bound: number): number {
    const even = 0x1_0000_0000 - (0x1_0000_0000 % bound);
    for (;;) {
      const drawn = this.next();
      if (drawn < even) return drawn % bound;
    }
  }

  #word(index: number): number {
    return this.#state[index] ?? 0;
  }

  #twist(): void {
    for (let index = 0; index < size; index += 1) {
      const mixed = (this.#word(index) & 0x8000_0000) | (this.#word((index + 1) % size) & 0x7fff_ffff);
      const odd = (mixed & 1) === 1 ? 0x9908_b0df : 0;
      this.#state[index] = this.#word((index + shift) % size) ^ (mixed >>> 1) ^ odd;
    }
    this.#at = 0;
  }
}
