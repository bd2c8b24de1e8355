/**
 * Another time of day for all that this process does: what the service makes then is stamped with it, as if it had been
 * made then. Only forwards, since the books follow the time.
 */
export class MovedTime {
  private readonly real = Date;
  private ahead: number;

  constructor(startsAt: number) {
    this.ahead = startsAt - Date.now();
    const now = (): number => this.real.now() + this.ahead;
    globalThis.Date = new Proxy(this.real, {
      construct: (target, values: unknown[], made) =>
        Reflect.construct(target, values.length === 0 ? [now()] : values, made === globalThis.Date ? target : made),
      get: (target, name) => (name === 'now' ? now : (Reflect.get(target, name) as unknown)),
    });
  }

  get now(): number {
    return this.real.now() + this.ahead;
  }

  /** Never beyond the real time. */
  advanceTo(time: number): void {
    this.ahead = Math.min(0, Math.max(this.ahead, time - this.real.now()));
  }

  end(): void {
    globalThis.Date = this.real;
  }
}
