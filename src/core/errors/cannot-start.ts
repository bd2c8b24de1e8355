/**
 * A process cannot do its work, and the message tells its operator what to change. Entry points print it without a
 * stack.
 */
export class CannotStart extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}
