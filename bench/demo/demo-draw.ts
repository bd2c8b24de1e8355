/** Draws that come out alike in every run: mulberry32. */
export class Draw {
  constructor(private state: number) {}

  /** From 0 up to 1. */
  part(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Whole numbers, both ends included. */
  between(from: number, to: number): number {
    return from + Math.floor(this.part() * (to - from + 1));
  }

  of<T>(things: readonly T[]): T {
    return things[Math.floor(this.part() * things.length)]!;
  }

  /** One of them, each as often as its share says. */
  shared<T extends { readonly share: number }>(things: readonly T[]): T {
    let left = this.part() * things.reduce((sum, { share }) => sum + share, 0);
    return things.find(({ share }) => (left -= share) < 0) ?? things.at(-1)!;
  }

  digits(count: number): string {
    return String(Math.floor(this.part() * 10 ** count)).padStart(count, '0');
  }
}
